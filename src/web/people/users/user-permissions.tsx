import { Button, Checkbox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { can, heldPermissions } from '#core/access/access.ts';
import { givingRefusal, oneWayWarning, ownAccessRefusal } from '#core/access/holdings.ts';
import { type PermissionSource, permissionSources } from '#core/access/permission-sources.ts';
import {
  type Permission,
  permissionGroups,
  permissionKeys,
  permissions,
  readPermission,
} from '#core/access/permissions.ts';
import { listWords } from '#core/base/formats.ts';
import { isAccountOfAdmin } from '#core/people/accounts.ts';
import { isUnanswered } from '#web/api/api-error.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useViewer } from '#web/api/viewer.ts';
import { useHold } from '#web/ui/dialog.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import { LeftWithoutApprover, useLeftWithoutApprover } from './role-fields.tsx';
import classes from './user-panel.module.css';
import { useUpdateUser } from './users-calls.ts';
import { type UserDetail, userQuery } from './users-queries.ts';

const givingHint = 'You can give permissions that you have. Ask an admin for others.';

type Ticks = ReadonlyMap<Permission, boolean>;
type Tick = readonly [Permission, boolean];

/** The stored grants with these ticks. A grant may be stored in an earlier spelling. */
function withTicks(stored: readonly string[], ticks: Ticks): string[] {
  const kept = stored.filter((grant) => ticks.get(readPermission(grant) ?? (grant as Permission)) !== false);
  const held = heldPermissions(null, kept);
  return [...kept, ...[...ticks.keys()].filter((key) => ticks.get(key) && !held.includes(key))];
}

/** Ticks of direct grants, until Save. They keep what others save before that. */
export function useGrants(detail: UserDetail) {
  const client = useQueryClient();
  const update = useUpdateUser();
  const { id: userId, displayName } = detail.user;
  // Like the person's form, it keeps what isn't saved.
  const draft = useDraft<readonly Tick[]>(`grants:${userId}`, []);
  const ticks: Ticks = new Map(draft.value);
  const setTicks = (next: Ticks) => (next.size === 0 ? draft.discard() : draft.change([...next]));
  const saved = heldPermissions(null, detail.grants);
  const changed: Ticks = new Map([...ticks].filter(([key, on]) => saved.includes(key) !== on));
  const save = useMutation({
    mutationFn: async (sent: Ticks) => {
      await update.mutateAsync({ userId, version: detail.version, permissions: withTicks(detail.grants, sent) });
      await client.fetchQuery(userQuery(userId));
    },
    onSuccess: (_saved, sent) => {
      setTicks(new Map([...ticks].filter(([key, on]) => sent.get(key) !== on)));
      showToast({ message: `Changes to ${displayName} saved` });
    },
    // Shows whether it was saved.
    onError: (error) => void (isUnanswered(error) && client.invalidateQueries(userQuery(userId))),
  });
  useHold(save.isPending);
  // A tick that matches what is stored isn't a change. Kept, it would undo what others save later.
  useEffect(() => {
    if (changed.size < ticks.size && !save.isPending) setTicks(changed);
  });
  const stored = withTicks(detail.grants, changed);
  const grants = heldPermissions(null, stored);
  return {
    grants,
    /** As they are stored after Save. */
    stored,
    changed,
    toggle: (permission: Permission) => setTicks(new Map(changed).set(permission, !grants.includes(permission))),
    discard: () => setTicks(new Map()),
    save: () => save.mutate(changed),
    isSaving: save.isPending,
  };
}
export type Grants = ReturnType<typeof useGrants>;

type Props = { readonly detail: UserDetail; readonly grants: Grants };

/** All permissions, which of them this person has, and from where. Direct grants can be edited here. */
export function UserPermissions({ detail, grants }: Props) {
  const { user, rolePermissions } = detail;
  const held = new Map(
    permissionSources(user.role, rolePermissions, grants.grants).map(({ permission, sources }) => [
      permission,
      sources,
    ]),
  );
  const viewer = useViewer();
  const isOfAdmin = isAccountOfAdmin(user);
  const own = ownAccessRefusal(viewer, user.id);
  const lacking = isOfAdmin ? null : (own ?? givingRefusal(viewer, permissionKeys));
  return (
    <>
      <p className={classes.sentence}>
        {isOfAdmin
          ? 'Admins have every permission.'
          : `${held.size} of ${permissionKeys.length} permissions, from ${user.role === null ? '' : `the role ${user.role} and `}direct permissions. Check one to grant it directly.`}
      </p>
      {lacking && <p className={classes.sentence}>{own ? `${own.message}.` : givingHint}</p>}
      {user.role === null && (
        <p className={classes.sentence}>Permissions only work with a role. Give this person a role first.</p>
      )}
      {permissionGroups.map((group) => (
        <section key={group} className={classes.group}>
          <h3>{group}</h3>
          {permissionKeys
            .filter((permission) => permissions[permission].group === group)
            .map((permission) => (
              <PermissionBox
                key={permission}
                permission={permission}
                sources={held.get(permission) ?? []}
                role={user.role}
                isFixed={isOfAdmin || own !== null}
                isLacking={!can(viewer, permission)}
                isChanged={grants.changed.has(permission)}
                onToggle={() => grants.toggle(permission)}
              />
            ))}
        </section>
      ))}
      <SaveGrants userId={user.id} {...grants} />
    </>
  );
}

const mostNames = 4;

function namesOf(list: readonly Permission[]): string {
  const titles = list.map((permission) => permissions[permission].title);
  const rest = titles.length - mostNames;
  return listWords(rest > 1 ? [...titles.slice(0, mostNames), `${rest} more`] : titles);
}

/** Stays in view below the list while there are unsaved changes. */
function SaveGrants({ userId, stored, changed, discard, save, isSaving }: Grants & { readonly userId: string }) {
  const viewer = useViewer();
  const added = [...changed.keys()].filter((permission) => changed.get(permission));
  const removed = [...changed.keys()].filter((permission) => !changed.get(permission));
  const oneWay = oneWayWarning(viewer, removed);
  const sentences = [
    added.length > 0 && `Grants ${namesOf(added)}.`,
    removed.length > 0 && `Removes ${namesOf(removed)}.`,
    oneWay && `${oneWay}.`,
  ];
  const words = sentences.filter(Boolean).join(' ');
  const left = { userIds: [userId], given: removed.length > 0 ? { permissions: stored } : null };
  // It is read before saving.
  const { isAsking } = useLeftWithoutApprover(left);
  return (
    <>
      <p className="visually-hidden" role="status">
        {words && `Not saved yet: ${words}`}
      </p>
      {words && (
        <section className={classes.foot} data-foot aria-label="Unsaved changes">
          <div className={classes.changes}>
            <p>{words}</p>
            <LeftWithoutApprover {...left} />
          </div>
          <Button size="sm" variant="default" disabled={isSaving} onClick={discard}>
            Discard
          </Button>
          <Writes>
            <Button size="sm" loading={isSaving} disabled={isAsking} onClick={save}>
              Save
            </Button>
          </Writes>
        </section>
      )}
    </>
  );
}

type BoxProps = {
  readonly permission: Permission;
  readonly sources: readonly PermissionSource[];
  readonly role: string | null;
  readonly isFixed: boolean;
  /** The viewer doesn't have it, so they can remove it but not give it. */
  readonly isLacking: boolean;
  /** Ticked or not, it isn't saved yet. */
  readonly isChanged: boolean;
  readonly onToggle: () => void;
};

function PermissionBox({ permission, sources, role, isFixed, isLacking, isChanged, onToggle }: BoxProps) {
  const { title, meaning } = permissions[permission];
  // What isn't saved yet can be taken back.
  const isLocked = sources.length === 0 && isLacking && !isChanged;
  const isOfRoleOnly = sources.includes('role') && !sources.includes('direct') && !isChanged;
  return (
    <div className={classes.permission}>
      <Writes>
        <Checkbox
          label={title}
          description={meaning}
          checked={sources.length > 0}
          disabled={isFixed || isLocked || isOfRoleOnly}
          onChange={onToggle}
        />
      </Writes>
      <span className={classes.from}>
        {isLocked && !isFixed
          ? 'You don’t have this'
          : isChanged
            ? 'Not saved yet'
            : sources.map((source) => sourceWords(source, role)).join(', ')}
      </span>
    </div>
  );
}

function sourceWords(source: PermissionSource, role: string | null): string {
  if (source === 'admin') return 'as an admin';
  return source === 'role' ? `role ${role}` : 'direct permission';
}
