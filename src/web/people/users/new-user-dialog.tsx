import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { givingRefusal } from '#core/access/holdings.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { createUserInput } from '#core/people/accounts.ts';
import { type Draft, useDraft, useHasDraft } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog, DialogActions, useAskingClose, useHold } from '#web/ui/dialog.tsx';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { doublePressMs } from '#web/ui/timing.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { UnsentNotice } from '#web/ui/unsent-notice.tsx';
import { AskForRole } from './ask-for-role.tsx';
import { lockedRoles, RoleReason, RoleSelect, useRoleVersion } from './role-fields.tsx';
import { SignInLinkView } from './sign-in-link.tsx';
import classes from './user-fields.module.css';
import { emptyValues, UserFields, userFieldNames } from './user-fields.tsx';
import { useCreateUser, useGiveRole, useMakeLink } from './users-calls.ts';
import { rolesQuery, type User, type UserValues } from './users-queries.ts';

export const newUserDraft = 'new-person';

/** The words of the button that opens the form, which say that a draft waits in it. */
export const NewPersonWords = () => (useHasDraft(newUserDraft) ? 'New person (draft)' : 'New person');

type Props = { readonly opened: boolean; readonly onClose: () => void };

/** `wanted`: the role that the admins are asked for. */
type Made = { readonly user: User; readonly wanted: string | null };

/** Creates a person, then their invitation. It stays until both are there, unless its page is left. */
export function NewUserDialog({ opened, onClose }: Props) {
  const [made, setMade] = useState<Made | null>(null);
  const close = () => {
    onClose();
    setMade(null);
  };
  const title = made ? `Invite ${made.user.displayName}` : 'New person';
  return (
    <Dialog opened={opened} title={title} onClose={close} width={520}>
      {made ? <Invitation {...made} onMade={setMade} /> : <NewUserForm onMade={setMade} onClose={close} />}
    </Dialog>
  );
}

type FormProps = {
  readonly onMade: (made: Made) => void;
  readonly onClose: () => void;
};

function NewUserForm({ onMade, onClose }: FormProps) {
  const viewer = useViewer();
  const refusal = givingRefusal(viewer, [topFivePermission]);
  const blank: UserValues = { ...emptyValues, top5: refusal === null };
  const draft = useDraft(newUserDraft, blank);
  const { data: roles = [] } = useQuery(rolesQuery);
  const locked = lockedRoles(viewer, roles, []);
  const mutation = useCreateUser();
  // After leaving the page, nobody would see the link, so none is made.
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const form = useForm({
    initial: draft.value,
    input: ({ reason, ...values }) => ({
      ...values,
      ...(locked.has(values.role) ? { role: '' } : roleVersion ? { roleVersion } : {}),
      top5: refusal === null && values.top5,
      approverId: [...values.approverId],
      ...(reason ? { reason } : {}),
    }),
    schema: createUserInput,
    names: userFieldNames,
    mutation,
    onSent: (user) => {
      draft.discard();
      if (!isShown.current) return showToast({ message: uninvitedWords(user) });
      showToast({ message: `${user.displayName} has an account` });
      onMade({ user, wanted: locked.has(role) ? role : null });
    },
    keep: draft.change,
  });
  const { role } = form.values;
  const roleVersion = useRoleVersion(role, roles, mutation.error);
  const discard = () => {
    draft.discard();
    onClose();
  };
  return (
    <Form form={form} submit="Create and invite" cancel="Discard" onCancel={discard} sendsByEnter={false}>
      <Unsent {...{ form, draft, blank }} />
      <UserFields
        form={form}
        roles={roles}
        tasksFixed={refusal?.message ?? null}
        asksForRole
        request={<RoleHint role={role} isLocked={locked.has(role)} />}
        autoFocus
      />
    </Form>
  );
}

function RoleHint({ role, isLocked }: { readonly role: string; readonly isLocked: boolean }) {
  const { data: roles } = useQuery(rolesQuery);
  if (isLocked) return <p className={classes.hint}>{requestWords(role)}</p>;
  // Only an admin sees this: everyone else has a role.
  if (roles?.length !== 0) return null;
  return (
    <p className={classes.hint}>
      There are no roles yet.{' '}
      <Link to="/role-editor" className={classes.link}>
        Create roles
      </Link>
    </p>
  );
}

type UnsentProps = {
  readonly form: FormOf<UserValues>;
  readonly draft: Draft<UserValues>;
  readonly blank: UserValues;
};

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Says that the form holds a person who wasn't created, until no field is left of them. */
function Unsent({ form, draft, blank }: UnsentProps) {
  const [found] = useState(draft.restored ? draft.value : blank);
  const fields = Object.keys(blank) as (keyof UserValues)[];
  const left = fields.filter((name) => !equal(found[name], blank[name]) && equal(found[name], form.values[name]));
  if (left.length === 0) return null;
  const startOver = () => {
    form.set(blank);
    form.node.current?.querySelector('input')?.focus();
  };
  const name = `${found.firstName} ${found.lastName}`.trim() || found.email;
  return (
    <UnsentNotice actions={[{ label: 'Start over', run: startOver }]}>
      Unsent draft restored{name && `: ${name}`}.
    </UnsentNotice>
  );
}

const uninvitedWords = ({ displayName }: User): string =>
  `${displayName} has an account but no invitation yet. Create it in User Management, under Sign-in`;

const requestWords = (role: string): string =>
  `The role ${role} needs an admin’s OK. We’ll request it when you create the account.`;

/** Sends the invitation, or shows its link, as soon as the person exists. */
function Invitation({ user, wanted, onMade }: Made & Pick<FormProps, 'onMade'>) {
  const close = useAskingClose();
  const link = useMakeLink(user.id);
  const shownAt = useRef(performance.now());
  useEffect(() => link.mutate(), [link.mutate]);
  // The second click of a double-click on "Create and invite" lands here, and would close what is shown only
  // once.
  const end = useRef<HTMLButtonElement>(null);
  // A button that is still disabled can't be focused, and a link is copied first.
  const isEnded = link.isSuccess || link.isError;
  const isShown = link.data?.token != null;
  // A link that arrives after closing would be lost: it is shown once.
  useHold(!isEnded);
  useEffect(() => {
    if (isEnded && !isShown) end.current?.focus();
  }, [isEnded, isShown]);
  const done = () => performance.now() - shownAt.current > doublePressMs && close();
  return (
    <>
      <p>
        {user.displayName} now has an account. {invitationWords[link.status]}
      </p>
      <SignInLinkView userId={user.id} link={link.data} />
      {user.role === null && (
        <div className={classes.missing}>
          <p className={classes.warning}>{user.firstName || user.displayName} can’t open anything without a role.</p>
          {wanted !== null && <AskForRole user={user} wanted={wanted} />}
          {wanted === null && isEnded && <FirstRole user={user} onMade={onMade} />}
        </div>
      )}
      <DialogActions primary="Done" primaryRef={end} disabled={!isEnded} onPrimary={done} cancel={null}>
        {link.isError && (
          <Button size="sm" variant="default" loading={link.isPending} onClick={() => link.mutate()}>
            Invite again
          </Button>
        )}
      </DialogActions>
    </>
  );
}

type FirstRoleProps = Pick<Made, 'user'> & Pick<FormProps, 'onMade'>;

/** For a person who was created without a role: gives them one, or asks the admins if the viewer can't. */
function FirstRole({ user, onMade }: FirstRoleProps) {
  const viewer = useViewer();
  const { data: roles = [] } = useQuery(rolesQuery);
  const mutation = useGiveRole(user.id);
  const form = useForm({
    initial: { role: '', reason: '' },
    input: ({ role: given, reason }) => ({
      ...{ role: given, ...(roleVersion && { roleVersion }), ...(reason && { reason }) },
    }),
    mutation,
    onSent: (updated) => {
      showToast({ message: `${updated.displayName} has the role ${role}` });
      onMade({ user: updated, wanted: null });
    },
  });
  const { role, reason } = form.values;
  const roleVersion = useRoleVersion(role, roles, mutation.error);
  const isLocked = lockedRoles(viewer, roles, []).has(role);
  const send = () => (isLocked ? onMade({ user, wanted: role }) : form.send());
  return (
    <Form form={{ ...form, send }} disabled={role === ''}>
      <div className={classes.ask}>
        <RoleSelect field={form.choice('role')} value={role} roles={roles} held={[]} asksForRole />
        <Button size="sm" variant="default" type="submit" disabled={role === ''} loading={form.busy}>
          {isLocked ? 'Request role' : 'Give role'}
        </Button>
      </div>
      {(reason !== '' || form.error('reason')) && <RoleReason field={form.field('reason')} />}
    </Form>
  );
}

/** `SignInLinkView` says what came of it. */
const invitationWords = {
  idle: 'Creating the invitation…',
  pending: 'Creating the invitation…',
  success: '',
  error: 'The invitation couldn’t be created. Invite again, or create it later under Sign-in.',
} as const;
