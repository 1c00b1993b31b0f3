// The role and the team of a person, and what the viewer has to know before they choose.
import { Select } from '@mantine/core';
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
  /** As the form has it; the grants are those that are stored. */
  readonly keepsTasks: boolean;
};

const permissionsOf = (roles: readonly Role[], name: string | null): readonly string[] =>
  roles.find((one) => one.name === name)?.permissions ?? [];

/** The permissions that a person of one role no longer has with another. `kept`: given to the person directly. */
export function lostWithRole(
  roles: readonly Role[],
  before: string | null,
  after: string,
  kept: readonly string[] = [],
): Permission[] {
  const held = [...permissionsOf(roles, after), ...kept];
  return knownPermissions(permissionsOf(roles, before).filter((permission) => !held.includes(permission)));
}

/** What the chosen role would lead to, before it is saved. */
export function RoleWarning({ role, roleBefore, roles, grants, keepsTasks }: WarningProps) {
  const viewer = useViewer();
  const held = knownPermissions([
    ...permissionsOf(roles, role),
    ...grants.filter((grant) => grant !== topFivePermission),
    ...(keepsTasks ? [topFivePermission] : []),
  ]);
  // A role that is gone says nothing about what it permits.
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

/** The role and the team. Only admins can make someone an admin, and nobody gives a role with more than they hold. */
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
      <Select
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

/** The roles that the viewer can't give to someone who holds this already, each with what the viewer lacks for it. */
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
