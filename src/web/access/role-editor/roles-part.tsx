import { Button, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Ref, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { adminRole } from '#core/access/access.ts';
import { type Permission, starterRoles } from '#core/access/permissions.ts';
import { listWords } from '#core/base/formats.ts';
import { useDraft } from '#web/api/drafts.ts';
import { useLive } from '#web/api/live.ts';
import { useMutation } from '#web/api/mutation.ts';
import { useAddress } from '#web/shell/address.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LazyPart, lazyPart } from '#web/ui/lazy-part.tsx';
import { Panel } from '#web/ui/panel.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { useShortcuts } from '#web/ui/shortcuts.ts';
import { Loading, SkeletonRows } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toasts.tsx';
import { Writes } from '#web/ui/writes.tsx';
import type { SavedChanges } from './difference-dialog.tsx';
import { NewRoleDialog } from './new-role-dialog.tsx';
import { countChanges, lostChanges, type Pending, withPermission } from './pending-roles.ts';
import { permissionsLike, RoleMatrix } from './role-matrix.tsx';
import { createRole, type ListedRole, rolesKey, rolesQuery } from './role-queries.ts';
import classes from './roles-part.module.css';
import { changesInWords, SaveBar } from './save-bar.tsx';

// Opened by a click, and each as large as the matrix itself.
const DifferenceDialog = lazyPart(
  () => import('./difference-dialog.tsx'),
  (module) => module.DifferenceDialog,
);
const RolePanel = lazyPart(
  () => import('./role-panel.tsx'),
  (module) => module.RolePanel,
);

const noChanges: Pending = {};

export default function RolesPart() {
  const client = useQueryClient();
  const roles = useQuery(rolesQuery);
  useLive((change) => {
    if (change === null) void client.invalidateQueries({ queryKey: rolesKey });
  });
  if (roles.isError && !roles.data)
    return (
      <Panel flush>
        <PanelError
          sentence="Couldn’t load the roles."
          requestId={(roles.error as { requestId?: string }).requestId}
          onRetry={() => void roles.refetch()}
        />
      </Panel>
    );
  return (
    <Loading loading={!roles.data} skeleton={<SkeletonRows rows={10} />}>
      {roles.data && <RoleEditor roles={roles.data} />}
    </Loading>
  );
}

/** The unsaved changes. `onTurn` is stable: only changed rows of the matrix render again. */
function usePending() {
  const draft = useDraft<Pending>('roles', noChanges);
  const latest = useRef(draft);
  latest.current = draft;
  const onTurn = useCallback((role: ListedRole, permission: Permission, wanted: boolean) => {
    latest.current.change(withPermission(latest.current.value, role, permission, wanted));
  }, []);
  return { draft, latest, onTurn };
}

/** Undo keeps what was changed since. */
function discardPending({ draft, latest }: ReturnType<typeof usePending>, count: number): void {
  const discarded = draft.value;
  draft.discard();
  showToast({
    message: `${changesInWords(count)} discarded`,
    onUndo: () => latest.current.change({ ...discarded, ...latest.current.value }),
  });
}

function RoleEditor({ roles }: { roles: readonly ListedRole[] }) {
  const editing = usePending();
  const { draft, onTurn } = editing;
  const [search, changeAddress] = useAddress('/role-editor');
  const [reviewing, setReviewing] = useState(false);
  // A phone starts with a role that has unsaved changes.
  const [chosen, setChosen] = useState(() => Object.keys(draft.value)[0] ?? null);
  /** The start of a new role: a copy, or nothing. */
  const [making, setMaking] = useState<{ readonly copyOf: ListedRole | null } | null>(null);
  const onOpen = useCallback((role: ListedRole) => changeAddress({ role: role.id }), [changeAddress]);
  const opened = roles.find(({ id }) => id === search.role);
  const count = countChanges(roles, draft.value);
  return (
    <>
      <LostNotice roles={roles} pending={draft.value} onDrop={draft.change} />
      <Matrix
        roles={roles}
        pending={draft.value}
        chosen={chosen}
        onChoose={setChosen}
        onTurn={onTurn}
        onOpen={onOpen}
        onNew={() => setMaking({ copyOf: null })}
      />
      <SaveBar
        roles={roles}
        pending={draft.value}
        onDiscard={() => discardPending(editing, count)}
        onReview={() => setReviewing(true)}
      />
      <LazyPart fallback={null} attempt={search.role} onFail={() => changeAddress({ role: null })}>
        {opened && (
          <RolePanel
            role={opened}
            roles={roles}
            pending={draft.value}
            onChange={draft.change}
            onCopy={() => {
              changeAddress({ role: null });
              setMaking({ copyOf: opened });
            }}
            onClose={() => changeAddress({ role: null }, { replace: true })}
          />
        )}
      </LazyPart>
      <Review editing={editing} roles={roles} opened={reviewing && count > 0} onOpen={setReviewing} />
      {making && (
        <NewRoleDialog roles={roles} copyOf={making.copyOf} onMade={setChosen} onClose={() => setMaking(null)} />
      )}
    </>
  );
}

type ReviewProps = {
  readonly editing: ReturnType<typeof usePending>;
  readonly roles: readonly ListedRole[];
  readonly opened: boolean;
  readonly onOpen: (opened: boolean) => void;
};

function Review({ editing: { draft, latest }, roles, opened, onOpen }: ReviewProps) {
  const close = () => onOpen(false);
  const sent = useRef<(SavedChanges & { readonly pending: Pending }) | null>(null);
  const onSaved = ({ words, back }: SavedChanges) => {
    sent.current = null;
    draft.discard();
    close();
    const undo = (inverse: Pending) => {
      latest.current.change(inverse);
      onOpen(true);
    };
    showToast({ message: `${words} saved`, ...(back && { onUndo: () => undo(back) }) });
  };
  // Without an answer, the roles tell: they have what was sent.
  useEffect(() => {
    if (sent.current?.pending === draft.value && countChanges(roles, draft.value) === 0) onSaved(sent.current);
  });
  return (
    <LazyPart fallback={null} attempt={opened} onFail={close}>
      {opened && (
        <DifferenceDialog
          roles={roles}
          pending={draft.value}
          onSaved={onSaved}
          onUnanswered={(changes) => {
            sent.current = { ...changes, pending: draft.value };
          }}
          onClose={close}
        />
      )}
    </LazyPart>
  );
}

type MatrixProps = {
  readonly roles: readonly ListedRole[];
  readonly pending: Pending;
  /** The role that a phone shows. */
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly onTurn: (role: ListedRole, permission: Permission, wanted: boolean) => void;
  readonly onOpen: (role: ListedRole) => void;
  readonly onNew: () => void;
};

const named = (name: string, text: string) => name.toLowerCase().includes(text.trim().toLowerCase());

function Matrix({ roles, pending, chosen, onChoose, onTurn, onOpen, onNew }: MatrixProps) {
  const [roleText, setRoleText] = useState('');
  const [permissionText, setPermissionText] = useState('');
  const phone = useMediaQuery('(max-width: 520px)', undefined, { getInitialValueInEffect: false });
  const permissionField = useRef<HTMLInputElement>(null);
  useShortcuts([
    { key: '/', label: 'Find a permission', scope: 'Role Editor', run: () => permissionField.current?.focus() },
    { key: 'c', label: 'New role', scope: 'Role Editor', writes: true, opensForm: true, run: onNew },
  ]);
  const shown = useMemo(() => permissionsLike(permissionText), [permissionText]);
  const columns = useMemo(() => {
    if (phone) return [roles.find(({ id }) => id === chosen) ?? roles[0]].filter((role) => role !== undefined);
    return roles.filter(({ name }) => named(name, roleText));
  }, [roles, phone, chosen, roleText]);
  return (
    <Panel
      title="Roles"
      note={roles.length}
      flush
      actions={
        <div className={classes.actions}>
          <FindField
            label="Find a permission"
            keys="/"
            field={permissionField}
            value={permissionText}
            onChange={setPermissionText}
          />
          {phone ? (
            <RoleSelect roles={roles} chosen={columns[0]?.id ?? null} onChoose={onChoose} />
          ) : (
            <FindField label="Find a role" value={roleText} onChange={setRoleText} />
          )}
          <Writes>
            <Button onClick={onNew}>New role</Button>
          </Writes>
        </div>
      }
    >
      {roles.length === 0 ? (
        <NoRoles />
      ) : shown.length === 0 || (columns.length === 0 && !named(adminRole, roleText)) ? (
        <EmptyState title="No matches">Try another word.</EmptyState>
      ) : (
        <RoleMatrix
          roles={columns}
          shown={shown}
          pending={pending}
          showAdmin={!phone && named(adminRole, roleText)}
          onTurn={onTurn}
          onOpen={onOpen}
        />
      )}
    </Panel>
  );
}

/** Only an admin sees it: everyone else has a role. */
function NoRoles() {
  const client = useQueryClient();
  const starters = listWords(Object.keys(starterRoles));
  const create = useMutation({
    mutationFn: async () => {
      for (const [name, permissions] of Object.entries(starterRoles)) await createRole({ name, permissions });
    },
    onSuccess: () => showToast({ message: `${starters} created. Nobody has these roles yet` }),
    // Some may have been created.
    onSettled: () => client.invalidateQueries({ queryKey: rolesKey }),
  });
  return (
    <EmptyState
      title="No roles yet"
      action={
        <Writes>
          <Button variant="default" loading={create.isPending} onClick={() => create.mutate()}>
            Create starter roles
          </Button>
        </Writes>
      }
    >
      Start with {starters}, or create your own. Then give them to people in User Management.
    </EmptyState>
  );
}

type LostProps = {
  readonly roles: readonly ListedRole[];
  readonly pending: Pending;
  readonly onDrop: (pending: Pending) => void;
};

function LostNotice({ roles, pending, onDrop }: LostProps) {
  const lost = lostChanges(roles, pending);
  if (lost.length === 0) return null;
  const drop = () => onDrop(Object.fromEntries(Object.entries(pending).filter(([id]) => !lost.includes(id))));
  return (
    <div className={classes.notice} role="alert">
      <p>
        Someone deleted {lost.length === 1 ? 'a role' : `${lost.length} roles`} that you were editing. You can still
        save your other changes.
      </p>
      <Button variant="default" onClick={drop}>
        Discard those changes
      </Button>
    </div>
  );
}

type FindProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The shortcut for this. */
  readonly keys?: string;
  readonly field?: Ref<HTMLInputElement>;
};

function FindField({ label, value, onChange, keys, field }: FindProps) {
  return (
    <TextInput
      {...(field ? { ref: field } : {})}
      type="search"
      aria-label={label}
      placeholder={label}
      aria-keyshortcuts={keys}
      leftSection={<IconSearch size={15} stroke={1.7} />}
      className={classes.find}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type SelectProps = {
  readonly roles: readonly ListedRole[];
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
};

/** The only role that fits on a phone. */
function RoleSelect({ roles, chosen, onChoose }: SelectProps) {
  return (
    <SearchSelect
      aria-label="Role"
      className={classes.find}
      data={roles.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen}
      onChange={onChoose}
      allowDeselect={false}
    />
  );
}
