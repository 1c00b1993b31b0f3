// People for the API and for the services of other areas.

import { adminRole, heldPermissions } from '#core/access/access.ts';
import { type Permission, topFivePermission } from '#core/access/permissions.ts';
import { startRequest } from '#core/admin/audit-log.ts';
import { userLimits } from '#core/people/accounts.ts';
import { displayName, withNamesakeEmails } from '#core/people/people.ts';
import { type DecidedPeople, tooManyPeople, type UsersPage } from '#core/people/people-lists.ts';
import type { UserList } from '#core/people/people-search.ts';
import type { TaskOwner } from '#core/tasks/task.ts';
import { isDecider } from '#core/tasks/task.ts';
import { hashPassword } from '#server/access/auth/passwords.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { pageOf } from '#server/platform/db/pages.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import {
  insertFirstPerson,
  type PersonRow,
  readApprovers,
  readDecidedPeople,
  readHasPeople,
  readHasRole,
  readIsActive,
  readPeople,
  readPerson,
  readWithTopFive,
} from './people.store.ts';

export type Person = {
  readonly id: string;
  readonly displayName: string;
  readonly team: string | null;
  /** Only known of those one decides for. */
  readonly disabled?: boolean;
  /** The same. Whether they have the top-5 permission. */
  readonly keepsTasks?: boolean;
  /** Only of people with the same name in lists to choose from, and of the person of a bonus. */
  readonly email?: string | null;
};

export type User = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string | null;
  readonly team: string | null;
  readonly permissions: readonly Permission[];
  readonly approverIds: readonly string[];
  readonly topFiveInvisible: boolean;
};

function userOf({ storedPermissions, ...row }: PersonRow): User {
  return { ...row, permissions: heldPermissions(row.role, storedPermissions) };
}

function personOf(row: PersonRow): Person {
  return { id: row.id, displayName: displayName(row), team: row.team };
}

/** Whether a person can get tasks. */
function taskStateOf({ disabled, role, storedPermissions }: PersonRow) {
  return { disabled, keepsTasks: heldPermissions(role, storedPermissions).includes(topFivePermission) };
}

/** A page of people. Without a limit it is everyone, or refused. */
async function usersPage({ database }: RequestContext, { limit, after }: UsersPage, list?: UserList) {
  const most = limit ?? userLimits.everyone;
  const rows = await readPeople(database.drizzle, { after, limit: most + 1, ...(list ? { list } : {}) });
  if (limit === undefined && rows.length > most) throw new RefusalError(tooManyPeople);
  const { rows: page, next } = pageOf(rows, most);
  return { users: page.map(userOf), next };
}

export type UserLists = {
  readonly loggedUsers: readonly User[];
  readonly permittedUsers: readonly User[];
  readonly next: string | null;
};

/** Users without and with the top-5 permission (spec 3), from one statement. */
export async function userLists(context: RequestContext, asked: UsersPage): Promise<UserLists> {
  const { users, next } = await usersPage(context, asked);
  const hasTopFive = (user: User) => user.permissions.includes(topFivePermission);
  const [loggedUsers, permittedUsers] = [users.filter((user) => !hasTopFive(user)), users.filter(hasTopFive)];
  return { loggedUsers, permittedUsers, next };
}

/** One of the two lists. */
export async function userList(context: RequestContext, list: UserList, asked: UsersPage): Promise<User[]> {
  return (await usersPage(context, asked, list)).users;
}

export function approverMap({ database }: RequestContext): Promise<{ approverId: string; userIds: string[] }[]> {
  return readApprovers(database.drizzle);
}

/**
 * The people whose tasks the caller can decide: those they approve; for an admin everyone.
 * Without a limit it is everyone, or refused; a search answers as many as a field offers.
 */
export async function peopleIDecide(
  { database, viewer }: RequestContext,
  { limit, ...choice }: DecidedPeople,
): Promise<Person[]> {
  const most = limit ?? (choice.find === undefined ? userLimits.everyone : userLimits.choice);
  const rows = await readDecidedPeople(database.drizzle, viewer, { ...choice, limit: most + 1 });
  if (limit === undefined && choice.find === undefined && rows.length > most) throw new RefusalError(tooManyPeople);
  const people = rows
    .filter((row) => isDecider(viewer, row))
    .map((row) => ({ ...personOf(row), ...taskStateOf(row), email: row.email }));
  // Namesakes follow each other: the next person tells whether the last one needs an address.
  return withNamesakeEmails(people).slice(0, most);
}

/** A task's owner as the rules need it. `keepsTasks`: has the top-5 permission. */
export type Owner = TaskOwner & {
  readonly displayName: string;
  readonly email: string;
  readonly team: string | null;
  readonly keepsTasks: boolean;
  readonly disabled: boolean;
};

/** The person with this id, read in the caller's transaction, or null. */
export async function ownerOf(queries: Queries, id: string): Promise<Owner | null> {
  const row = await readPerson(queries, id);
  if (!row) return null;
  return {
    ...personOf(row),
    ...taskStateOf(row),
    email: row.email,
    approverIds: row.approverIds,
  };
}

export function hasPeople(queries: Queries): Promise<boolean> {
  return readHasPeople(queries);
}

/** The people among these who have an account in use and S.T.A.R.T. */
export function peopleWithTopFive(queries: Queries, ids: readonly string[]): Promise<string[]> {
  return readWithTopFive(queries, ids);
}

/** Whether this person exists and isn't disabled. */
export function isActivePerson(queries: Queries, id: string): Promise<boolean> {
  return readIsActive(queries, id);
}

/** Creates the first admin of an empty database. Returns whether this person is an admin now. */
export async function ensureFirstAdmin(
  database: Database,
  { email, password }: { email: string; password: string },
  now: Temporal.Instant,
): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return database.transaction(async (queries) => {
    const id = await insertFirstPerson(queries, { email, passwordHash, role: adminRole, at: now.toString() });
    const actor = { viewer: null, clock: { now: () => now }, requestId: startRequest, address: 'start' };
    const entry = { action: 'personCreated', subjectType: 'person', after: { email, role: adminRole } };
    if (id !== undefined) await recordAudit(queries, actor, { ...entry, subjectId: id });
    return readHasRole(queries, email, adminRole);
  });
}
