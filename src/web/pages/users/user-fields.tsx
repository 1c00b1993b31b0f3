import { MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { adminRole, isAdmin, type Viewer } from '#core/access.ts';
import { scopeKeys, scopes } from '#core/brands.ts';
import { entryWarning, lackedTitles, oneWayWarning, ownAccessRefusal } from '#core/holdings.ts';
import { limits } from '#core/limits.ts';
import type { Refusal } from '#core/refusals.ts';
import { knownPermissions } from '#core/role-inputs.ts';
import { userLimits } from '#core/user-inputs.ts';
import { useViewer } from '#web/api/viewer.ts';
import classes from './user-fields.module.css';
import type { Role, User } from './users-queries.ts';

/** Empty: no role, no team. */
export type UserValues = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: string;
  readonly team: string;
  readonly approverId: readonly string[];
  readonly top5Invisible: boolean;
  readonly reason: string;
};

export const emptyValues: UserValues = {
  email: '',
  firstName: '',
  lastName: '',
  role: '',
  team: '',
  approverId: [],
  top5Invisible: false,
  reason: '',
};

/** What is wrong, under the field that it is about; everything else under the form. */
export type Problem = { readonly field: keyof UserValues | null; readonly message: string };

const fieldNames: Partial<Record<string, string>> = {
  email: 'The email address',
  firstName: 'The first name',
  lastName: 'The last name',
  approverId: 'The list of approvers',
  reason: 'The reason',
};

/** The core's refusals continue the name of the field; those of the server are sentences already. */
export function problemOf({ field, message }: Pick<Refusal, 'message'> & { field?: string | undefined }): Problem {
  const [name = ''] = (field ?? '').split('.');
  const isShown = Object.hasOwn(emptyValues, name);
  const words = field && message.startsWith(`${field} `) ? message.slice(field.length + 1) : message;
  const text = words === message ? message : `${fieldNames[name] ?? name} ${words}`;
  return { field: isShown ? (name as keyof UserValues) : null, message: text };
}

type Props = {
  readonly values: UserValues;
  readonly onChange: (values: UserValues) => void;
  readonly users: readonly User[];
  readonly roles: readonly Role[];
  readonly problem: Problem | null;
  /** The person themselves, who approves nothing of their own. */
  readonly userId?: string;
  /** What the person holds already: a role gives nothing new with it. */
  readonly held?: readonly string[];
  /** Of those, what is given to the person directly. */
  readonly grants?: readonly string[];
  /** The role as it is stored. */
  readonly roleBefore?: string | null;
  /** Why the viewer can't change the e-mail, or null. */
  readonly controlRefusal?: string | null;
  readonly autoFocus?: boolean;
};

export function UserFields(props: Props) {
  const {
    values,
    onChange,
    users,
    roles,
    problem,
    userId,
    autoFocus,
    held = [],
    grants = [],
    roleBefore = null,
    controlRefusal = null,
  } = props;
  const viewer = useViewer();
  const own = userId === undefined ? null : ownAccessRefusal(viewer, userId);
  const set = (part: Partial<UserValues>) => onChange({ ...values, ...part });
  const errorOf = (field: keyof UserValues) => (problem?.field === field ? problem.message : undefined);
  const text = (field: 'email' | 'firstName' | 'lastName') => ({
    value: values[field],
    error: errorOf(field),
    maxLength: field === 'email' ? limits.email : userLimits.name,
    onChange: (event: { currentTarget: { value: string } }) => set({ [field]: event.currentTarget.value }),
  });
  return (
    <div className={classes.fields}>
      <TextInput
        label="Email"
        type="email"
        disabled={controlRefusal !== null}
        description={controlRefusal}
        {...(autoFocus ? { 'data-autofocus': true } : {})}
        {...text('email')}
      />
      <div className={classes.pair}>
        <TextInput label="First name" {...text('firstName')} />
        <TextInput label="Last name" {...text('lastName')} />
      </div>
      <Belonging values={values} roles={roles} held={held} isOwn={own !== null} errorOf={errorOf} onSet={set} />
      {own === null && <RoleWarning role={values.role} roleBefore={roleBefore} roles={roles} grants={grants} />}
      {own && <p className={classes.hint}>{own.message}.</p>}
      <Reason value={values.reason} error={errorOf('reason')} onChange={(reason) => set({ reason })} />
      <MultiSelect
        label="Approvers"
        description="Who approves this person’s tasks"
        placeholder={values.approverId.length === 0 ? 'Nobody yet' : ''}
        data={approverOptions(users, values.approverId, userId)}
        value={[...values.approverId]}
        searchable
        disabled={own !== null}
        limit={50}
        maxValues={userLimits.approvers}
        error={errorOf('approverId')}
        onChange={(approverId) => set({ approverId })}
      />
      <Switch
        label="Invisible in stats"
        description="Works as usual, and is left out of stats, lists of employees and averages. Their approver and admins still see them."
        checked={values.top5Invisible}
        onChange={(event) => set({ top5Invisible: event.currentTarget.checked })}
      />
      {problem?.field === null && (
        <p className={classes.problem} role="alert">
          {problem.message}
        </p>
      )}
    </div>
  );
}

type ReasonProps = {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (reason: string) => void;
};

/** Asked for where a role's demands are not met. */
function Reason({ value, error, onChange }: ReasonProps) {
  if (value === '' && error === undefined) return null;
  return (
    <Textarea
      label="Why this role all the same"
      autosize
      minRows={2}
      maxLength={userLimits.reason}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type BelongingProps = Required<Pick<Props, 'values' | 'roles' | 'held'>> & {
  readonly isOwn: boolean;
  readonly errorOf: (field: keyof UserValues) => string | undefined;
  readonly onSet: (part: Partial<UserValues>) => void;
};

type WarningProps = Pick<Props, 'roles'> & {
  readonly role: string;
  readonly roleBefore: string | null;
  readonly grants: readonly string[];
};

/** What the chosen role would lead to, before it is saved. */
function RoleWarning({ role, roleBefore, roles, grants }: WarningProps) {
  const viewer = useViewer();
  const permissionsOf = (name: string | null) => roles.find((one) => one.name === name)?.permissions ?? [];
  // A role that is gone says nothing about what it permits.
  const isKnown = role === '' || roles.some(({ name }) => name === role);
  const entry = isKnown ? entryWarning(role || null, knownPermissions([...permissionsOf(role), ...grants])) : null;
  const taken = role === (roleBefore ?? '') ? [] : knownPermissions(permissionsOf(roleBefore));
  const oneWay = oneWayWarning(viewer, taken);
  return [entry, oneWay]
    .filter((warning) => warning !== null)
    .map((warning) => (
      <p key={warning} className={classes.warning}>
        {warning}.
      </p>
    ));
}

/** The role and the team. Only an admin makes admins, and nobody gives a role with more than they hold. */
function Belonging({ values, roles, held, isOwn, errorOf, onSet }: BelongingProps) {
  const viewer = useViewer();
  const locked = lockedRoles(viewer, roles, held);
  const isOfAdmin = values.role === adminRole;
  const roleNames = [
    ...(isAdmin(viewer) || isOfAdmin ? [adminRole] : []),
    ...new Set([...roles.map(({ name }) => name), ...(values.role && !isOfAdmin ? [values.role] : [])]),
  ];
  return (
    <div className={classes.pair}>
      <Select
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
        value={values.role}
        allowDeselect={false}
        searchable
        error={errorOf('role')}
        onChange={(role) => onSet({ role: role ?? '' })}
      />
      <Select
        label="Team"
        data={[
          { value: '', label: 'No team' },
          ...scopeKeys.map((scope) => ({ value: scope as string, label: scopes[scope].title as string })),
        ]}
        value={values.team}
        disabled={isOwn}
        allowDeselect={false}
        error={errorOf('team')}
        onChange={(team) => onSet({ team: team ?? '' })}
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

/** A name that two people have shows the address too. Who is disabled stays where they are, and cannot be chosen anew. */
export function approverOptions(users: readonly User[], chosen: readonly string[], userId: string | undefined) {
  const names = new Map<string, number>();
  for (const { displayName } of users) names.set(displayName, (names.get(displayName) ?? 0) + 1);
  return users
    .filter(({ id, disabled }) => id !== userId && (!disabled || chosen.includes(id)))
    .map(({ id, displayName, email, disabled }) => ({
      value: id,
      label: `${(names.get(displayName) ?? 0) > 1 ? `${displayName} (${email})` : displayName}${disabled ? ' (disabled)' : ''}`,
    }));
}
