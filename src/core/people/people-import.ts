// Decides what a row of a file of people means: its columns and cells. Used by the preview, the import and the
// export.

import { adminRole, heldPermissions } from '../access/access.ts';
import { isScope, scopeKeys, scopes } from '../access/brands.ts';
import { callAccess, callRefusal } from '../access/call-access.ts';
import { entryWarning } from '../access/holdings.ts';
import { topFiveSource } from '../access/permission-sources.ts';
import { topFivePermission } from '../access/permissions.ts';
import { readCsvText } from '../base/csv.ts';
import { readInput } from '../base/inputs.ts';
import { oneLine } from '../base/one-line.ts';
import { isRefusal, type Refusal, refuse } from '../base/refusals.ts';
import { type AccountChange, type AccountFields, createUserInput } from './accounts.ts';
import type { ApproverCandidate } from './approvers.ts';
import { displayName } from './people.ts';

export const peopleColumns = {
  email: ['email', 'emailaddress', 'mail'],
  firstName: ['firstname', 'givenname'],
  lastName: ['lastname', 'surname', 'familyname'],
  role: ['role'],
  team: ['team'],
  approvers: ['approvers', 'approver', 'approvedby'],
  top5: ['top5', 'topfive', 'usestop5'],
  reason: ['reason', 'reasonforrole', 'reasonfortherole'],
} as const satisfies Record<string, readonly string[]>;
export type PeopleColumn = keyof typeof peopleColumns;

/** The columns' names, also used in the template. */
export const peopleHeader = [
  'email',
  'first name',
  'last name',
  'role',
  'team',
  'approvers',
  'S.T.A.R.T',
  'reason',
] as const;

/** A column “Start” has days, so only the dots make it S.T.A.R.T. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace('s.t.a.r.t', 'top5')
    .replace(/[^a-z0-9]/g, '');

export type PeopleHeader = {
  readonly columns: ReadonlyMap<PeopleColumn, string>;
  /** The file's unknown columns. */
  readonly unused: readonly string[];
};

/** Matches the file's columns, ignoring case and blanks. */
export function readPeopleHeader(names: readonly string[]): PeopleHeader | Refusal {
  const columns = new Map<PeopleColumn, string>();
  const unused: string[] = [];
  for (const name of names) {
    const keys = Object.keys(peopleColumns) as PeopleColumn[];
    const key = keys.find((column) => (peopleColumns[column] as readonly string[]).includes(plain(name)));
    if (key === undefined || columns.has(key)) unused.push(name);
    else columns.set(key, name);
  }
  if (columns.has('email')) return { columns, unused };
  return refuse(
    'BAD_INPUT',
    `The file has no column “${peopleHeader[0]}”. Expected columns: ${peopleHeader.join(', ')}`,
  );
}

export type PeopleRow = {
  readonly email: string;
  readonly change: AccountChange;
  /** Email addresses; undefined leaves the approvers unchanged. */
  readonly approvers: readonly string[] | undefined;
  /** Why the person gets the role without its requirements. */
  readonly reason: string | undefined;
};

const yes = new Set(['yes', 'y', 'true', '1', 'on', 'x']);
const no = new Set(['no', 'n', 'false', '0', 'off']);

/** The change a row asks for. An empty cell leaves its value unchanged. */
export function readPeopleRow(
  { columns }: PeopleHeader,
  row: Readonly<Record<string, unknown>>,
  roleNames: readonly string[],
): PeopleRow | Refusal {
  const cell = (column: PeopleColumn): string | undefined => {
    const name = columns.get(column);
    const text = name === undefined ? '' : readCsvText(String(row[name] ?? '').trim());
    // The start tells, and a cell can be as long as the file.
    return oneLine(text.slice(0, 1_000)) === '' ? undefined : text;
  };
  const top5 = cell('top5')?.toLowerCase();
  if (top5 !== undefined && !yes.has(top5) && !no.has(top5))
    return refuse('BAD_INPUT', `${columns.get('top5')?.trim()} is “${cell('top5')}”. Use yes or no`, { field: 'top5' });
  const input = readInput(createUserInput, {
    email: cell('email') ?? '',
    firstName: cell('firstName'),
    lastName: cell('lastName'),
    role: as(cell('role'), roleNames),
    team: teamOf(cell('team')),
    top5: top5 === undefined ? undefined : yes.has(top5),
    reason: cell('reason'),
  });
  if (isRefusal(input)) return inWordsOfTheFile(input);
  const { email, top5: topFive, ...fields } = input;
  const { approverId: _a, top5Invisible: _i, reason, ...texts } = fields;
  const approvers = cell('approvers')
    ?.split(/[;,\s]+/)
    .filter(Boolean);
  return { email, change: { ...texts, topFive }, approvers, reason };
}

const cellNames = new Map([
  ['email', 'The email address'],
  ['firstName', 'The first name'],
  ['lastName', 'The last name'],
  ['reason', 'The reason'],
]);

/** The refusal in words about the file: its columns, and where a missing reason goes. */
export function inWordsOfTheFile(refusal: Refusal): Refusal {
  const { code, field = '', message } = refusal;
  if (code === 'REASON_NEEDED') return { ...refusal, message: `${message}. Its column is “reason”` };
  const name = message.startsWith(`${field} `) ? cellNames.get(field) : undefined;
  return name === undefined ? refusal : { ...refusal, message: name + message.slice(field.length) };
}

/** Whether this new person doesn't use S.T.A.R.T although the row doesn't say no. `roles`: their permissions. */
export function lacksTopFiveUnasked(
  { change }: PeopleRow,
  { role, grants }: Pick<AccountFields, 'role' | 'grants'>,
  roles: ReadonlyMap<string, readonly string[]>,
): boolean {
  const ofRole = roles.get(role ?? '')?.includes(topFivePermission) ?? false;
  const granted = grants.includes(topFivePermission);
  return change.topFive === undefined && topFiveSource(role, { ofRole, granted }) === null;
}

/** A row that is saved, or would be. */
export type ImportedPerson = {
  readonly id: string;
  readonly isNew: boolean;
  readonly fields: AccountFields;
  /** The row gave other approvers. */
  readonly setsApprovers: boolean;
};

export type ImportWarning = {
  /** `byDefault`: without an approver, so the default one decides. `disabled`: the account is, and stays so. */
  readonly kind: 'cannotApprove' | 'noAccess' | 'withoutApprover' | 'byDefault' | 'disabled';
  readonly people: number;
  /** The first of these people; of `cannotApprove`, their approvers. */
  readonly names: readonly string[];
};

const mostNames = 10;

/**
 * What the forms for one person warn of, for all rows together. `roles`: permissions by role; `approvers`:
 * those who aren't in the file.
 */
export function importWarnings(
  rows: readonly ImportedPerson[],
  roles: ReadonlyMap<string, readonly string[]>,
  approvers: ReadonlyMap<string, ApproverCandidate>,
  hasDefaultApprover: boolean,
): ImportWarning[] {
  const heldBy = ({ role, grants }: AccountFields) =>
    heldPermissions(role, [...(roles.get(role ?? '') ?? []), ...grants]);
  const inFile = new Map(rows.map((row) => [row.id, row.fields]));
  const nameOf = (id: string) => displayName(inFile.get(id) ?? { email: id, firstName: '', lastName: '' });
  const decides = (id: string): boolean => {
    const fields = inFile.get(id);
    const candidate = approvers.get(id);
    const viewer = fields ? { id, role: fields.role, permissions: heldBy(fields), approverIds: [] } : candidate;
    return viewer === undefined || callRefusal(viewer, callAccess.decisions) === null;
  };
  const blocked = (row: ImportedPerson) => row.fields.approverIds.filter((id) => !decides(id));
  const withBlocked = rows.filter((row) => row.setsApprovers && blocked(row).length > 0);
  const added = rows.filter(({ isNew }) => isNew);
  const unapproved = added.filter(
    ({ fields }) =>
      fields.role !== adminRole && !fields.approverIds.length && heldBy(fields).includes(topFivePermission),
  );
  const ofPeople = (kind: ImportWarning['kind'], people: readonly ImportedPerson[]): ImportWarning => ({
    ...{ kind, people: people.length },
    names: people.slice(0, mostNames).map(({ id }) => nameOf(id)),
  });
  const names = [...new Set(withBlocked.flatMap(blocked))].map((id) => approvers.get(id)?.displayName ?? nameOf(id));
  return [
    { kind: 'cannotApprove' as const, people: withBlocked.length, names: names.slice(0, mostNames) },
    ofPeople(
      'noAccess',
      added.filter(({ fields }) => entryWarning(fields.role, heldBy(fields)) !== null),
    ),
    ofPeople(hasDefaultApprover ? 'byDefault' : 'withoutApprover', unapproved),
    ofPeople(
      'disabled',
      rows.filter(({ fields }) => fields.disabled),
    ),
  ].filter(({ people }) => people > 0);
}

/** The row's address, valid or not. */
export function emailInRow({ columns }: PeopleHeader, row: Readonly<Record<string, unknown>>): string {
  const name = columns.get('email');
  return name === undefined ? '' : readCsvText(String(row[name] ?? '').trim());
}

export type PersonToExport = Pick<AccountFields, 'email' | 'firstName' | 'lastName' | 'role' | 'team'> & {
  /** Their email addresses. */
  readonly approvers: readonly string[];
  readonly usesTopFive: boolean;
};

/** The person as a row below `peopleHeader`. Importing it changes nothing. */
export function peopleCells(person: PersonToExport): readonly (string | null)[] {
  const { email, firstName, lastName, role, team, approvers, usesTopFive } = person;
  const title = team !== null && isScope(team) ? scopes[team].title : team;
  return [email, firstName, lastName, role, title, approvers.join('; '), usesTopFive ? 'yes' : 'no', null];
}

/** The name in its canonical spelling, whatever its case in the file. */
function as(text: string | undefined, names: readonly string[]): string | undefined {
  return names.find((name) => name.toLowerCase() === text?.toLowerCase()) ?? text;
}

function teamOf(text: string | undefined): string | undefined {
  const wanted = text?.toLowerCase();
  return scopeKeys.find((key) => key === wanted || scopes[key].title.toLowerCase() === wanted) ?? text;
}
