import { Switch, Textarea, TextInput } from '@mantine/core';
import { ownAccessRefusal } from '#core/access/holdings.ts';
import { limits } from '#core/base/limits.ts';
import { userLimits } from '#core/people/accounts.ts';
import { useViewer } from '#web/api/viewer.ts';
import type { FormOf } from '#web/ui/form.tsx';
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

/** A field's name at the start of its errors. */
export const userFieldNames = {
  email: 'The email address',
  firstName: 'The first name',
  lastName: 'The last name',
  approverId: 'The list of approvers',
};

type Props = {
  readonly form: FormOf<UserValues>;
  readonly users: readonly User[];
  readonly roles: readonly Role[];
  /** The person themselves, who can't be their own approver. */
  readonly userId?: string;
  /** The person's existing permissions: a role adds nothing by repeating them. */
  readonly held?: readonly string[];
  /** The direct grants among them. */
  readonly grants?: readonly string[];
  /** The stored role. */
  readonly roleBefore?: string | null;
  /** Why the viewer can't change whether the person keeps tasks, or null. */
  readonly tasksFixed: string | null;
  /** A warning before they change it. */
  readonly tasksHint?: string | null;
  /** Why the viewer can't change the email, or null. */
  readonly reachRefusal?: string | null;
  readonly autoFocus?: boolean;
};

export function UserFields(props: Props) {
  const { form, users, roles, userId, autoFocus, held = [], grants = [] } = props;
  const { tasksFixed, tasksHint = null, roleBefore = null, reachRefusal = null } = props;
  const { values } = form;
  const viewer = useViewer();
  const own = userId === undefined ? null : ownAccessRefusal(viewer, userId);
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        disabled={reachRefusal !== null}
        description={reachRefusal}
        maxLength={limits.email}
        {...(autoFocus ? { 'data-autofocus': true } : {})}
        {...form.field('email')}
      />
      <div className={classes.pair}>
        <TextInput label="First name" maxLength={userLimits.name} {...form.field('firstName')} />
        <TextInput label="Last name" maxLength={userLimits.name} {...form.field('lastName')} />
      </div>
      <Belonging form={form} roles={roles} held={held} isOwn={own !== null} />
      {own === null && <RoleWarning role={values.role} keepsTasks={values.top5} {...{ roleBefore, roles, grants }} />}
      {own && <p className={classes.hint}>{own.message}.</p>}
      {/* Shown if the role's requirements aren't met. */}
      {(values.reason !== '' || form.error('reason')) && (
        <Textarea
          label="Reason for giving this role anyway"
          autosize
          minRows={2}
          maxLength={userLimits.reason}
          {...form.field('reason')}
        />
      )}
      <SearchMultiSelect
        label="Approvers"
        description="Who approves this person’s tasks"
        placeholder={values.approverId.length === 0 ? 'Nobody yet' : ''}
        data={approverOptions(users, values.approverId, userId)}
        disabled={own !== null}
        limit={50}
        maxValues={userLimits.approvers}
        {...form.field('approverId')}
      />
      {/* Whether the person keeps tasks, and who sees their results. */}
      <Switch
        label="Uses S.T.A.R.T"
        description={tasksFixed ?? tasksHint}
        disabled={tasksFixed !== null}
        {...form.checkbox('top5')}
      />
      <Switch
        label="Invisible in stats"
        description="Left out of stats, employee lists and averages. Their approver and admins still see them."
        {...form.checkbox('top5Invisible')}
      />
    </>
  );
}

/** Ambiguous names also show the address. Disabled people stay if chosen, but can't be newly chosen. */
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
