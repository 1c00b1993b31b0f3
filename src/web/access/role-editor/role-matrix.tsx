import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { adminRole } from '#core/access/access.ts';
import { type Permission, permissionGroups, permissionKeys, permissions } from '#core/access/permissions.ts';
import { activeCount } from '#core/base/formats.ts';
import { useViewer } from '#web/api/viewer.ts';
import { matches } from '#web/ui/matches.ts';
import { Writes } from '#web/ui/writes.tsx';
import { type CellMark, markOf, type Pending, wantedName } from './pending-roles.ts';
import classes from './role-matrix.module.css';
import type { ListedRole } from './role-queries.ts';

type Props = {
  readonly roles: readonly ListedRole[];
  /** The visible rows. */
  readonly shown: readonly Permission[];
  readonly pending: Pending;
  readonly showAdmin: boolean;
  readonly onTurn: (role: ListedRole, permission: Permission, wanted: boolean) => void;
  readonly onOpen: (role: ListedRole) => void;
};

/** Every role with every permission. One cell is in the tab order; the arrow keys move to the others. */
export function RoleMatrix({ roles, shown, pending, showAdmin, onTurn, onOpen }: Props) {
  const viewer = useViewer();
  const box = useRef<HTMLElement>(null);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepOf(event.key, at, shown.length - 1, roles.length - 1);
    if (!next || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>(`[data-cell="${next.row}:${next.column}"]`)?.focus();
  };
  const row = Math.min(at.row, shown.length - 1);
  const column = Math.min(at.column, roles.length - 1);
  return (
    <section className={classes.box} aria-label="Permissions of each role" ref={box} onKeyDown={onKeyDown}>
      <table className={classes.table}>
        <caption className="visually-hidden">
          Permissions of each role. Use the arrow keys to move and Space to toggle.
        </caption>
        <MatrixHead roles={roles} pending={pending} showAdmin={showAdmin} onOpen={onOpen} />
        {permissionGroups.map((group) => {
          const keys = shown.filter((key) => permissions[key].group === group);
          if (keys.length === 0) return null;
          return (
            <tbody key={group}>
              <tr className={classes.group}>
                <th scope="rowgroup">{group}</th>
                <td colSpan={roles.length + (showAdmin ? 1 : 0)} />
              </tr>
              {keys.map((permission) => {
                const index = shown.indexOf(permission);
                return (
                  <PermissionRow
                    key={permission}
                    permission={permission}
                    row={index}
                    roles={roles}
                    marks={roles.map((role) => markOf(viewer, role, permission, pending)).join(' ')}
                    activeColumn={index === row ? column : null}
                    showAdmin={showAdmin}
                    onTurn={onTurn}
                    onFocus={setAt}
                  />
                );
              })}
            </tbody>
          );
        })}
      </table>
    </section>
  );
}

function MatrixHead({ roles, pending, showAdmin, onOpen }: Pick<Props, 'roles' | 'pending' | 'showAdmin' | 'onOpen'>) {
  return (
    <thead>
      <tr>
        <th scope="col" className={classes.corner}>
          Permission
        </th>
        {showAdmin && (
          <th scope="col" className={classes.role}>
            <span className={classes.name}>{adminRole}</span>
            <span className={classes.note}>has every permission</span>
          </th>
        )}
        {roles.map((role) => (
          <RoleHead key={role.id} role={role} name={wantedName(role, pending)} onOpen={onOpen} />
        ))}
      </tr>
    </thead>
  );
}

/** The cell a key moves to, or null. */
function stepOf(key: string, { row, column }: { row: number; column: number }, lastRow: number, lastColumn: number) {
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowUp: [row - 1, column],
    ArrowDown: [row + 1, column],
    ArrowLeft: [row, column - 1],
    ArrowRight: [row, column + 1],
    Home: [row, 0],
    End: [row, lastColumn],
    PageUp: [row - 8, column],
    PageDown: [row + 8, column],
  };
  const step = steps[key];
  if (!step) return null;
  const within = (value: number, last: number) => Math.min(Math.max(value, 0), last);
  return { row: within(step[0], lastRow), column: within(step[1], lastColumn) };
}

type HeadProps = { role: ListedRole; name: string; onOpen: (role: ListedRole) => void };

function RoleHead({ role, name, onOpen }: HeadProps) {
  return (
    <th scope="col" className={classes.role} data-renamed={name !== role.name || undefined}>
      <button type="button" className={classes.open} onClick={() => onOpen(role)} title={`Open the role ${name}`}>
        <span className={classes.name}>{name}</span>
        <span className={classes.note}>{activeCount(role.people, role.disabledPeople)}</span>
      </button>
    </th>
  );
}

type RowProps = {
  readonly permission: Permission;
  readonly row: number;
  readonly roles: readonly ListedRole[];
  /** All cells' marks as one text: a row with the same text isn't rendered again. */
  readonly marks: string;
  readonly activeColumn: number | null;
  readonly showAdmin: boolean;
  readonly onTurn: Props['onTurn'];
  readonly onFocus: (at: { row: number; column: number }) => void;
};

const PermissionRow = memo(function PermissionRow(props: RowProps) {
  const { permission, row, roles, marks, activeColumn, showAdmin, onTurn, onFocus } = props;
  const { title, meaning } = permissions[permission];
  const cells = marks.split(' ') as CellMark[];
  return (
    <tr>
      <th scope="row" className={classes.permission}>
        <span className={classes.title}>{title}</span>
        <span className={classes.meaning}>{meaning}</span>
        {cells.includes('locked') && <span className={classes.why}>You can’t add this because you don’t have it</span>}
      </th>
      {showAdmin && (
        <td className={classes.cell}>
          <label>
            <input type="checkbox" checked disabled readOnly aria-label={`${adminRole}: ${title}`} />
          </label>
        </td>
      )}
      {roles.map((role, column) => (
        <Cell
          key={role.id}
          mark={cells[column]!}
          label={`${role.name}: ${title}`}
          place={`${row}:${column}`}
          tabbable={column === activeColumn}
          onTurn={(wanted) => onTurn(role, permission, wanted)}
          onFocus={() => onFocus({ row, column })}
        />
      ))}
    </tr>
  );
});

const markWords: Readonly<Record<CellMark, string>> = {
  yes: '',
  no: '',
  given: ', will be added, not saved',
  taken: ', will be removed, not saved',
  locked: ', you can’t add this because you don’t have it',
};

type CellProps = {
  readonly mark: CellMark;
  readonly label: string;
  readonly place: string;
  readonly tabbable: boolean;
  readonly onTurn: (wanted: boolean) => void;
  readonly onFocus: () => void;
};

function Cell({ mark, label, place, tabbable, onTurn, onFocus }: CellProps) {
  const words = markWords[mark];
  return (
    <td className={classes.cell} data-mark={mark} title={words ? `${label}${words}` : undefined}>
      <label>
        <Writes>
          <input
            type="checkbox"
            checked={mark === 'yes' || mark === 'given'}
            aria-label={`${label}${words}`}
            aria-disabled={mark === 'locked' || undefined}
            data-cell={place}
            tabIndex={tabbable ? 0 : -1}
            onFocus={onFocus}
            onChange={(event) => mark !== 'locked' && onTurn(event.currentTarget.checked)}
          />
        </Writes>
      </label>
    </td>
  );
}

/** The rows whose permission, meaning or group contains all of these words. */
export const permissionsLike = (text: string): Permission[] =>
  permissionKeys.filter((key) => {
    const { title, meaning, group } = permissions[key];
    return matches(`${key} ${title} ${meaning} ${group}`, text);
  });
