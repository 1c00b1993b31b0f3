// Decides where each of a person's permissions comes from: the admin role, another role or a direct grant
// (D11). Used by user management.
import { adminRole, heldPermissions, type Viewer } from './access.ts';
import { givingRefusal, ownAccessRefusal } from './holdings.ts';
import { type Permission, topFivePermission } from './permissions.ts';

/** Where a permission comes from. */
export type PermissionSource = 'admin' | 'role' | 'direct';

/** A person's permissions with their sources, in the list's order (D11). */
export function permissionSources(
  role: string | null,
  ofRole: readonly string[],
  grants: readonly string[],
): { permission: Permission; sources: PermissionSource[] }[] {
  const byRole = heldPermissions(null, ofRole);
  const direct = heldPermissions(null, grants);
  return heldPermissions(role, [...ofRole, ...grants]).map((permission) => ({
    permission,
    sources: [
      ...(role === adminRole ? (['admin'] as const) : []),
      ...(role !== null && role !== adminRole && byRole.includes(permission) ? (['role'] as const) : []),
      ...(direct.includes(permission) ? (['direct'] as const) : []),
    ],
  }));
}

/** The source of the top-5 permission; without one the person is a logged user (spec 3). */
export function topFiveSource(
  role: string | null,
  { ofRole, granted }: { readonly ofRole: boolean; readonly granted: boolean },
): PermissionSource | null {
  if (role === adminRole) return 'admin';
  if (role !== null && ofRole) return 'role';
  return granted ? 'direct' : null;
}

/** Why the switch can't remove the top-5 permission, or null. */
export function topFiveBound(source: PermissionSource | null, role: string | null): string | null {
  if (source === 'admin') return 'Admins have every permission. Give this person another role first';
  if (source === 'role')
    return `S.T.A.R.T comes with the role ${role}. Give this person another role, or remove S.T.A.R.T from this one`;
  return null;
}

/**
 * Why this viewer can't use this person's switch, or null. Nobody gives a permission they don't have (T14).
 */
export function topFiveFixed(
  viewer: Viewer,
  person: Pick<Viewer, 'id' | 'role'>,
  source: PermissionSource | null,
): string | null {
  const bound = topFiveBound(source, person.role);
  if (bound !== null) return bound;
  const given = source === null ? givingRefusal(viewer, [topFivePermission]) : null;
  return (ownAccessRefusal(viewer, person.id) ?? given)?.message ?? null;
}
