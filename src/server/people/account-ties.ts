// What hangs on an account, shown before it is disabled.
import { displayName } from '#core/people/people.ts';
import type { RequestContext } from '../context.ts';
import { meetingsOf } from '../schedule/meetings.service.ts';
import { type OpenWork, openWorkOf } from '../tasks/open-work.ts';
import { readApprovedBy } from './people.store.ts';
import { readCandidates } from './users.store.ts';

export type AccountTies = OpenWork & {
  /** The meetings that this person chairs. */
  readonly meetings: readonly string[];
  /** Those whose tasks this person approves and nobody else does. */
  readonly onlyApprover: readonly string[];
  readonly approves: number;
};

export async function accountTies(
  { database, clock }: Pick<RequestContext, 'database' | 'clock'>,
  id: string,
): Promise<AccountTies> {
  return database.transaction(
    async (queries) => {
      const approved = await readApprovedBy(queries, id);
      const others = await readCandidates(queries, [...new Set(approved.flatMap(({ approverIds }) => approverIds))]);
      const active = new Set(others.filter(({ disabled }) => !disabled).map((other) => other.id));
      active.delete(id);
      const meetings = await meetingsOf(queries, { personId: id });
      return {
        ...(await openWorkOf(queries, id, clock.now())),
        meetings: meetings.filter(({ chairId }) => chairId === id).map(({ title }) => title),
        approves: approved.length,
        onlyApprover: approved
          .filter(({ approverIds }) => !approverIds.some((approver) => active.has(approver)))
          .map(displayName),
      };
    },
    { snapshot: true },
  );
}
