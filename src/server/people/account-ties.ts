// What depends on accounts, shown before they are disabled.
import { displayName, personLabels } from '#core/people/people.ts';
import type { RequestContext } from '#server/platform/context.ts';
import { accountTiesHook, type OpenWork } from './account-ties-hook.ts';
import { readApprovedBy } from './people.store.ts';

export type AccountTies = OpenWork & {
  /** The meetings that these people chair. */
  readonly meetings: readonly string[];
  /** The people that nobody else approves. */
  readonly onlyApprover: readonly string[];
  readonly approves: number;
};

/** Of these accounts together, as if all of them were disabled. */
export async function accountTies(
  context: Pick<RequestContext, 'database' | 'clock' | 'config'>,
  ids: readonly string[],
): Promise<AccountTies> {
  const { database, clock } = context;
  return database.transaction(
    async (queries) => {
      const approved = await readApprovedBy(queries, ids);
      const left = approved
        .filter(({ hasOther }) => !hasOther)
        .map((person) => ({ displayName: displayName(person), email: person.email }));
      const { chairedMeetings, openWork } = accountTiesHook.handlers();
      return {
        ...(await openWork(queries, ids, clock.now())),
        meetings: await chairedMeetings(context, queries, ids),
        approves: approved.length,
        onlyApprover: left.map(personLabels(left)),
      };
    },
    { snapshot: true },
  );
}
