import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { givingRefusal, oneWayWarning, ownAccessRefusal } from '#core/access/holdings.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { asApiError } from '#web/api/api-error.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useViewer } from '#web/api/viewer.ts';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { type Problem, problemOf, UserFields } from './user-fields.tsx';
import classes from './user-panel.module.css';
import { useUpdateUser } from './users-calls.ts';
import { isPermitted } from './users-choice.ts';
import { rolesQuery, type User, type UserDetail, type UserValues, userQuery } from './users-queries.ts';

const valuesOf = ({ user }: UserDetail): UserValues => ({
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

const equal = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Only what was changed is sent: two people may change different things of one person one after the other. */
function changedFields(before: UserValues, after: UserValues): Partial<UserValues> {
  const keys = (Object.keys(before) as (keyof UserValues)[]).filter((key) => !equal(before[key], after[key]));
  return Object.fromEntries(keys.map((key) => [key, after[key]]));
}

/** What was typed, and the version of the person that it was typed over. */
type Edits = { readonly version: string; readonly fields: Partial<UserValues> };

/** What is edited of a person, and sending it. It is kept when the panel closes or shows another tab. */
function useUserForm(detail: UserDetail) {
  const client = useQueryClient();
  // What the person was when the editing began; another version that comes meanwhile does not take away what is typed.
  const draft = useDraft<Edits | null>(`person:${detail.user.id}`, null);
  const [base, setBase] = useState(() => ({ ...detail, version: draft.value?.version ?? detail.version }));
  const edited = draft.value?.fields ?? {};
  const keep = (version: string, fields: Partial<UserValues>) =>
    Object.keys(fields).length === 0 ? draft.discard() : draft.change({ version, fields });
  const [problem, setProblem] = useState<Problem | null>(null);
  const update = useUpdateUser();
  const isStale = base.version !== detail.version;
  const isTouched = Object.keys(changedFields(valuesOf(base), { ...valuesOf(base), ...edited })).length > 0;
  if (isStale && !isTouched) setBase(detail);
  const values = { ...valuesOf(base), ...edited };
  const begin = (next: UserDetail, kept: Partial<UserValues>) => {
    setBase(next);
    keep(next.version, kept);
    setProblem(null);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (update.isPending || !isTouched) return;
    const { approverId, ...fields } = changedFields(valuesOf(base), values);
    const { id: userId, displayName } = base.user;
    update.mutate(
      { userId, version: base.version, ...fields, ...(approverId ? { approverId: [...approverId] } : {}) },
      {
        onSuccess: async () => {
          showToast({ message: `${displayName} is saved` });
          begin(await client.fetchQuery(userQuery(userId)), {});
        },
        onError: (error) => {
          const failure = asApiError(error);
          setProblem(problemOf(failure));
          if (failure.code === 'CONFLICT') void client.invalidateQueries(userQuery(userId));
        },
      },
    );
  };
  const edit = (next: UserValues) => {
    keep(base.version, changedFields(valuesOf(base), next));
    setProblem(null);
  };
  return {
    values,
    edit,
    save,
    problem,
    isTouched,
    isStale,
    busy: update.isPending,
    discard: () => begin(detail, {}),
    bringIn: () => begin(detail, changedFields(valuesOf(base), values)),
  };
}

/** Why the viewer can't switch the person's tasks on or off, and what to know before. */
function useTasksSwitch({ user }: UserDetail): { readonly fixed: string | null; readonly hint: string | null } {
  const viewer = useViewer();
  const permission = [topFivePermission] as const;
  const refusal = ownAccessRefusal(viewer, user.id) ?? (isPermitted(user) ? null : givingRefusal(viewer, permission));
  return {
    fixed: user.top5Bound ?? refusal?.message ?? null,
    hint: isPermitted(user) ? oneWayWarning(viewer, permission) : null,
  };
}

export function UserForm({ detail, users }: { detail: UserDetail; users: readonly User[] }) {
  const tasks = useTasksSwitch(detail);
  const { data: roles = [] } = useQuery(rolesQuery);
  const { values, edit, save, problem, isTouched, isStale, busy, discard, bringIn } = useUserForm(detail);
  return (
    <form onSubmit={save} noValidate>
      {isStale && isTouched && (
        <div className={classes.stale} role="alert">
          <p>
            Somebody else changed this person meanwhile. Your changes are kept: look at what is there now, then save.
          </p>
          <Button variant="default" mt={8} onClick={bringIn}>
            Bring in their changes
          </Button>
        </div>
      )}
      <Writes>
        <UserFields
          values={values}
          onChange={edit}
          users={users}
          roles={roles}
          problem={problem}
          userId={detail.user.id}
          held={[...detail.rolePermissions, ...detail.grants]}
          grants={detail.grants}
          roleBefore={detail.user.role}
          tasksFixed={tasks.fixed}
          tasksHint={tasks.hint}
          reachRefusal={detail.reachRefusal}
        />
      </Writes>
      <div className={classes.actions}>
        {isTouched && <span className={classes.unsaved}>Unsaved changes</span>}
        <Button size="sm" variant="default" disabled={!isTouched} onClick={discard}>
          Discard
        </Button>
        <Writes>
          <Button size="sm" type="submit" disabled={!isTouched || isStale} loading={busy}>
            Save
          </Button>
        </Writes>
      </div>
    </form>
  );
}
