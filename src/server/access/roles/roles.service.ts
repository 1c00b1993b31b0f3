// Roles: listing, creating, changing and deleting them. The core decides what is allowed. Every change goes
// to the audit log, which is also a role's history, and applies from people's next request on.

import {
  deleteRoleRefusal,
  knownPermissions,
  newRoleRefusal,
  type Role,
  type RoleEdit,
  type RoleStep,
  receivedRoleRefusal,
} from '#core/access/role-changes.ts';
import { limits } from '#core/base/limits.ts';
import { refuse } from '#core/base/refusals.ts';
import { auditOf, recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { callKey, findReplay, recordResult } from '#server/platform/idempotency/idempotency.service.ts';
import { trackAccess } from '../access-changes.ts';
import { assertRecentProof } from '../auth/recent-proof.ts';
import { groupMapping, renameGroupRole } from '../single-sign-on/group-roles.service.ts';
import { holdersOf, lockHolders } from './holders.ts';
import { planWithDifference, type RoleDifference } from './role-difference.ts';
import * as store from './roles.store.ts';

export type ListedRole = Role & Pick<store.RoleRow, 'people' | 'disabledPeople'>;

/** Unknown permission keys give nothing: they aren't shown, and the next save removes them. */
const listedRole = ({ storedPermissions, ...row }: store.RoleRow): ListedRole => ({
  ...row,
  permissions: knownPermissions(storedPermissions),
});

async function readRoles(queries: Queries): Promise<ListedRole[]> {
  return (await store.readRoles(queries)).map(listedRole);
}

export function listRoles({ database }: RequestContext): Promise<ListedRole[]> {
  return readRoles(database.drizzle);
}

/** Everyone with the role, including disabled accounts; empty if the role doesn't exist. */
export async function roleHolders({ database }: RequestContext, id: string) {
  const role = (await store.readRoles(database.drizzle)).find((each) => each.id === id);
  return role ? holdersOf(database.drizzle, [role.name]) : [];
}

/** What the edits would do, from one snapshot. Changes nothing. */
export async function roleDifference(context: RequestContext, edits: readonly RoleEdit[]): Promise<RoleDifference> {
  return context.database.transaction(
    async (queries) => orThrow(await planWithDifference(context, queries, await readRoles(queries), edits)).difference,
    { snapshot: true },
  );
}

/** Browsers of people with these roles, and of role editors, reload everything. */
function publishRolesChange({ live }: RequestContext, queries: Queries, roles: readonly string[]): Promise<void> {
  return live.publish(queries, 'rightsChanged', { roles: [...new Set(roles)], personIds: [] });
}

const stateOf = ({ name, permissions }: Pick<Role, 'name' | 'permissions'>) => ({ name, permissions });

const oneRole = (roles: readonly ListedRole[], id: string): ListedRole => {
  const role = roles.find((each) => each.id === id);
  // Created by an earlier call with the same key, and deleted since.
  if (!role) throw new RefusalError(refuse('NOT_FOUND'));
  return role;
};

/** Creates a role that nobody has yet. */
export function createRole(context: RequestContext, input: Pick<Role, 'name' | 'permissions'>): Promise<ListedRole> {
  const call = callKey(context, 'createRole', input);
  return context.database.transaction(async (queries) => {
    const made = await findReplay(queries, context, call);
    if (made !== null) return oneRole(await readRoles(queries), made);
    await store.lockRoleEditing(queries);
    const names = (await store.readRoles(queries)).map(({ name }) => name);
    const refusal = newRoleRefusal(context.viewer, names, input, await groupMapping(queries, context.config));
    if (refusal) throw new RefusalError(refusal);
    await assertRecentProof(queries, context);
    const id = await store.insertRole(queries, input, context.clock.now().toString());
    await recordAudit(queries, context, {
      action: 'roleCreated',
      subjectType: 'role',
      subjectId: id,
      after: stateOf(input),
    });
    await recordResult(queries, context, call, id);
    await publishRolesChange(context, queries, []);
    return oneRole(await readRoles(queries), id);
  });
}

/** Saves all edits or none, and only if their effect is still what was reviewed. */
export function saveRoles(
  context: RequestContext,
  { edits, seen }: { readonly edits: readonly RoleEdit[]; readonly seen: string },
): Promise<ListedRole[]> {
  return context.database.transaction(async (queries) => {
    await store.lockRoleEditing(queries);
    const roles = await readRoles(queries);
    await lockWithHolders(
      queries,
      roles.filter(({ id }) => edits.some((edit) => edit.id === id)),
    );
    const { steps, difference } = orThrow(await planWithDifference(context, queries, roles, edits));
    if (difference.seen !== seen)
      throw new RefusalError(refuse('CONFLICT', 'The effect of this change is different now. Review it again'));
    if (steps.length > 0) await assertRecentProof(queries, context);
    const holders = await holdersOf(
      queries,
      steps.map(({ before }) => before.name),
    );
    const write = async () => {
      for (const step of steps) await writeStep(context, queries, step);
    };
    await trackAccess(
      context,
      queries,
      holders.map(({ id }) => id),
      write,
    );
    if (steps.length > 0)
      await publishRolesChange(
        context,
        queries,
        steps.flatMap(({ before, after }) => [before.name, after.name]),
      );
    return readRoles(queries);
  });
}

/**
 * What the plan reads of the roles' people stays true until the end. A change of a person locks them before
 * the role.
 */
async function lockWithHolders(queries: Queries, roles: readonly Role[]): Promise<void> {
  const names = roles.map(({ name }) => name);
  await lockHolders(queries, names);
  await store.lockRoles(
    queries,
    roles.map(({ id }) => id),
  );
  // Those who were given a role in between.
  await lockHolders(queries, names);
}

async function writeStep(context: RequestContext, queries: Queries, { before, after }: RoleStep): Promise<void> {
  await store.updateRole(queries, { ...after, was: before.name });
  if (after.name !== before.name) await renameGroupRole(queries, before.name, after.name);
  await recordAudit(queries, context, {
    action: 'roleChanged',
    subjectType: 'role',
    subjectId: before.id,
    before: stateOf(before),
    after: stateOf(after),
  });
}

export function deleteRole(
  context: RequestContext,
  looked: { readonly id: string; readonly version: number },
): Promise<string> {
  return context.database.transaction(async (queries) => {
    await store.lockRoleEditing(queries);
    await store.lockRoles(queries, [looked.id]);
    const role = (await readRoles(queries)).find(({ id }) => id === looked.id);
    const holders = role ? await holdersOf(queries, [role.name]) : [];
    const names = holders.map(({ displayName }) => displayName);
    const mapping = await groupMapping(queries, context.config);
    const refusal =
      deleteRoleRefusal(role, looked, names) ?? (role && receivedRoleRefusal(context.viewer, role, mapping));
    if (refusal || !role) throw new RefusalError(refusal ?? refuse('CONFLICT'));
    await assertRecentProof(queries, context);
    await store.deleteRole(queries, role.id);
    await renameGroupRole(queries, role.name, null);
    await recordAudit(queries, context, {
      action: 'roleDeleted',
      subjectType: 'role',
      subjectId: role.id,
      before: stateOf(role),
    });
    await publishRolesChange(context, queries, []);
    return role.id;
  });
}

type RoleState = Pick<Role, 'name' | 'permissions'>;
export type RoleEvent = {
  readonly id: string;
  readonly at: string;
  readonly actorName: string | null;
  /** Null when the role was created. */
  readonly before: RoleState | null;
  readonly after: RoleState;
};

const stateIn = (values: Record<string, unknown> | null): RoleState | null =>
  values && { name: String(values.name), permissions: knownPermissions(values.permissions as readonly string[]) };

/** A role's history, newest first. */
export async function roleHistory(
  { database }: RequestContext,
  { id, limit = limits.page, offset = 0 }: { readonly id: string; readonly limit?: number; readonly offset?: number },
): Promise<RoleEvent[]> {
  const rows = await auditOf(database.drizzle, { subjectType: 'role', subjectId: id, limit, offset });
  return rows.flatMap(({ before, after, ...row }) => {
    const state = stateIn(after);
    return state ? [{ ...row, before: stateIn(before), after: state }] : [];
  });
}
