// What depends on accounts, shown before they are disabled or can't decide anymore.
import { heldPermissions, type Viewer, type ViewerChange } from '#core/access/access.ts';
import { leavesTopFive, stopsDeciding } from '#core/access/holdings.ts';
import type { LeftWithoutApprover } from '#core/people/accounts.ts';
import { displayName, personLabels } from '#core/people/people.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { accountTiesHook, type OpenWork } from './account-ties-hook.ts';
import { readApprovedBy } from './people.store.ts';
import { readAccounts, readRoles } from './users.store.ts';

export type AccountTies = OpenWork & {
  /** The meetings that these people chair. */
  readonly meetings: readonly string[];
  /** The tools that these people own, of those that the viewer can see. */
  readonly tools: readonly string[];
  /** The people that nobody else approves. */
  readonly onlyApprover: readonly string[];
  readonly approves: number;
};

/** What depends on these accounts together, as if all of them were disabled. */
export async function accountTies(
  context: Pick<RequestContext, 'database' | 'clock' | 'config' | 'viewer'>,
  ids: readonly string[],
): Promise<AccountTies> {
  const { database, clock } = context;
  return database.transaction(
    async (queries) => {
      const approved = await readApprovedBy(queries, ids, ids);
      const { chairedMeetings, openWork, ownedTools } = accountTiesHook.handlers();
      return {
        ...(await openWork(queries, ids, clock.now())),
        meetings: await chairedMeetings(context, queries, ids),
        tools: await ownedTools(context, queries, ids),
        approves: approved.length,
        onlyApprover: leftOf(approved),
      };
    },
    { snapshot: true },
  );
}

function leftOf(approved: Awaited<ReturnType<typeof readApprovedBy>>): string[] {
  const left = approved
    .filter(({ isLeft }) => isLeft)
    .map((person) => ({ displayName: displayName(person), email: person.email }));
  return left.map(personLabels(left));
}

/** The people that nobody could decide for if these accounts changed so. */
export async function leftWithout(queries: Queries, changes: readonly ViewerChange[]): Promise<string[]> {
  const idsOf = (those: (before: Viewer, after: Viewer) => boolean) =>
    changes.filter(({ before, after }) => those(before, after)).map(({ before }) => before.id);
  return leftOf(await readApprovedBy(queries, idsOf(stopsDeciding), idsOf(leavesTopFive)));
}

/** The people that nobody could decide for if all of these accounts had this role or these direct permissions. */
export async function leftWithoutApprover(
  { database }: Pick<RequestContext, 'database'>,
  { userIds, role, permissions }: LeftWithoutApprover,
): Promise<string[]> {
  return database.transaction(
    async (queries) => {
      const roles = await readRoles(queries, 'all');
      const viewerOf = (id: string, held: string | null, grants: readonly string[]): Viewer => ({
        ...{ id, role: held, approverIds: [] },
        permissions: heldPermissions(held, [...(roles.get(held ?? '') ?? []), ...grants]),
      });
      const enabled = (await readAccounts(queries, userIds)).filter(({ disabled }) => !disabled);
      const changes = enabled.map(({ id, ...before }) => ({
        before: viewerOf(id, before.role, before.grants),
        after: viewerOf(id, role === undefined ? before.role : role, permissions ?? before.grants),
      }));
      return leftWithout(queries, changes);
    },
    { snapshot: true },
  );
}
