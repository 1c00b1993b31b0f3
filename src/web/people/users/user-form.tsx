import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { givingRefusal, oneWayWarning } from '#core/access/holdings.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { updateUserInput } from '#core/people/accounts.ts';
import { mergeApprovers } from '#core/people/approvers.ts';
import { useDraft } from '#web/api/drafts.ts';
import type { PeopleNames } from '#web/api/people-search.ts';
import { useViewer } from '#web/api/viewer.ts';
import { FieldDifference } from '#web/ui/conflict.tsx';
import { Form, type FormOf, useForm } from '#web/ui/form.tsx';
import { linesOf } from '#web/ui/text-difference.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { useRestoreApprovers } from '../shared/approver-queries.ts';
import { usePeopleToChoose } from '../shared/people-to-choose.ts';
import { StaleNotice } from '../shared/stale-notice.tsx';
import { AskForRole } from './ask-for-role.tsx';
import { leftQuery } from './bulk-calls.ts';
import { givenRole, useLeftWithoutApprover, useRoleVersion } from './role-fields.tsx';
import { UserFields, userFieldNames } from './user-fields.tsx';
import classes from './user-panel.module.css';
import { useUpdateUser } from './users-calls.ts';
import { isPermitted, teamTitle } from './users-choice.ts';
import { refusedIn, rolesQuery, type UserDetail, type UserValues, userQuery } from './users-queries.ts';

const valuesOf = ({ user }: Pick<UserDetail, 'user'>): UserValues => ({
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  role: user.role ?? '',
  team: user.team ?? '',
  approverId: user.approverId,
  top5: isPermitted(user),
  top5Invisible: user.top5Invisible,
  reason: '',
});

/** What giving a requested role sends. */
const givenFields: readonly string[] = ['role', 'reason'] satisfies (keyof UserValues)[];

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Sends only changed fields: two people can edit different fields one after the other. */
function changedFields(before: UserValues, after: UserValues): Partial<UserValues> {
  const keys = (Object.keys(before) as (keyof UserValues)[]).filter((key) => !equal(before[key], after[key]));
  return Object.fromEntries(keys.map((key) => [key, after[key]]));
}

/** The changed fields on top of what someone else saved: of the approvers, both changes. */
function mergedFields(before: UserValues, after: UserValues, now: UserValues): Partial<UserValues> {
  const { approverId, ...fields } = changedFields(before, after);
  return {
    ...fields,
    ...(approverId && { approverId: mergeApprovers(before.approverId, approverId, now.approverId) }),
  };
}

const updateOf = ({ approverId, ...fields }: Partial<UserValues>, roleVersion: string | undefined) => ({
  ...fields,
  ...(approverId ? { approverId: [...approverId] } : {}),
  ...(fields.role && roleVersion ? { roleVersion } : {}),
});

/** The input, and the person's version and approvers it is based on. Drafts from before lack `approvers`. */
type Edits = {
  readonly version: string;
  readonly approvers?: readonly string[];
  readonly fields: Partial<UserValues>;
};

/** The version and approvers that the edits started from: others may have changed them since. */
const basedOn = (edits: Edits | null, detail: UserDetail): UserDetail => ({
  ...detail,
  version: edits?.version ?? detail.version,
  user: { ...detail.user, approverId: [...(edits?.approvers ?? detail.user.approverId)] },
});

/** The person's state at the start of editing: a newer version doesn't discard the input. */
function useEdits(detail: UserDetail) {
  const draft = useDraft<Edits | null>(`person:${detail.user.id}`, null);
  const [begun, setBegun] = useState(() => ({
    base: basedOn(draft.value, detail),
    times: 0,
    replaced: null as UserValues | null,
  }));
  const { base, times, replaced } = begun;
  const before = valuesOf(base);
  const initial = { ...before, ...draft.value?.fields };
  const isTouched = Object.keys(changedFields(before, initial)).length > 0;
  const isStale = base.version !== detail.version;
  if (isStale && !isTouched) setBegun({ base: detail, times: times + 1, replaced: null });
  const keep = ({ version, user }: UserDetail, fields: Partial<UserValues>) =>
    Object.keys(fields).length === 0 ? draft.discard() : draft.change({ version, approvers: user.approverId, fields });
  return {
    base,
    /** A new key resets the form. */
    key: times,
    before,
    initial,
    isTouched,
    isStale,
    /** What was saved before someone else's changes were loaded into it, or null. */
    replaced,
    keep: (values: UserValues) => keep(base, changedFields(before, values)),
    begin: (next: UserDetail, fields: Partial<UserValues>, withOthers = false) => {
      setBegun({ base: next, times: times + 1, replaced: withOthers ? before : null });
      keep(next, fields);
    },
  };
}

/** Why the viewer can't switch the person's tasks, and a warning before. */
function useTasksSwitch(detail: UserDetail): { readonly fixed: string | null; readonly hint: string | null } {
  const viewer = useViewer();
  const { user } = detail;
  const permission = [topFivePermission] as const;
  const [refused = null] = refusedIn(detail, 'top5').values();
  const refusal = isPermitted(user) ? null : givingRefusal(viewer, permission);
  return {
    fixed: user.top5Bound ?? refusal?.message ?? refused,
    hint: isPermitted(user) ? oneWayWarning(viewer, permission) : null,
  };
}

type FormProps = {
  readonly detail: UserDetail;
  /** Saving another email address revoked the open one-time link. */
  readonly onLinkRevoked?: () => void;
};

/** The input survives closing the panel or switching tabs. */
export function UserForm(props: FormProps) {
  const edits = useEdits(props.detail);
  return <EditsForm key={edits.key} edits={edits} {...props} />;
}

type EditsProps = FormProps & { readonly edits: ReturnType<typeof useEdits> };

/** Saves what was changed, or only a requested role. */
function usePersonForm({ edits, onLinkRevoked }: EditsProps) {
  const { base, before, initial, isStale, keep, begin } = edits;
  const client = useQueryClient();
  const { data: roles = [] } = useQuery(rolesQuery);
  const { id: userId, displayName } = base.user;
  const mutation = useUpdateUser();
  const restore = useRestoreApprovers();
  const isGiving = useRef(false);
  const changedIn = (values: UserValues, isSent: boolean) =>
    Object.fromEntries(
      Object.entries(changedFields(before, values)).filter(
        ([name]) => !isGiving.current || givenFields.includes(name) === isSent,
      ),
    );
  const form = useForm({
    initial,
    input: (values) => ({ userId, version: base.version, ...updateOf(changedIn(values, true), roleVersion) }),
    schema: updateUserInput,
    names: userFieldNames,
    mutation,
    onSent: async (answer) => {
      const [changed, ...others] = Object.keys(changedFields(before, valuesOf({ user: answer })));
      const [was, is] = [base.user.approverId, answer.approverId];
      const undo = () => restore.mutate({ userId, before: is, after: was });
      const isUndoable = changed === 'approverId' && others.length === 0;
      showToast({ message: `Changes to ${displayName} saved`, ...(isUndoable && { onUndo: undo }) });
      const unsent = isGiving.current ? changedIn(form.values, false) : {};
      const saved = await client.fetchQuery(userQuery(userId));
      const isRevoked = base.user.linkUntil !== null && saved.user.linkUntil === null;
      // A link that expired or was used is gone, too.
      if (isRevoked && base.user.email !== saved.user.email) onLinkRevoked?.();
      begin(saved, { ...unsent, ...form.typedSince() });
    },
    keep,
  });
  const send = (isGivingRole: boolean) => {
    if (!form.busy) isGiving.current = isGivingRole;
    form.send();
  };
  const give = async (role: string) => {
    const isChosen = form.values.role === role;
    form.set({ role });
    if (isChosen) return send(true);
    // The form names those who are left, or says that it couldn't check: a second press, or Save, gives the
    // role. Leaving the form, or choosing another role, ends the check.
    const left = await client.fetchQuery(leftQuery([userId], givenRole(role, base.user.role))).catch(() => null);
    if (left?.length === 0) send(true);
  };
  // The notice says it, too.
  const failure = isStale && mutation.error?.code === 'CONFLICT' ? null : form.failure;
  const roleVersion = useRoleVersion(form.values.role, roles, mutation.error);
  return { form: { ...form, failure, send: () => send(false) }, roles, give };
}

function EditsForm(props: EditsProps) {
  const { edits, detail } = props;
  const { base, before, isTouched, isStale, replaced, begin } = edits;
  const tasks = useTasksSwitch(detail);
  const held = [...detail.rolePermissions, ...detail.grants];
  const { form, roles, give } = usePersonForm(props);
  // Who is left without an approver is read before saving.
  const given = givenRole(form.values.role, base.user.role);
  const { isAsking } = useLeftWithoutApprover({ userIds: [detail.user.id], given });
  const isLocked = !isTouched || isStale || isAsking;
  return (
    <Form form={form} disabled={isLocked}>
      <UserFields
        form={form}
        roles={roles}
        userId={detail.user.id}
        held={held}
        request={!detail.user.disabled && <Request {...{ form, detail, held, before, isAsking }} onGive={give} />}
        // Warnings are about what the viewer changes, not about what someone else saved.
        grants={base.grants}
        approversBefore={base.user.approverId}
        approverNames={namesOf(base.user)}
        roleBefore={base.user.role}
        tasksFixed={tasks.fixed}
        tasksHint={tasks.hint}
        reachRefusal={detail.reachRefusal}
        refusedIn={(field) => refusedIn(detail, field)}
        teamBefore={detail.user.team}
        invitedAt={base.user.linkUntil === null ? null : base.user.email}
      />
      {/* Beside Save, which it stops. */}
      {isStale && isTouched && (
        <StaleNotice onLoad={() => begin(detail, mergedFields(before, form.values, valuesOf(detail)), true)} />
      )}
      {replaced && !isStale && <LoadedChanges {...{ replaced, base }} saved={before} typed={form.values} />}
      <div className={classes.actions}>
        {isTouched && <span className={classes.unsaved}>Unsaved changes</span>}
        <Button size="sm" variant="default" disabled={!isTouched} onClick={() => begin(detail, {})}>
          Discard
        </Button>
        <Button size="sm" type="submit" disabled={isLocked} loading={form.busy}>
          Save
        </Button>
      </div>
    </Form>
  );
}

/** Everything but the reason, which isn't part of the saved person. */
const comparedFields = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  role: 'Role',
  team: 'Team',
  approverId: 'Approvers',
  top5: 'Uses S.T.A.R.T',
  top5Invisible: 'Invisible in stats',
} as const satisfies Record<Exclude<keyof UserValues, 'reason'>, string>;
type Compared = keyof typeof comparedFields;

type LoadedProps = {
  readonly base: UserDetail;
  readonly replaced: UserValues;
  readonly saved: UserValues;
  readonly typed: UserValues;
};

/** What Save replaces, and what someone else changed besides. Of the approvers, it keeps both changes. */
function LoadedChanges({ base, replaced, saved, typed }: LoadedProps) {
  const ids = [...new Set([replaced, saved, typed].flatMap(({ approverId }) => approverId))];
  const { people, labelOf, unseen } = usePeopleToChoose(ids, namesOf(base.user));
  const labels = [...unseen, ...people.map((person) => ({ value: person.id, label: labelOf(person) }))];
  const peopleNames = Object.fromEntries(labels.map(({ value, label }) => [value, label]));
  const names = Object.keys(comparedFields) as Compared[];
  const own = names.filter((name) => !equal(saved[name], typed[name]));
  const others = names.filter(
    (name) => !equal(replaced[name], saved[name]) && (name === 'approverId' || !own.includes(name)),
  );
  return (
    <>
      {own.length > 0 && (
        <section aria-label="Your changes" className={classes.compared}>
          <p>Crossed out: only in the saved version. Underlined: only in yours.</p>
          <Differences names={own} before={saved} after={typed} peopleNames={peopleNames} />
        </section>
      )}
      {others.length > 0 && (
        <section aria-label="Other changes" className={classes.compared}>
          <p>Someone else changed these.</p>
          <Differences names={others} before={replaced} after={saved} peopleNames={peopleNames} />
        </section>
      )}
    </>
  );
}

type DifferencesProps = {
  readonly names: readonly Compared[];
  readonly before: UserValues;
  readonly after: UserValues;
  readonly peopleNames: PeopleNames;
};

const Differences = ({ names, before, after, peopleNames }: DifferencesProps) =>
  names.map((name) => (
    <FieldDifference
      key={name}
      name={comparedFields[name]}
      before={wordsOf(before, name, peopleNames)}
      after={wordsOf(after, name, peopleNames)}
      {...(name === 'approverId' && { partsOf: linesOf })}
    />
  ));

/** Approvers are a line each, which is marked as a whole. */
function wordsOf(values: UserValues, name: Compared, peopleNames: PeopleNames): string {
  if (name === 'approverId') return values.approverId.map((id) => `${peopleNames[id]}\n`).join('') || 'None\n';
  if (name === 'team') return teamTitle(values.team) || 'None';
  const value = values[name];
  return typeof value === 'string' ? value || 'None' : value ? 'Yes' : 'No';
}

type RequestProps = FormProps & {
  readonly form: FormOf<UserValues>;
  readonly held: readonly string[];
  readonly before: UserValues;
  readonly isAsking: boolean;
  readonly onGive: (role: string) => void;
};

function Request({ form, detail, held, before, isAsking, onGive }: RequestProps) {
  // Giving it was refused, so the form still has it. Saving other changes would give it.
  const putBack = (role: string) => {
    if (form.values.role === role) form.set({ role: before.role, reason: '' });
  };
  return (
    <AskForRole
      user={detail.user}
      asked={detail.rolesAsked}
      grants={detail.grants}
      chosenRole={form.values.role}
      {...{ held, isAsking, onGive }}
      onDecline={putBack}
    />
  );
}

const namesOf = ({ approverId, approverNames }: UserDetail['user']): PeopleNames =>
  Object.fromEntries(approverId.map((id, at) => [id, approverNames[at] ?? id]));
