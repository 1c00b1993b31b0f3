// A change of an account in words, field by field: for the previews of bulk changes and imports.
import { scopeKeys, scopes } from '#core/access/brands.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import type { AccountField, AccountFields, AccountPlan } from '#core/people/accounts.ts';
import { displayName } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';
import * as store from './users.store.ts';

export type FieldChange = { readonly field: string; readonly before: string; readonly after: string };

/** People's names by id, for the words of `approverIds`. */
export async function namesOf(queries: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await store.readCandidates(queries, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, displayName(row)]));
}

export function fieldChanges(
  before: AccountFields,
  { after, changed }: Pick<AccountPlan, 'after' | 'changed'>,
  names: ReadonlyMap<string, string>,
): FieldChange[] {
  return changed.map((field) => ({
    field: fieldTitles[field],
    before: wordsOf(before, field, names),
    after: wordsOf(after, field, names),
  }));
}

const fieldTitles: Readonly<Record<AccountField, string>> = {
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  role: 'Role',
  team: 'Team',
  approverIds: 'Approvers',
  topFiveInvisible: 'Invisible in stats',
  grants: 'S.T.A.R.T',
  disabled: 'Account',
};

function wordsOf(fields: AccountFields, field: AccountField, names: ReadonlyMap<string, string>): string {
  if (field === 'approverIds') return fields.approverIds.map((id) => names.get(id) ?? id).join(', ') || 'nobody';
  if (field === 'grants') return fields.grants.includes(topFivePermission) ? 'on' : 'off';
  if (field === 'disabled') return fields.disabled ? 'disabled' : 'enabled';
  if (field === 'team') return teamTitle(fields.team);
  const value = fields[field];
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null || value === '' ? 'none' : String(value);
}

function teamTitle(team: string | null): string {
  const scope = scopeKeys.find((key) => key === team);
  return scope ? scopes[scope].title : team || 'none';
}
