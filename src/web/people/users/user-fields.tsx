import { Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { adminRole, isAdmin } from '#core/access/access.ts';
import { ownAccessRefusal } from '#core/access/holdings.ts';
import { limits } from '#core/base/limits.ts';
import { signInRefusal, userLimits } from '#core/people/accounts.ts';
import { approversFixed, sameApprovers } from '#core/people/approvers.ts';
import type { PeopleNames } from '#web/api/people-search.ts';
import { useViewer } from '#web/api/viewer.ts';
import type { FormOf } from '#web/ui/form.tsx';
import { ApproverPicker } from '../shared/approver-picker.tsx';
import { personRowQuery } from '../shared/approver-queries.ts';
import { PersonPending } from '../shared/pending-list.tsx';
import { Belonging, givenRole, LeftWithoutApprover, RoleDifference, RoleReason, RoleWarning } from './role-fields.tsx';
import classes from './user-fields.module.css';
import type { Refused, Role, UserValues } from './users-queries.ts';

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
  readonly roles: readonly Role[];
  /** The person themselves, who can't be their own approver. */
  readonly userId?: string;
  /** The person's existing permissions: a role adds nothing by repeating them. */
  readonly held?: readonly string[];
  /** The direct grants among them. */
  readonly grants?: readonly string[];
  /** The stored approvers. */
  readonly approversBefore?: readonly string[];
  readonly approverNames?: PeopleNames;
  /** The stored role. */
  readonly roleBefore?: string | null;
  /** The stored team. */
  readonly teamBefore?: string | null;
  /** Why the viewer can't change whether the person keeps tasks, or null. */
  readonly tasksFixed: string | null;
  /** A warning before they change it. */
  readonly tasksHint?: string | null;
  /** Below the role: a request for one that the viewer can't give. */
  readonly request?: ReactNode;
  /** A role that the viewer can't give may be chosen, to ask the admins for it. */
  readonly asksForRole?: boolean;
  /** Why the viewer can't change the email, or null. */
  readonly reachRefusal?: string | null;
  /** What the viewer can't choose in a field; nothing known of a new person. */
  readonly refusedIn?: (field: keyof UserValues) => Refused;
  /** The address of a person with an open one-time link, which another address revokes. */
  readonly invitedAt?: string | null;
  readonly autoFocus?: boolean;
};

const nothingRefused = (): Refused => new Map();

export function UserFields(props: Props) {
  const { form, roles, userId, held = [], grants = [], roleBefore = null, asksForRole = false } = props;
  const { teamBefore = null } = props;
  const { refusedIn = nothingRefused } = props;
  const { values } = form;
  const viewer = useViewer();
  const fixed =
    userId === undefined ? null : (ownAccessRefusal(viewer, userId) ?? signInRefusal(viewer, { role: roleBefore }));
  return (
    <>
      <NameFields {...props} />
      <Belonging
        {...{ form, roles, held, asksForRole }}
        isFixed={fixed !== null}
        refusedRoles={refusedIn('role')}
        refusedTeams={refusedIn('team')}
        teamBefore={teamBefore ?? ''}
      >
        {userId !== undefined && (
          <RoleDifference roles={roles} before={roleBefore} after={values.role} grants={grants} />
        )}
        {fixed === null && (
          <RoleWarning role={values.role} keepsTasks={values.top5} {...{ userId, roleBefore, roles, grants }} />
        )}
        {userId !== undefined && <LeftWithoutApprover userIds={[userId]} given={givenRole(values.role, roleBefore)} />}
        {props.request}
        {/* Shown if the role's requirements aren't met. */}
        {(values.reason !== '' || form.error('reason')) && <RoleReason field={form.field('reason')} />}
      </Belonging>
      {fixed && <p className={classes.hint}>{fixed.message}.</p>}
      <TaskFields {...props} isFixed={fixed !== null} />
    </>
  );
}

function NameFields({ form, autoFocus, reachRefusal = null, invitedAt = null }: Props) {
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
      {invitedAt !== null && form.values.email.trim() !== invitedAt && (
        <p className={classes.warning}>
          The one-time link for {invitedAt} stops working when you save. Create a new one afterward.
        </p>
      )}
      <div className={classes.pair}>
        <TextInput label="First name" maxLength={userLimits.name} {...form.field('firstName')} />
        <TextInput label="Last name" maxLength={userLimits.name} {...form.field('lastName')} />
      </div>
    </>
  );
}

/** Whether the person keeps tasks, who approves them, and who sees their results. */
function TaskFields(props: Props & { readonly isFixed: boolean }) {
  const { form, userId, tasksFixed, tasksHint = null, approversBefore = [], approverNames = {}, isFixed } = props;
  const { roleBefore = null, refusedIn = nothingRefused } = props;
  const viewer = useViewer();
  const oneWay = isAdmin(viewer) ? '' : ' Only an admin can show them again.';
  // What makes all fields fixed is said once, above them.
  const isAlone = userId !== undefined && !isFixed;
  const approversRefusal = isAlone ? approversFixed(viewer, { id: userId, role: roleBefore }) : null;
  const [invisibleRefusal] = isAlone ? refusedIn('top5Invisible').values() : [];
  return (
    <>
      <ApproverPicker
        label="Approvers"
        description={approversRefusal ? `${approversRefusal.message}.` : 'Who approves this person’s tasks'}
        placeholder="Nobody yet"
        without={userId}
        before={approversBefore}
        names={approverNames}
        chosen={form.values.approverId}
        disabled={isFixed || approversRefusal !== null}
        error={form.error('approverId')}
        onChange={(approverId) => form.set({ approverId })}
      />
      {userId !== undefined && !sameApprovers(approversBefore, form.values.approverId) && (
        <MovingTasks userId={userId} chosen={form.values.approverId} />
      )}
      {form.values.top5 && form.values.role !== adminRole && !form.values.approverId.length && (
        <p className={classes.warning}>
          Without an approver, the default approver decides on their tasks. If there is none, they can’t open Tasks.
        </p>
      )}
      {userId !== undefined && (
        <Link to="/approvermanagement" search={{ open: userId }} className={classes.link}>
          See waiting tasks in Approver Management
        </Link>
      )}
      <Switch
        label="Uses S.T.A.R.T"
        description={isFixed ? null : (tasksFixed ?? tasksHint)}
        disabled={isFixed || tasksFixed !== null}
        {...form.checkbox('top5')}
      />
      <Switch
        label="Invisible in stats"
        description={
          invisibleRefusal
            ? `${invisibleRefusal}.`
            : `Left out of stats, employee lists and averages. Their approver and admins still see them.${oneWay}`
        }
        disabled={isFixed || invisibleRefusal !== undefined}
        {...form.checkbox('top5Invisible')}
      />
    </>
  );
}

/** The waiting tasks that another approver gets, before they do. */
function MovingTasks({ userId, chosen }: { readonly userId: string; readonly chosen: readonly string[] }) {
  const { data: row } = useQuery(personRowQuery(userId));
  return row && <PersonPending {...{ row, chosen }} />;
}
