import { Switch, Textarea, TextInput } from '@mantine/core';
import { ownAccessRefusal } from '#core/access/holdings.ts';
import { limits } from '#core/base/limits.ts';
import type { Refusal } from '#core/base/refusals.ts';
import { userLimits } from '#core/people/accounts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { SearchMultiSelect } from '#web/ui/search-select.tsx';
import { Belonging, RoleWarning } from './role-fields.tsx';
import classes from './user-fields.module.css';
import type { Role, User, UserValues } from './users-queries.ts';

export const emptyValues: UserValues = {
  email: '',
  firstName: '',
  lastName: '',
  role: '',
  team: '',
  approverId: [],
  top5: false,
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
  /** Why the viewer can't change whether the person keeps tasks; null where they can. */
  readonly tasksFixed: string | null;
  /** What to know before they change it. */
  readonly tasksHint?: string | null;
  /** Why the viewer can't change the e-mail, or null. */
  readonly reachRefusal?: string | null;
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
    tasksFixed,
    tasksHint = null,
    roleBefore = null,
    reachRefusal = null,
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
        disabled={reachRefusal !== null}
        description={reachRefusal}
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
      <Approvers
        {...{ values, users, userId }}
        disabled={own !== null}
        error={errorOf('approverId')}
        onChange={(approverId) => set({ approverId })}
      />
      <TaskSwitches values={values} fixed={tasksFixed} hint={tasksHint} onSet={set} />
      {problem?.field === null && <FormProblem words={problem.message} />}
    </div>
  );
}

type TaskSwitchesProps = {
  readonly values: UserValues;
  readonly fixed: string | null;
  readonly hint: string | null;
  readonly onSet: (part: Partial<UserValues>) => void;
};

/** Whether the person keeps tasks, and who sees how they went. */
function TaskSwitches({ values, fixed, hint, onSet }: TaskSwitchesProps) {
  return (
    <>
      <Switch
        label="Keeps tasks in S.T.A.R.T"
        description={fixed ?? hint}
        disabled={fixed !== null}
        checked={values.top5}
        onChange={(event) => onSet({ top5: event.currentTarget.checked })}
      />
      <Switch
        label="Invisible in stats"
        description="Works as usual, and is left out of stats, lists of employees and averages. Their approver and admins still see them."
        checked={values.top5Invisible}
        onChange={(event) => onSet({ top5Invisible: event.currentTarget.checked })}
      />
    </>
  );
}

function FormProblem({ words }: { readonly words: string }) {
  return (
    <p className={classes.problem} role="alert">
      {words}
    </p>
  );
}

type ApproversProps = Pick<Props, 'values' | 'users'> & {
  readonly userId: string | undefined;
  readonly disabled: boolean;
  readonly error: string | undefined;
  readonly onChange: (approverId: string[]) => void;
};

function Approvers({ values, users, userId, disabled, error, onChange }: ApproversProps) {
  return (
    <SearchMultiSelect
      label="Approvers"
      description="Who approves this person’s tasks"
      placeholder={values.approverId.length === 0 ? 'Nobody yet' : ''}
      data={approverOptions(users, values.approverId, userId)}
      value={[...values.approverId]}
      disabled={disabled}
      limit={50}
      maxValues={userLimits.approvers}
      error={error}
      onChange={onChange}
    />
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
