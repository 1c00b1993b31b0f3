// Evidence that a person meets a requirement: recorded, corrected, withdrawn and restored by an admin.

import { refuse } from '#core/base/refusals.ts';
import { displayName } from '#core/people/people.ts';
import { evidencePeopleRefusal, evidenceRefusal, qualificationLimits } from '#core/people/qualifications.ts';
import { assertRecentProof, recordOwnChange, unprovenRemovals } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { type CallKey, callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { todayOf } from './assignment.service.ts';
import { requirementsOfRole } from './demands.store.ts';
import * as store from './qualifications.store.ts';

type Content = { readonly note?: string | undefined; readonly day: string; readonly goodUntil?: string | undefined };

const contentOf = ({ note, day, goodUntil }: Content) => ({ note: note ?? '', day, goodUntil: goodUntil ?? null });

function assertGood(context: RequestContext, content: Content): void {
  const refusal = evidenceRefusal(content, todayOf(context));
  if (refusal) throw new RefusalError(refusal);
}

const notFound = (field: string) => new RefusalError(refuse('NOT_FOUND', 'Evidence not found', { field }));

async function locked(queries: Queries, id: string) {
  const [found] = await store.lockEvidence(queries, [id]);
  if (!found) throw notFound('id');
  return found;
}

export function evidenceOfPerson(
  { database }: RequestContext,
  { role, personId }: { readonly role: string; readonly personId: string },
): Promise<store.EvidenceRow[]> {
  return store.readRecordedEvidence(database.drizzle, personId, requirementsOfRole(role));
}

type Recording = Content & { readonly requirementId: string };

export async function recordEvidence(
  context: RequestContext,
  { personId, ...input }: Recording & { readonly personId: string },
): Promise<store.EvidenceRow> {
  const call = callKey(context, 'recordEvidence', { personId, ...input });
  const [evidence] = await record(context, call, { ...input, personIds: [personId], field: 'personId' });
  return evidence!;
}

/** The same evidence for several people: for all of them or nobody. */
export function recordEvidenceForPeople(
  context: RequestContext,
  input: Recording & { readonly personIds: readonly string[] },
): Promise<store.EvidenceRow[]> {
  return record(context, callKey(context, 'recordEvidenceForPeople', input), { ...input, field: 'personIds' });
}

type Recorded = Recording & { readonly personIds: readonly string[]; readonly field: string };

function record(
  context: RequestContext,
  call: CallKey,
  { requirementId, personIds, field, ...input }: Recorded,
): Promise<store.EvidenceRow[]> {
  assertGood(context, input);
  return context.database.transaction(async (queries) => {
    const made = await findReplay(queries, context, call);
    if (made !== null) return store.lockEvidence(queries, made.split(' '));
    const requirement = await store.lockRequirement(queries, requirementId);
    if (!requirement || requirement.withdrawn)
      throw new RefusalError(refuse('NOT_FOUND', 'Requirement not found', { field: 'requirementId' }));
    const people = await store.readEvidencePeople(queries, requirementId, personIds);
    if (people.length < personIds.length) throw new RefusalError(refuse('NOT_FOUND', 'Person not found', { field }));
    const refusal = evidencePeopleRefusal(
      people.map((person) => ({ ...person, displayName: displayName(person) })),
      field,
    );
    if (refusal) throw new RefusalError(refusal);
    await assertRecentProof(queries, context);
    const content = contentOf(input);
    const place = { requirementId, personIds, by: context.viewer.id, at: context.clock.now().toString() };
    const ids = await store.insertEvidence(queries, place, content);
    await recordResult(queries, context, call, ids.join(' '));
    const after = { role: requirement.role, requirement: requirement.title, ...content };
    for (const subjectId of personIds)
      await recordAudit(queries, context, { action: 'evidenceRecorded', subjectType: 'person', subjectId, after });
    return store.lockEvidence(queries, ids);
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

/** An entry is one person's, and a call has many. */
const mostPerHour = 10 * qualificationLimits.people;

/** Repeating a withdrawal or a restore changes nothing. */
export async function withdrawEvidence(
  context: RequestContext,
  id: string,
  withdraws: boolean,
): Promise<store.EvidenceRow> {
  const [evidence] = await setWithdrawn(context, [id], withdraws, 'id');
  return evidence!;
}

/** All of it, or nothing if some isn't found. */
export const withdrawEvidenceOfPeople = (context: RequestContext, ids: readonly string[]) =>
  setWithdrawn(context, ids, true, 'ids');

function setWithdrawn(
  context: RequestContext,
  ids: readonly string[],
  withdraws: boolean,
  field: string,
): Promise<store.EvidenceRow[]> {
  return context.database.transaction(async (queries) => {
    const before = await store.lockEvidence(queries, ids);
    if (before.length < ids.length) throw notFound(field);
    const changed = before.filter(({ withdrawn }) => withdrawn !== withdraws);
    if (changed.length === 0) return before;
    if (!withdraws) await assertRecentProof(queries, context);
    const at = withdraws ? context.clock.now().toString() : null;
    const action = withdraws ? 'evidenceWithdrawn' : 'evidenceRestored';
    for (const { id, note, day, personId: subjectId } of changed) {
      await store.saveWithdrawal(queries, 'role_evidence', id, at);
      const entry = { action, subjectType: 'person', subjectId, after: { note, day } };
      await recordOwnChange(queries, context, entry, { mostPerHour, unproven: unprovenRemovals });
    }
    return store.lockEvidence(queries, ids);
  });
}
