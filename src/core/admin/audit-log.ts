// Decides the audit log's filters, action texts and differences. Used by the server's query and export, and
// by the page.
import * as z from 'zod/mini';
import { isPermission, type Permission, permissions } from '../access/permissions.ts';
import { capital } from '../base/formats.ts';
import { day, id, pageAfterInput, storable } from '../base/inputs.ts';
import { limits } from '../base/limits.ts';
import { isSetting, settings } from './settings.ts';

/** The address of changes by a command, an import of tasks, or the server itself. */
export const ownAddress = { command: 'command', import: 'command line', server: 'server' } as const;
/** The request of changes at the server's start. */
export const startRequest = 'start';

/** Who made a change that has no person. */
export function actorWithoutPerson({
  address,
  requestId,
}: {
  address: string | null;
  requestId: string | null;
}): string {
  if (address === ownAddress.command || address === ownAddress.import) return 'Command';
  return address === ownAddress.server || requestId === startRequest ? 'Server' : 'Not signed in';
}

const word = z.string().check(z.maxLength(100, 'is longer than 100 characters'), storable);

export const auditFilterInput = z.strictObject({
  actorId: z.optional(id),
  action: z.optional(word),
  subjectType: z.optional(word),
  subjectId: z.optional(word),
  /** Inclusive days in company time. */
  from: z.optional(day),
  until: z.optional(day),
  search: z.optional(
    z.string().check(z.trim(), z.maxLength(limits.search, `is longer than ${limits.search} characters`), storable),
  ),
});
export type AuditFilter = z.output<typeof auditFilterInput>;

export const auditPageInput = z.strictObject({
  ...auditFilterInput.shape,
  ...pageAfterInput.shape,
});
export const auditPageRows = 50;
/** No index finds a text in the log: a page of a search reads this many entries, in two to four seconds. */
export const auditSearchedEntries = 300_000;

/** Where the name isn't what pages call it. */
const knownWords: Readonly<Record<string, string>> = {
  topFiveGiven: 'Started using S.T.A.R.T',
  topFiveTaken: 'Stopped using S.T.A.R.T',
  roleAsked: 'Requested a role',
  roleWithdrawn: 'Withdrew a request for a role',
  roleOfGroups: 'Role given by groups',
  groupRoleBound: 'Group linked to a role',
  identityConfirmed: 'Identity confirmed',
  confirmFailed: 'Failed to confirm their identity',
  signInAcknowledged: 'Confirmed a sign-in as theirs',
  noticesChosen: 'Notification settings changed',
  quietHoursChosen: 'Quiet hours changed',
  numbersCountedAnew: 'Numbers recounted',
  referenceErased: 'Customer or donor erased',
  grants: 'Direct permissions',
  lacking: 'Missing requirements',
  filesPlaceChanged: 'Location of files changed',
  auditRetired: 'Old audit entries removed',
  absenceSaved: 'Time away saved',
  absenceEnded: 'Time away ended',
};

/** The title of what a change is about, if it has one. */
export function auditSubject({
  subjectType,
  subjectId,
  subjectName,
}: {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly subjectName: string | null;
}): string | null {
  return subjectType === 'setting' && isSetting(subjectId) ? settings[subjectId].title : subjectName;
}

/** `taskNoteAdded` as "Task note added"; actions and fields are named to be readable. */
export function auditWords(name: string): string {
  const known = knownWords[name] ?? peopleFields[name];
  if (known) return known;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return capital(words);
}

/** The fields that hold people's ids, and what pages call them. */
const peopleFields: Readonly<Record<string, string>> = {
  approverId: 'Approver',
  approverIds: 'Approvers',
  attendeeIds: 'Attendees',
  chairId: 'Chair',
  delegateId: 'Delegate',
  forId: 'In place of',
  ownerId: 'Owner',
  personId: 'Person',
  personIds: 'People',
};

/** For the search of the log: the values of these fields, and of these settings, are people's ids. */
export const auditPeopleFields: readonly string[] = Object.keys(peopleFields);
export const auditPeopleSettings: readonly string[] = Object.keys(settings).filter(
  (key) => isSetting(key) && settings[key].kind === 'person',
);

type Values = Readonly<Record<string, unknown>> | null;
type Change = {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly before: Values;
  readonly after: Values;
};

function isPeopleField({ subjectType, subjectId }: Change, field: string): boolean {
  if (subjectType !== 'setting' || field !== 'value') return Object.hasOwn(peopleFields, field);
  return isSetting(subjectId) && settings[subjectId].kind === 'person';
}

/** The ids of the people in an entry's values. */
export function auditPeople(change: Change): string[] {
  return [change.before, change.after]
    .flatMap((values) => Object.entries(values ?? {}))
    .flatMap(([field, value]) => (isPeopleField(change, field) ? [value].flat() : []))
    .filter((value) => isId(value))
    .map(String);
}

const isId = (value: unknown): boolean => /^[1-9]\d{0,17}$/.test(String(value));

export type AuditDifference = { readonly field: string; readonly before: string | null; readonly after: string | null };

/**
 * The fields that differ, in the order they were written; null where there was nothing. `people`: names by
 * id, for `auditPeople`. Their ids stay beside them, because names repeat.
 */
export function auditDifferences(change: Change, people: ReadonlyMap<string, string> = new Map()): AuditDifference[] {
  const named = (id: unknown) => (people.has(String(id)) ? `${people.get(String(id))} (${id})` : id);
  const shown = (field: string, value: unknown) =>
    wordsOf(isPeopleField(change, field) && value !== null ? [value].flat().map(named) : value);
  const fields = [...new Set([...Object.keys(change.before ?? {}), ...Object.keys(change.after ?? {})])];
  return fields
    .map((field) => ({ field, before: ownValue(change.before, field), after: ownValue(change.after, field) }))
    .map(
      ({ field, before, after }) =>
        permissionDifference(field, before ?? [], after ?? []) ?? {
          ...{ field, before: shown(field, before), after: shown(field, after) },
        },
    )
    .filter(({ before, after }) => before !== after);
}

const ownValue = (values: Values, field: string): unknown =>
  values !== null && Object.hasOwn(values, field) ? values[field] : null;

const isPermissionList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && isPermission(one));

/** Permissions by their titles, without those that stay; null if it is another field. */
function permissionDifference(field: string, before: unknown, after: unknown): AuditDifference | null {
  if (!isPermissionList(before) || !isPermissionList(after)) return null;
  const signed = (sign: string, list: string[], others: string[]): string | null =>
    list
      .filter((one) => !others.includes(one))
      .map((one) => `${sign} ${permissions[one as Permission].title}`)
      .join(', ') || null;
  return { field, before: signed('−', before, after), after: signed('+', after, before) };
}

function wordsOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(wordsOf).join(', ') || null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value) || null;
}
