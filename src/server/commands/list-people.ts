// `staff-dashboard admin list-people`: the accounts and their ways to sign in.
import { type ListedAccount, listAccounts } from '#server/people/account-commands.service.ts';
import type { Command, Given } from './command.ts';
import type { Act } from './command-act.ts';

const headings = ['ID', 'EMAIL', 'ROLE', 'LAST SIGN-IN', 'STATE', 'SIGN-IN METHODS'] as const;

const rowOf = ({ id, email, role, lastSignIn, disabled, waysIn }: ListedAccount): string[] => [
  id,
  email,
  role ?? '-',
  lastSignIn ?? '-',
  disabled ? 'disabled' : 'active',
  waysIn.join(', ') || 'none',
];

function table(rows: readonly (readonly string[])[]): string {
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export const listPeopleCommand: Omit<Command, 'run'> & { readonly prepare: (given: Given) => Act } = {
  does: 'List all accounts with ID, role, last sign-in, state and sign-in methods',
  options: { json: { does: 'Print JSON lines' } },
  prepare:
    ({ isSet }) =>
    async ({ database, clock }) => {
      const accounts = await listAccounts({ database, clock });
      if (isSet('json')) return accounts.map((account) => JSON.stringify(account)).join('\n');
      return table([headings, ...accounts.map(rowOf)]);
    },
};
