// What depends on an account, shown before it is disabled.
import { displayName } from '#core/people/people.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { accountTiesHook, type OpenWork } from './account-ties-hook.ts';
import { readApprovedBy } from './people.store.ts';
import { readCandidates } from './users.store.ts';

export type AccountTies = OpenWork & {
  /** The meetings that this person chairs. */
  readonly meetings: readonly string[];
  /** The people whose only approver is this person. */
  readonly onlyApprover: readonly string[];
  readonly approves: number;
};

export async function accountTies(
  context: Pick<RequestContext, 'database' | 'clock' | 'config'>,
  id: string,
): Promise<AccountTies> {
  const { database, clock } = context;
  return database.transaction(
    async (queries) => {
      const approved = await readApprovedBy(queries, { id });
      const others = await readCandidates(queries, [...new Set(approved.flatMap(({ approverIds }) => approverIds))]);
      const active = new Set(others.filter(({ disabled }) => !disabled).map((other) => other.id));
      active.delete(id);
      const { chairedMeetings, openWork } = accountTiesHook.handlers();
      const meetings = await chairedMeetings(context, queries, id);
      return {
        ...(await openWork(queries, id, clock.now())),
        meetings,
        approves: approved.length,
        onlyApprover: approved
          .filter(({ approverIds }) => !approverIds.some((approver) => active.has(approver)))
          .map(displayName),
      };
    },
    { snapshot: true },
  );
}
