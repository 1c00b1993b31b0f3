import { Checkbox, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { adminRole, isAdmin } from '#core/access/access.ts';
import { scopeKeys, scopes } from '#core/access/brands.ts';
import { adminLossWarning, oneWayWarning } from '#core/access/holdings.ts';
import { topFivePermission } from '#core/access/permissions.ts';
import { plural } from '#core/base/formats.ts';
import { userLimits } from '#core/people/accounts.ts';
import { asApiError, mayPassLater } from '#web/api/api-error.ts';
import { useViewer } from '#web/api/viewer.ts';
import { Dialog, DialogActions, useIsHeld } from '#web/ui/dialog.tsx';
import { PanelError } from '#web/ui/panel-error.tsx';
import { SearchSelect } from '#web/ui/search-select.tsx';
import { ApproverPicker } from '../shared/approver-picker.tsx';
import { previewQuery, type SharedChange, type Step, tiesQuery, useChangeUsers } from './bulk-calls.ts';
import classes from './bulk-dialog.module.css';
import { Preview, Results } from './bulk-rows.tsx';
import { DisablingFacts } from './disable-dialog.tsx';
import { InvitePeople } from './invite-people.tsx';
import {
  LeftWithoutApprover,
  lockedRoles,
  lockedRolesHint,
  lostWithRole,
  RoleOption,
  teamHint,
  useLeftWithoutApprover,
  useRoleVersion,
} from './role-fields.tsx';
import { rolesQuery, type User } from './users-queries.ts';

type Props = {
  readonly opened: boolean;
  readonly chosen: readonly User[];
  readonly onClose: () => void;
  readonly onDone: () => void;
};

const acts = {
  invite: 'Invite',
  top5On: 'Add to S.T.A.R.T',
  top5Off: 'Remove from S.T.A.R.T',
  role: 'Change role',
  team: 'Change team',
  approvers: 'Change approvers',
  disable: 'Disable accounts',
  enable: 'Enable accounts',
} as const;
type Act = keyof typeof acts;

/** A bulk action: chosen, previewed person by person, then applied. */
export function BulkDialog({ opened, chosen, onClose, onDone }: Props) {
  // As they were when it opened: a change may take them out of the list behind it.
  const [people, setPeople] = useState(chosen);
  if (!opened && people !== chosen) setPeople(chosen);
  return (
    <Dialog opened={opened} title={`Change ${peopleWords(people.length)}`} onClose={onClose} width={640}>
      {opened && <Content chosen={people} onDone={onDone} />}
    </Dialog>
  );
}

const peopleWords = (count: number): string => plural(count, 'person', 'people');

/** The chosen action, its preview and its execution. */
function useBulk(chosen: readonly User[]) {
  const [act, setAct] = useState<Act | null>(null);
  const [value, setValue] = useState<string | null>(null);
  /** Null until someone is picked, or nobody on purpose. */
  const [approverId, setApprovers] = useState<string[] | null>(null);
  const [reason, setReason] = useState('');
  const apply = useChangeUsers();
  const { data: roles = [] } = useQuery(rolesQuery);
  const roleVersion = useRoleVersion(act === 'role' ? (value ?? '') : '', roles, apply.error);
  const change = changeOf(act, value, approverId, roleVersion);
  const preview = useQuery(
    previewQuery(
      chosen.map(({ id }) => id),
      change,
    ),
  );
  const rows = preview.data ?? [];
  const concerned = rows.filter(({ changes }) => changes.length > 0);
  const wantsReason = concerned.some(({ lacking }) => lacking.length > 0);
  const run = () => {
    if (change === null) return;
    apply.mutate([
      {
        users: concerned.map(({ userId, version }) => ({ userId, version })),
        change: { ...change, ...(reason.trim() ? { reason } : {}) },
      },
    ]);
  };
  const choose = (next: Act) => {
    setAct(next);
    setValue(null);
    setApprovers(null);
  };
  const choice = { act, value, approverId, reason, choose, setValue, setApprovers, setReason };
  return { choice, preview, rows, concerned, wantsReason, isComplete: change !== null, apply, run };
}

type Bulk = ReturnType<typeof useBulk>;

/** What the viewer couldn't give back to some of the people. */
function useOneWayWarning(act: Act | null, value: string | null, chosen: readonly User[]): string | null {
  const viewer = useViewer();
  const { data: roles = [] } = useQuery(rolesQuery);
  if (act === 'top5Off') return oneWayWarning(viewer, [topFivePermission]);
  if (act !== 'role' || value === null || value === adminRole) return null;
  const lost = chosen.flatMap(({ role }) => lostWithRole(roles, role, value));
  const ids = chosen.map(({ id }) => id);
  return adminLossWarning(viewer, ids, value) ?? oneWayWarning(viewer, [...new Set(lost)]);
}

type ContentProps = Omit<Props, 'opened' | 'onClose'>;

function Content({ chosen, onDone }: ContentProps) {
  const isHeld = useIsHeld();
  const bulk = useBulk(chosen);
  const { choice, apply, rows } = bulk;
  const { act, value, approverId } = choice;
  const warning = useOneWayWarning(act, value, chosen);
  if (apply.data) {
    const changed = apply.data.filter(({ outcome }) => outcome === 'changed').map(({ userId }) => userId);
    // Read again after the change: who has something else by now isn't restored.
    const settled = rows.flatMap(({ userId, version, changes }) => {
      const user = chosen.find(({ id }) => id === userId);
      return user && changed.includes(userId) && changes.length === 0 ? [{ user, version }] : [];
    });
    const restoring = warning === null ? restoringSteps(act, settled) : [];
    return <Results results={apply.data} users={chosen} restoring={restoring} onDone={onDone} />;
  }
  return (
    <>
      <div className={classes.choice}>
        <SearchSelect
          label="Action"
          exact
          data={Object.entries(acts).map(([key, label]) => ({ value: key, label }))}
          value={act}
          placeholder="Choose"
          disabled={isHeld}
          allowDeselect={false}
          onChange={(next) => choice.choose(next as Act)}
        />
        <Value
          act={act}
          value={value}
          onValue={choice.setValue}
          approverId={approverId}
          onApprovers={choice.setApprovers}
        />
      </div>
      {act === 'invite' ? <InvitePeople chosen={chosen} onDone={onDone} /> : <Apply {...{ bulk, chosen, warning }} />}
    </>
  );
}

type ApplyProps = Pick<Props, 'chosen'> & { readonly bulk: Bulk; readonly warning: string | null };

/** The preview of a change, and its button. */
function Apply({ bulk, chosen, warning }: ApplyProps) {
  const { choice, preview, rows, concerned, wantsReason, isComplete, apply, run } = bulk;
  const { act, value, reason } = choice;
  const concernedIds = concerned.map(({ userId }) => userId);
  const given = act === 'role' && value !== null ? { role: value } : null;
  const left = useLeftWithoutApprover({ userIds: concernedIds, given });
  const isDisabling = act === 'disable' && concerned.length > 0;
  // What the change leaves behind is read first.
  const ties = useQuery(tiesQuery(concernedIds, isDisabling));
  const isAsking = (isDisabling && ties.isPending) || left.isAsking;
  const isBlocked = concerned.length === 0 || isAsking || (wantsReason && reason.trim() === '');
  return (
    <>
      {warning && <p className={classes.warning}>{warning}.</p>}
      {wantsReason && (
        <TextInput
          mt={12}
          label="Reason for giving this role anyway"
          description="Some people don’t meet the role’s requirements"
          maxLength={userLimits.reason}
          value={reason}
          onChange={(event) => choice.setReason(event.currentTarget.value)}
          onKeyDown={({ key, nativeEvent }) => key === 'Enter' && !nativeEvent.isComposing && !isBlocked && run()}
        />
      )}
      {preview.isError && (
        <PanelError
          sentence={preview.error.message}
          {...(mayPassLater(preview.error) && { onRetry: () => void preview.refetch() })}
        />
      )}
      <LeftWithoutApprover userIds={concernedIds} given={given} />
      {isComplete && preview.data && <Preview rows={rows} users={chosen} role={given?.role ?? null} />}
      {isDisabling && (
        <div className={classes.facts}>
          <DisablingFacts ties={ties.data} isFailed={ties.isError} />
        </div>
      )}
      {apply.isError && <PanelError sentence={asApiError(apply.error).message} />}
      <DialogActions
        primary={
          !isComplete ? 'Apply' : concerned.length === 0 ? 'No changes' : `Apply to ${peopleWords(concerned.length)}`
        }
        danger={act === 'disable'}
        disabled={isBlocked}
        busy={apply.isPending}
        onPrimary={run}
      />
    </>
  );
}

type Changed = { readonly user: User; readonly version: string };

/** Give each person what they had before. None for accounts: disabling one removes its passkeys. */
function restoringSteps(act: Act | null, people: readonly Changed[]): Step[] {
  const before = ({ role, team, approverId }: User): SharedChange | null => {
    if (act === 'top5On' || act === 'top5Off') return { top5: act === 'top5Off' };
    if (act === 'role') return { role: role ?? '', reason: 'Undo of a change' };
    if (act === 'team') return { team: team ?? '' };
    return act === 'approvers' ? { approverId: [...approverId] } : null;
  };
  const groups = Map.groupBy(people, ({ user }) => JSON.stringify(before(user)));
  return [...groups.values()].flatMap((group): Step[] => {
    const change = before(group[0]!.user);
    return change ? [{ users: group.map(({ user, version }) => ({ userId: user.id, version })), change }] : [];
  });
}

/** Null while the choice is incomplete. */
function changeOf(
  act: Act | null,
  value: string | null,
  approverId: readonly string[] | null,
  roleVersion: string | undefined,
): SharedChange | null {
  if (act === 'top5On' || act === 'top5Off') return { top5: act === 'top5On' };
  if (act === 'disable' || act === 'enable') return { disabled: act === 'disable' };
  if (act === 'approvers') return approverId && { approverId: [...approverId] };
  if (act === null || act === 'invite' || value === null) return null;
  if (act === 'team') return { team: value };
  return { role: value, ...(roleVersion ? { roleVersion } : {}) };
}

type ValueProps = {
  readonly act: Act | null;
  readonly value: string | null;
  readonly onValue: (value: string | null) => void;
  readonly approverId: string[] | null;
  readonly onApprovers: (ids: string[] | null) => void;
};

function Value({ act, value, onValue, approverId, onApprovers }: ValueProps) {
  const viewer = useViewer();
  const { data: roles = [] } = useQuery(rolesQuery);
  const locked = lockedRoles(viewer, roles, []);
  if (act === 'approvers') return <Approvers chosen={approverId} onChange={onApprovers} />;
  if (act !== 'role' && act !== 'team') return null;
  const options =
    act === 'role'
      ? [
          { value: '', label: 'No role' },
          ...(isAdmin(viewer) ? [{ value: adminRole, label: adminRole }] : []),
          ...roles.map(({ name }) => ({ value: name, label: name, disabled: locked.has(name) })),
        ]
      : [
          { value: '', label: 'No team' },
          ...scopeKeys.map((scope) => ({ value: scope as string, label: scopes[scope].title as string })),
        ];
  return (
    <SearchSelect
      label={act === 'role' ? 'Role' : 'Team'}
      exact
      // The action beside it has none.
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      description={act === 'team' ? teamHint : locked.size > 0 ? lockedRolesHint : null}
      renderOption={({ option }) => <RoleOption label={option.label} locked={option.disabled === true} />}
      placeholder="Choose"
      data={options}
      value={value}
      allowDeselect={false}
      onChange={onValue}
    />
  );
}

type ApproversProps = {
  readonly chosen: string[] | null;
  readonly onChange: (ids: string[] | null) => void;
};

/** Nobody is a separate choice, because it takes everyone's approvers away. */
function Approvers({ chosen, onChange }: ApproversProps) {
  const isNobody = chosen?.length === 0;
  return (
    <div>
      <ApproverPicker
        label="Approvers"
        placeholder={isNobody ? 'Nobody' : 'Choose'}
        chosen={chosen ?? []}
        onChange={(ids) => onChange(ids.length > 0 ? ids : null)}
      />
      <Checkbox
        mt={8}
        label="Nobody"
        checked={isNobody}
        onChange={(event) => onChange(event.currentTarget.checked ? [] : null)}
      />
    </div>
  );
}
