// What a role requires: added, changed, withdrawn and restored by an admin.

import { refuse } from '#core/base/refusals.ts';
import { qualificationLimits, type Requirement } from '#core/people/qualifications.ts';
import { assertRecentProof, recordOwnChange } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import * as store from './qualifications.store.ts';

type Content = Pick<Requirement, 'kind' | 'title'> & { readonly validMonths?: number | undefined };

const contentOf = ({ kind, title, validMonths }: Content) => ({ kind, title, validMonths: validMonths ?? null });

async function locked(queries: Queries, id: string) {
  const found = await store.lockRequirement(queries, id);
  if (!found) throw new RefusalError(refuse('NOT_FOUND', 'Requirement not found', { field: 'id' }));
  return found;
}

export function addRequirement(
  context: RequestContext,
  { role, ...input }: Content & { readonly role: string },
): Promise<store.RequirementRow> {
  const call = callKey(context, 'addRequirement', { role, ...input });
  return context.database.transaction(async (queries) => {
    const before = await findReplay(queries, context, call);
    if (before !== null) return locked(queries, before);
    if ((await store.countRequirements(queries, role)) >= qualificationLimits.requirements)
      throw new RefusalError(
        refuse(
          'BAD_INPUT',
          `A role can have up to ${qualificationLimits.requirements} requirements. Withdraw one first`,
        ),
      );
    const content = contentOf(input);
    await assertRecentProof(queries, context);
    const id = await store.insertRequirement(queries, role, content, context.clock.now().toString());
    if (id === undefined) throw new RefusalError(refuse('NOT_FOUND', 'Role not found', { field: 'role' }));
    await recordResult(queries, context, call, id);
    const entry = { subjectType: 'requirement', subjectId: id, after: { role, ...content } };
    await recordOwnChange(queries, context, { action: 'requirementAdded', ...entry });
    return locked(queries, id);
  });
}

export function updateRequirement(
  context: RequestContext,
  { id, version, ...input }: Content & { readonly id: string; readonly version: number },
): Promise<store.RequirementRow> {
  return context.database.transaction(async (queries) => {
    const before = await locked(queries, id);
    if (before.version !== version) throw new RefusalError(refuse('CONFLICT'));
    const after = contentOf(input);
    await assertRecentProof(queries, context);
    await store.saveRequirement(queries, id, after);
    await recordAudit(queries, context, {
      ...{ action: 'requirementChanged', subjectType: 'requirement', subjectId: id },
      ...{
        before: { role: before.role, ...contentOf({ ...before, validMonths: before.validMonths ?? undefined }) },
        after,
      },
    });
    return locked(queries, id);
  });
}

/** Repeating a withdrawal or a restore changes nothing. */
export function withdrawRequirement(
  context: RequestContext,
  id: string,
  withdraws: boolean,
): Promise<store.RequirementRow> {
  return context.database.transaction(async (queries) => {
    const before = await locked(queries, id);
    if (before.withdrawn === withdraws) return before;
    await assertRecentProof(queries, context);
    await store.saveWithdrawal(queries, 'role_requirements', id, withdraws ? context.clock.now().toString() : null);
    const action = withdraws ? 'requirementWithdrawn' : 'requirementRestored';
    const { role, title } = before;
    await recordOwnChange(queries, context, {
      action,
      subjectType: 'requirement',
      subjectId: id,
      after: { role, title },
    });
    return locked(queries, id);
  });
}
