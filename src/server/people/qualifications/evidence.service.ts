// Evidence that a person meets a requirement: recorded, corrected, withdrawn and restored by an admin.

import { refuse } from '#core/base/refusals.ts';
import { evidenceRefusal, qualificationLimits } from '#core/people/qualifications.ts';
import { assertRecentProof, recordOwnChange } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { todayOf } from './assignment.service.ts';
import { requirementsOfRole } from './demands.store.ts';
import * as store from './qualifications.store.ts';

type Content = { readonly note?: string | undefined; readonly day: string; readonly goodUntil?: string | undefined };

const contentOf = ({ note, day, goodUntil }: Content) => ({ note: note ?? '', day, goodUntil: goodUntil ?? null });

function assertGood(context: RequestContext, content: Content): void {
  const refusal = evidenceRefusal(content, todayOf(context));
  if (refusal) throw new RefusalError(refusal);
}

async function locked(queries: Queries, id: string) {
  const found = await store.lockEvidence(queries, id);
  if (!found) throw new RefusalError(refuse('NOT_FOUND', 'Evidence not found', { field: 'id' }));
  return found;
}

export function evidenceOfPerson(
  { database }: RequestContext,
  { role, personId }: { readonly role: string; readonly personId: string },
): Promise<store.EvidenceRow[]> {
  return store.readRecordedEvidence(database.drizzle, personId, requirementsOfRole(role));
}

export function recordEvidence(
  context: RequestContext,
  input: Content & { readonly requirementId: string; readonly personId: string },
): Promise<store.EvidenceRow> {
  const { requirementId, personId } = input;
  assertGood(context, input);
  const call = callKey(context, 'recordEvidence', input);
  return context.database.transaction(async (queries) => {
    const made = await findReplay(queries, context, call);
    if (made !== null) return locked(queries, made);
    const requirement = await store.lockRequirement(queries, requirementId);
    if (!requirement || requirement.withdrawn)
      throw new RefusalError(refuse('NOT_FOUND', 'Requirement not found', { field: 'requirementId' }));
    const [person] = await store.readPeople(queries, store.isPerson(personId), { limit: 1 });
    if (!person) throw new RefusalError(refuse('NOT_FOUND', 'Person not found', { field: 'personId' }));
    if ((await store.countEvidence(queries, requirementId, personId)) >= qualificationLimits.evidence)
      throw new RefusalError(
        refuse(
          'BAD_INPUT',
          `A person can have up to ${qualificationLimits.evidence} records per requirement. Edit or withdraw one`,
        ),
      );
    await assertRecentProof(queries, context);
    const content = contentOf(input);
    const place = { requirementId, personId, by: context.viewer.id, at: context.clock.now().toString() };
    const id = await store.insertEvidence(queries, place, content);
    await recordResult(queries, context, call, id);
    await recordAudit(queries, context, {
      ...{ action: 'evidenceRecorded', subjectType: 'person', subjectId: personId },
      after: { role: requirement.role, requirement: requirement.title, ...content },
    });
    return locked(queries, id);
  });
}

export function updateEvidence(
  context: RequestContext,
  { id, version, ...input }: Content & { readonly id: string; readonly version: number },
): Promise<store.EvidenceRow> {
  assertGood(context, input);
  return context.database.transaction(async (queries) => {
    const before = await locked(queries, id);
    if (before.version !== version) throw new RefusalError(refuse('CONFLICT'));
    await assertRecentProof(queries, context);
    const after = contentOf(input);
    await store.saveEvidence(queries, id, after);
    await recordAudit(queries, context, {
      ...{ action: 'evidenceChanged', subjectType: 'person', subjectId: before.personId },
      ...{ before: contentOf({ ...before, goodUntil: before.goodUntil ?? undefined }), after },
    });
    return locked(queries, id);
  });
}

/** Repeating a withdrawal or a restore changes nothing. */
export function withdrawEvidence(context: RequestContext, id: string, withdraws: boolean): Promise<store.EvidenceRow> {
  return context.database.transaction(async (queries) => {
    const before = await locked(queries, id);
    if (before.withdrawn === withdraws) return before;
    if (!withdraws) await assertRecentProof(queries, context);
    await store.saveWithdrawal(queries, 'role_evidence', id, withdraws ? context.clock.now().toString() : null);
    const action = withdraws ? 'evidenceWithdrawn' : 'evidenceRestored';
    const { note, day, personId } = before;
    await recordOwnChange(queries, context, {
      action,
      subjectType: 'person',
      subjectId: personId,
      after: { note, day },
    });
    return locked(queries, id);
  });
}
