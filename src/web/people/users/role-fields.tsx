// A person's role and team, and warnings before changing them.
import { Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { adminRole, heldPermissions, isAdmin, type Viewer } from '#core/access/access.ts';
import { scopeKeys, scopes } from '#core/access/brands.ts';
import {
  adminLossWarning,
  entryWarning,
  givingRefusal,
  oneWayWarning,
  tasksWarning,
  usableChanges,
} from '#core/access/holdings.ts';
import { type Permission, topFivePermission } from '#core/access/permissions.ts';
import { knownPermissions } from '#core/access/role-changes.ts';
import { plural } from '#core/base/formats.ts';
import { userLimits } from '#core/people/accounts.ts';
import { leftWithoutApproverWords } from '#core/people/approvers.ts';
import { PermissionList } from '#web/access/shared/permission-list.tsx';
import type { ApiError } from '#web/api/api-error.ts';
import { useViewer } from '#web/api/viewer.ts';
import type { FormOf } from '#web/ui/form.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { sendHint } from '#web/ui/shortcuts.ts';
import { type GivenAccess, leftQuery } from './bulk-calls.ts';
import classes from './user-fields.module.css';
import { teamTitle } from './users-choice.ts';
import { type Refused, type Role, rolesQuery, type UserValues } from './users-queries.ts';

type WarningProps = {
  readonly roles: readonly Role[];
  readonly role: string;
  readonly roleBefore: string | null;
  readonly grants: readonly string[];
  /** The form's value; the grants are the stored ones. */
  readonly keepsTasks: boolean;
  readonly userId: string | undefined;
};

const permissionsOf = (roles: readonly Role[], name: string | null): readonly string[] =>
  roles.find((one) => one.name === name)?.permissions ?? [];

/**
 * The version that the chosen role had when it was chosen: another role may have its name by now, and isn't
 * given. `error`: of the last attempt. After a refusal of the role, its current version is sent.
 */
export function useRoleVersion(role: string, roles: readonly Role[], error: ApiError | null): string | undefined {
  const client = useQueryClient();
  const current = roles.find(({ name }) => name === role)?.version;
  const [chosen, setChosen] = useState({ role, version: current });
  if (chosen.role !== role || (chosen.version === undefined && current !== undefined))
    setChosen({ role, version: current });
  useEffect(() => {
    if (error?.code !== 'CONFLICT' || error.field !== 'role') return;
    const choose = (now: readonly Role[]) =>
      setChosen({ role, version: now.find(({ name }) => name === role)?.version });
    client.fetchQuery({ ...rolesQuery, staleTime: 0 }).then(choose, () => undefined);
  }, [client, error, role]);
  return chosen.version;
}

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

type DifferenceProps = {
  readonly roles: readonly Role[];
  readonly before: string | null;
  /** Empty: no role. */
  readonly after: string;
  /** The person's direct grants, which stay. */
  readonly grants?: readonly string[];
};

/** What a person gains and loses by another role, as the notification to them says it. */
function roleChanges({ roles, before, after, grants = [] }: DifferenceProps) {
  const wanted = after || null;
  const isKnown = (role: string | null) =>
    role === null || role === adminRole || roles.some(({ name }) => name === role);
  if (before === wanted || !isKnown(before) || !isKnown(wanted)) return { gained: [], lost: [] };
  const accessWith = (role: string | null) => ({
    role,
    permissions: heldPermissions(role, [...permissionsOf(roles, role), ...grants]),
  });
  return usableChanges(accessWith(before), accessWith(wanted));
}

/** “Gains 12 permissions, loses 5”. Null if nothing changes. */
export function roleChangeWords(change: DifferenceProps): string | null {
  const { gained, lost } = roleChanges(change);
  if (gained.length === 0) return lost.length === 0 ? null : `Loses ${plural(lost.length, 'permission')}`;
  return `Gains ${plural(gained.length, 'permission')}${lost.length > 0 ? `, loses ${lost.length}` : ''}`;
}

/** What the role changes for a person, in short, with the list behind it. */
export function RoleDifference(change: DifferenceProps) {
  const words = roleChangeWords(change);
  if (words === null) return null;
  const { gained, lost } = roleChanges(change);
  return (
    <details className={classes.difference}>
      <summary>{words}</summary>
      <PermissionList sign="+" words="Gains" permissions={gained} />
      <PermissionList sign="−" words="Loses" permissions={lost} />
    </details>
  );
}

/** The effect of the chosen role, before saving. */
export function RoleWarning({ role, roleBefore, roles, grants, keepsTasks, userId = '' }: WarningProps) {
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
        adminLossWarning(viewer, [userId], role),
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

/** The role that saving gives, or null. */
export const givenRole = (role: string, before: string | null): GivenAccess | null =>
  role === (before ?? '') ? null : { role };

type LeftProps = { readonly userIds: readonly string[]; readonly given: GivenAccess | null };

/** Save waits for the answer, or for its time limit. */
export function useLeftWithoutApprover({ userIds, given }: LeftProps) {
  const { data = [], isError, isLoading } = useQuery(leftQuery(userIds, given));
  return { names: data, isFailed: isError, isAsking: isLoading };
}

/** Whose only approvers these people are, before they can't decide anymore. */
export function LeftWithoutApprover(props: LeftProps) {
  const { names, isFailed, isAsking } = useLeftWithoutApprover(props);
  if (isAsking) return <p className={classes.hint}>Checking who this leaves without an approver…</p>;
  if (names.length === 0 && !isFailed) return null;
  return (
    <p role="status" className={classes.warning}>
      {isFailed ? 'Couldn’t check who this leaves without an approver' : leftWithoutApproverWords(names)}.
    </p>
  );
}

type BelongingProps = {
  readonly form: FormOf<UserValues>;
  readonly roles: readonly Role[];
  readonly held: readonly string[];
  /** The viewer can't change them. */
  readonly isFixed: boolean;
  readonly asksForRole: boolean;
  readonly refusedRoles: Refused;
  readonly refusedTeams: Refused;
  /** The stored team, empty for none. */
  readonly teamBefore: string;
  /** What there is to say about the role. */
  readonly children: ReactNode;
};

/** A sprint's bonus is of the team at its end. */
export const teamHint = 'Also applies to the current sprint’s bonus';

/**
 * The role and the team. Only admins can make someone an admin, and nobody gives a role with more permissions
 * than theirs.
 */
export function Belonging(props: BelongingProps) {
  const { form, roles, held, isFixed, asksForRole, refusedRoles, refusedTeams, teamBefore, children } = props;
  const { team } = form.values;
  const isRefused = (value: string) => value !== teamBefore && refusedTeams.has(value);
  const others = ['', ...scopeKeys].filter((value) => value !== teamBefore);
  const isLeaving = team !== teamBefore && refusedTeams.has(teamBefore);
  const areAllRefused = others.every(isRefused);
  const areSomeRefused = others.some(isRefused);
  return (
    <div className={classes.pair}>
      <RoleSelect
        field={form.field('role')}
        value={form.values.role}
        none="No role"
        disabled={isFixed}
        {...{ roles, held, asksForRole }}
        refused={refusedRoles}
      />
      <div className={classes.aboutRole}>{children}</div>
      <SearchSelect
        label="Team"
        data={[
          { value: '', label: 'No team', disabled: isRefused('') },
          ...scopeKeys.map((scope) => ({
            value: scope as string,
            label: scopes[scope].title as string,
            disabled: isRefused(scope),
          })),
        ]}
        disabled={isFixed || areAllRefused}
        description={
          !isFixed && (
            <>
              {isLeaving && (
                <span className={classes.warning}>
                  Only an admin can move this person back to {teamTitle(teamBefore)}.{' '}
                </span>
              )}
              {areAllRefused
                ? `${whyRefused(refusedTeams)} `
                : areSomeRefused && 'Ask an admin for the teams in gray. '}
              {teamHint}.
            </>
          )
        }
        // The role beside it has none.
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        allowDeselect={false}
        {...form.field('team')}
      />
    </div>
  );
}

/** The reason, once: the choices of a field are refused for the same one. */
function whyRefused(refused: Refused): string | null {
  const [reason = null] = refused.values();
  return reason && `${reason}.`;
}

type RoleSelectProps = Pick<BelongingProps, 'roles' | 'held' | 'asksForRole'> & {
  readonly field: object;
  readonly value: string;
  /** The option for no role, where that can be chosen. */
  readonly none?: string;
  readonly disabled?: boolean;
  readonly refused?: Refused;
};

export function RoleSelect(props: RoleSelectProps) {
  const { field, value, none, roles, held, asksForRole, disabled = false, refused = new Map() } = props;
  const viewer = useViewer();
  const locked = lockedRoles(viewer, roles, held);
  const isOfAdmin = value === adminRole;
  const names = [
    ...(isAdmin(viewer) || isOfAdmin ? [adminRole] : []),
    ...new Set([...roles.map(({ name }) => name), ...(value && !isOfAdmin ? [value] : [])]),
  ];
  return (
    <SearchSelect
      label="Role"
      exact
      placeholder="Choose a role"
      data={[
        ...(none === undefined ? [] : [{ value: '', label: none, disabled: value !== '' && refused.has('') }]),
        ...names.map((name) => ({
          value: name,
          label: name,
          disabled: (locked.has(name) || refused.has(name)) && name !== value && !asksForRole,
        })),
      ]}
      disabled={disabled}
      description={disabled ? null : whyRefused(new Map([...refused].filter(([name]) => !locked.has(name))))}
      renderOption={({ option }) => (
        <RoleOption
          label={option.label}
          locked={locked.has(option.value) && (asksForRole || option.disabled === true)}
        />
      )}
      allowDeselect={false}
      {...field}
    />
  );
}

/** Asked for if the person doesn't meet the role's requirements. */
export const RoleReason = ({ field }: { readonly field: object }) => (
  <Textarea
    label="Reason for giving this role anyway"
    description={sendHint('saves')}
    autosize
    minRows={2}
    maxLength={userLimits.reason}
    {...field}
  />
);

export const lockedRolesHint = 'Roles with permissions that you don’t have are gray. Ask an admin for those';

/** The roles that the viewer can't give to this person, because they have permissions that the viewer lacks. */
export function lockedRoles(viewer: Viewer, roles: readonly Role[], held: readonly string[]): ReadonlySet<string> {
  const isLocked = ({ permissions }: Role) => {
    const given = knownPermissions(permissions).filter((permission) => !held.includes(permission));
    return givingRefusal(viewer, given) !== null;
  };
  return new Set(roles.filter(isLocked).map(({ name }) => name));
}

type RoleOptionProps = { readonly label: string; readonly locked: boolean };

/** A role in the list, and whether only an admin can give it. */
export function RoleOption({ label, locked }: RoleOptionProps) {
  return (
    <span>
      {label}
      {locked && <span className={classes.lacked}>Needs an admin’s OK</span>}
    </span>
  );
}
