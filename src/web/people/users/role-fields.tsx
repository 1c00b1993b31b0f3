// A person's role and team, and warnings before changing them.
import { adminRole, isAdmin, type Viewer } from '#core/access/access.ts';
import { scopeKeys, scopes } from '#core/access/brands.ts';
import { entryWarning, lackedTitles, oneWayWarning, tasksWarning } from '#core/access/holdings.ts';
import { type Permission, topFivePermission } from '#core/access/permissions.ts';
import { knownPermissions } from '#core/access/role-changes.ts';
import { useViewer } from '#web/api/viewer.ts';
import type { FormOf } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import classes from './user-fields.module.css';
import type { Role, UserValues } from './users-queries.ts';

type WarningProps = {
  readonly roles: readonly Role[];
  readonly role: string;
  readonly roleBefore: string | null;
  readonly grants: readonly string[];
  /** The form's value; the grants are the stored ones. */
  readonly keepsTasks: boolean;
};

const permissionsOf = (roles: readonly Role[], name: string | null): readonly string[] =>
  roles.find((one) => one.name === name)?.permissions ?? [];

/** The permissions a person loses by changing roles. `kept`: direct grants. */
export function lostWithRole(
  roles: readonly Role[],
  before: string | null,
  after: string,
  kept: readonly string[] = [],
): Permission[] {
  const held = [...permissionsOf(roles, after), ...kept];
  return knownPermissions(permissionsOf(roles, before).filter((permission) => !held.includes(permission)));
}

/** The effect of the chosen role, before saving. */
export function RoleWarning({ role, roleBefore, roles, grants, keepsTasks }: WarningProps) {
  const viewer = useViewer();
  const held = knownPermissions([
    ...permissionsOf(roles, role),
    ...grants.filter((grant) => grant !== topFivePermission),
    ...(keepsTasks ? [topFivePermission] : []),
  ]);
  // Nothing is known about a deleted role's permissions.
  const isKnown = role === '' || roles.some(({ name }) => name === role);
  const warnings = isKnown
    ? [
        entryWarning(role || null, held),
        tasksWarning(held),
        oneWayWarning(viewer, lostWithRole(roles, roleBefore, role, grants)),
      ]
    : [];
  return warnings
    .filter((warning) => warning !== null)
    .map((warning) => (
      <p key={warning} className={classes.warning}>
        {warning}.
      </p>
    ));
}

type BelongingProps = {
  readonly form: FormOf<UserValues>;
  readonly roles: readonly Role[];
  readonly held: readonly string[];
  readonly isOwn: boolean;
};

/**
 * The role and the team. Only admins can make someone an admin, and nobody gives a role with more permissions
 * than theirs.
 */
export function Belonging({ form, roles, held, isOwn }: BelongingProps) {
  const { values } = form;
  const viewer = useViewer();
  const locked = lockedRoles(viewer, roles, held);
  const isOfAdmin = values.role === adminRole;
  const roleNames = [
    ...(isAdmin(viewer) || isOfAdmin ? [adminRole] : []),
    ...new Set([...roles.map(({ name }) => name), ...(values.role && !isOfAdmin ? [values.role] : [])]),
  ];
  return (
    <div className={classes.pair}>
      <SearchSelect
        label="Role"
        data={[
          { value: '', label: 'No role' },
          ...roleNames.map((name) => ({
            value: name,
            label: name,
            disabled: locked.has(name) && name !== values.role,
          })),
        ]}
        disabled={isOwn}
        description={locked.size > 0 && !isOwn ? lockedRolesHint : null}
        renderOption={({ option }) => (
          <RoleOption label={option.label} lacked={option.disabled ? locked.get(option.value) : undefined} />
        )}
        allowDeselect={false}
        {...form.field('role')}
      />
      <SearchSelect
        label="Team"
        data={[
          { value: '', label: 'No team' },
          ...scopeKeys.map((scope) => ({ value: scope as string, label: scopes[scope].title as string })),
        ]}
        disabled={isOwn}
        allowDeselect={false}
        {...form.field('team')}
      />
    </div>
  );
}

export const lockedRolesHint = 'Roles with permissions that you don’t have are gray. Ask an admin for those';

/** The roles that the viewer can't give to this person, each with the permissions the viewer lacks. */
export function lockedRoles(
  viewer: Viewer,
  roles: readonly Role[],
  held: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(
    roles.flatMap(({ name, permissions }) => {
      const given = knownPermissions(permissions).filter((permission) => !held.includes(permission));
      const lacked = lackedTitles(viewer, given);
      return lacked === null ? [] : [[name, lacked] as const];
    }),
  );
}

type RoleOptionProps = { readonly label: string; readonly lacked: string | undefined };

/** A role in the list, with why it can't be given. */
export function RoleOption({ label, lacked }: RoleOptionProps) {
  return (
    <span>
      {label}
      {lacked !== undefined && <span className={classes.lacked}>You don’t have {lacked}</span>}
    </span>
  );
}
