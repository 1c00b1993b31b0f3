import { memo } from 'react';
import { config } from '#web/api/config.ts';
import { Age } from '#web/ui/age.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { StatusPill } from '#web/ui/status-pill.tsx';
import type { Waiting } from './order.ts';
import classes from './queue.module.css';

type Props = Waiting & {
  readonly selected: boolean;
  readonly picked: boolean;
  /** The one row that Tab reaches; J, K and the arrows move on from it. */
  readonly reached: boolean;
  readonly refusal: string | undefined;
  /** `opens`: Enter was pressed on the row, so the person goes on to read the task. */
  readonly onSelect: (id: string, opens: boolean) => void;
  readonly onPick: (id: string) => void;
};

/** One waiting task. The box to pick it lies over the avatar, on hover, on focus and while any is picked. */
export const ApprovalRow = memo(function ApprovalRow(props: Props) {
  const { task, overdue, selected, picked, reached, refusal, onSelect, onPick } = props;
  return (
    <li className={classes.row} data-selected={selected || undefined} data-picked={picked || undefined}>
      <span className={classes.mark}>
        <Avatar name={task.owner.displayName} />
        <input
          type="checkbox"
          className={classes.pick}
          checked={picked}
          tabIndex={reached ? 0 : -1}
          aria-label={`Select “${task.title}”`}
          onChange={() => onPick(task.id)}
        />
      </span>
      <button
        type="button"
        className={classes.open}
        data-row={task.id}
        aria-current={selected || undefined}
        tabIndex={reached ? 0 : -1}
        onClick={(event) => onSelect(task.id, event.detail === 0)}
      >
        <span className={classes.title}>{task.title}</span>
        <span className={classes.meta}>
          <StatusPill status={task.status} />
          <span className={classes.words}>
            <span className="visually-hidden">{task.owner.displayName}, </span>
            {task.category}, <Age instant={task.statusSince} zone={config().companyTimeZone} ago />
            {task.extra && ', extra'}
          </span>
          {overdue && <span className={classes.overdue}>Overdue</span>}
        </span>
        {refusal && <span className={classes.refusal}>{refusal}</span>}
      </button>
    </li>
  );
});
