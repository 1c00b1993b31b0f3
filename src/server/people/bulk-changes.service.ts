// Bulk changes of people: a preview of each, then each in its own transaction.

import { isRefusal, type RefusalCode } from '#core/base/refusals.ts';
import { type ChangeUsers, planAccountChange } from '#core/people/accounts.ts';
import { readAccountControls } from '#server/access/auth/account-control.ts';
import { requireRecentProof } from '#server/access/auth/recent-proof.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { failureOf } from '#server/platform/graphql/failures.ts';
import { changeAccount, factsFor, reachesAccount, withCurrentCaller } from './account-changes.ts';
import { type FieldChange, fieldChanges, namesOf } from './account-words.ts';
import { missingOfPeople } from './qualifications/assignment.service.ts';
import { changeOf } from './users.service.ts';
import * as store from './users.store.ts';

export type UserPreview = {
  readonly userId: string;
  /** Sent back with the change, so what happens is what was previewed. */
  readonly version: string;
  readonly changes: readonly FieldChange[];
  /** Why this person wouldn't change. */
  readonly refusal: string | null;
  /** The role's requirements that this person doesn't meet: the change needs a reason. */
  readonly lacking: readonly string[];
};

/** Previews the change for each person without writing. */
export async function previewUsers(context: RequestContext, { users, ...input }: ChangeUsers): Promise<UserPreview[]> {
  const { database, viewer } = context;
  const { reason: _reason, roleVersion: _version, ...fields } = input;
  const change = changeOf(fields);
  return database.transaction(
    async (queries) => {
      const accounts = await store.readAccounts(
        queries,
        users.map(({ userId }) => userId),
      );
      const ids = accounts.map(({ id }) => id);
      const facts = await factsFor(queries, context, 'all', change);
      const controls = reachesAccount(viewer, change) ? await readAccountControls(queries, context, ids) : null;
      const approverIds = accounts.flatMap((account) => account.approverIds);
      const names = await namesOf(queries, [...approverIds, ...(change.approverIds ?? [])]);
      const lacking =
        typeof change.role === 'string'
          ? await missingOfPeople(queries, context, { role: change.role, personIds: ids })
          : new Map<string, { title: string }[]>();
      return accounts.map(({ version, hasPassword: _has, ...before }) => {
        const control = controls?.get(before.id) ?? null;
        const plan = planAccountChange(viewer, before, change, { ...facts, control });
        const made = isRefusal(plan) || plan.kind === 'unchanged' ? null : plan;
        return {
          userId: before.id,
          version,
          changes: made ? fieldChanges(before, made, names) : [],
          refusal: isRefusal(plan) ? plan.message : null,
          lacking: made?.changed.includes('role') ? (lacking.get(before.id) ?? []).map(({ title }) => title) : [],
        };
      });
    },
    { snapshot: true },
  );
}

export type UserResult = {
  readonly userId: string;
  readonly outcome: 'changed' | 'unchanged' | 'refused';
  readonly code: RefusalCode | null;
  readonly message: string | null;
};

/** One person's failure doesn't affect the others. */
export async function changeUsers(context: RequestContext, { users, ...input }: ChangeUsers): Promise<UserResult[]> {
  const { reason, roleVersion, ...fields } = input;
  const change = changeOf(fields);
  await requireRecentProof(context);
  const results: UserResult[] = [];
  for (const { userId, version } of users) {
    const current = await withCurrentCaller(context);
    try {
      const { kind } = await context.database.transaction((queries) =>
        changeAccount(queries, current, userId, change, { version, reason, roleVersion }),
      );
      results.push({ userId, outcome: kind, code: null, message: null });
    } catch (error) {
      const { refusal, statusCode } = failureOf(error);
      if (statusCode >= 500) context.log.error({ err: error, userId, requestId: context.requestId }, 'a change failed');
      results.push({ userId, outcome: 'refused', code: refusal.code, message: refusal.message });
    }
  }
  return results;
}
