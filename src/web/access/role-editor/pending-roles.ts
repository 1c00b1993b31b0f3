// Unsaved changes on the page, by role id. Only the wanted values are kept, so they apply to the role's
// current state; a change the role already has disappears.

import type { Viewer } from '#core/access/access.ts';
import { type Permission, permissionKeys } from '#core/access/permissions.ts';
import { canGive, type Role, type RoleEdit, type RoleStep } from '#core/access/role-changes.ts';

type PendingRole = {
  readonly name?: string;
  readonly permissions?: Partial<Readonly<Record<Permission, boolean>>>;
};
export type Pending = Readonly<Record<string, PendingRole>>;

export function wantedName({ id, name }: Role, pending: Pending): string {
  return pending[id]?.name ?? name;
}

export function isWanted({ id, permissions }: Role, permission: Permission, pending: Pending): boolean {
  return pending[id]?.permissions?.[permission] ?? permissions.includes(permission);
}

export function withPermission(pending: Pending, { id }: Role, permission: Permission, wanted: boolean): Pending {
  const role = pending[id];
  return { ...pending, [id]: { ...role, permissions: { ...role?.permissions, [permission]: wanted } } };
}

export function withName(pending: Pending, { id }: Role, name: string): Pending {
  return { ...pending, [id]: { ...pending[id], name } };
}

/** Restores an earlier state: name and every permission. */
export function withState(pending: Pending, role: Role, state: Pick<Role, 'name' | 'permissions'>): Pending {
  const permissions = Object.fromEntries(permissionKeys.map((key) => [key, state.permissions.includes(key)]));
  return { ...pending, [role.id]: { name: state.name, permissions } };
}

/** A permission of a role, or its name. */
function changesOfRole(role: Role, pending: Pending): number {
  const cells = permissionKeys.filter((key) => isWanted(role, key, pending) !== role.permissions.includes(key));
  return cells.length + (wantedName(role, pending) === role.name ? 0 : 1);
}

export function changedRoles<R extends Role>(roles: readonly R[], pending: Pending): R[] {
  return roles.filter((role) => changesOfRole(role, pending) > 0);
}

export function countChanges(roles: readonly Role[], pending: Pending): number {
  return roles.reduce((sum, role) => sum + changesOfRole(role, pending), 0);
}

/** Takes these changes back, and nothing that came since. */
export function inverseOf(roles: readonly Role[], pending: Pending): Pending {
  const inverse = (role: Role): PendingRole => {
    const changed = permissionKeys.filter((key) => isWanted(role, key, pending) !== role.permissions.includes(key));
    return {
      ...(wantedName(role, pending) !== role.name && { name: role.name }),
      permissions: Object.fromEntries(changed.map((key) => [key, role.permissions.includes(key)])),
    };
  };
  return Object.fromEntries(changedRoles(roles, pending).map((role) => [role.id, inverse(role)]));
}

/** Every role before and after. */
export const stepsOf = (roles: readonly Role[], pending: Pending): RoleStep[] =>
  roles.map((role) => ({
    before: role,
    after: { ...role, name: wantedName(role, pending), permissions: wantedOf(role, pending) },
  }));

const wantedOf = (role: Role, pending: Pending): Permission[] =>
  permissionKeys.filter((key) => isWanted(role, key, pending));

/** What to send: the displayed versions, and only the differences. */
export function editsOf(roles: readonly Role[], pending: Pending): RoleEdit[] {
  return changedRoles(roles, pending).map((role) => ({
    id: role.id,
    version: role.version,
    ...(wantedName(role, pending) === role.name ? {} : { name: wantedName(role, pending) }),
    permissions: wantedOf(role, pending),
  }));
}

/** Changes to roles deleted in the meantime. */
export function lostChanges(roles: readonly Role[], pending: Pending): string[] {
  return Object.keys(pending).filter((id) => !roles.some((role) => role.id === id));
}

/** A cell's state: has it or not, will get or lose it, or can't be given by this viewer. */
export type CellMark = 'yes' | 'no' | 'given' | 'taken' | 'locked';

export function markOf(viewer: Viewer, role: Role, permission: Permission, pending: Pending): CellMark {
  const had = role.permissions.includes(permission);
  const wanted = isWanted(role, permission, pending);
  if (had !== wanted) return wanted ? 'given' : 'taken';
  if (had) return 'yes';
  return canGive(viewer, permission) ? 'no' : 'locked';
}
