// People for the API and for the services of other areas.
import { adminRole, heldPermissions, isAdmin } from '#core/access/access.ts';
import { type Permission, topFivePermission } from '#core/access/permissions.ts';
import { displayName } from '#core/people/people.ts';
import type { TaskOwner } from '#core/tasks/task.ts';
import { isDecider } from '#core/tasks/task.ts';
import { hashPassword } from '#server/access/auth/passwords.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import {
  insertFirstPerson,
  type PersonRow,
  readApprovedBy,
  readApprovers,
  readHasPeople,
  readHasRole,
  readIsActive,
  readPeople,
  readPerson,
} from './people.store.ts';

export type Person = { readonly id: string; readonly displayName: string; readonly team: string | null };

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

/** Users without and with the top-5 permission (spec 3), from one statement. */
export async function userLists({
  database,
}: RequestContext): Promise<{ loggedUsers: User[]; permittedUsers: User[] }> {
  const users = (await readPeople(database.drizzle)).map(userOf);
  const hasTopFive = (user: User) => user.permissions.includes(topFivePermission);
  return { loggedUsers: users.filter((user) => !hasTopFive(user)), permittedUsers: users.filter(hasTopFive) };
}

export function approverMap({ database }: RequestContext): Promise<{ approverId: string; userIds: string[] }[]> {
  return readApprovers(database.drizzle);
}

/** The people whose tasks the caller can decide: those they approve; for an admin everyone with tasks. */
export async function peopleIDecide({ database, viewer }: RequestContext): Promise<Person[]> {
  const rows = isAdmin(viewer) ? await readPeople(database.drizzle) : await readApprovedBy(database.drizzle, viewer.id);
  return rows
    .filter(
      (row) => isDecider(viewer, row) && heldPermissions(row.role, row.storedPermissions).includes(topFivePermission),
    )
    .map(personOf);
}

/** A task's owner as the rules need it. `keepsTasks`: has the top-5 permission. */
export type Owner = TaskOwner & {
  readonly displayName: string;
  readonly team: string | null;
  readonly keepsTasks: boolean;
};

/** The person with this id, read in the caller's transaction, or null. */
export async function ownerOf(queries: Queries, id: string): Promise<Owner | null> {
  const row = await readPerson(queries, id);
  if (!row) return null;
  return {
    ...personOf(row),
    approverIds: row.approverIds,
    keepsTasks: heldPermissions(row.role, row.storedPermissions).includes(topFivePermission),
  };
}

export function hasPeople(queries: Queries): Promise<boolean> {
  return readHasPeople(queries);
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
    await insertFirstPerson(queries, { email, passwordHash, role: adminRole, at: now.toString() });
    return readHasRole(queries, email, adminRole);
  });
}
