import { type Decision, statusRule, type TaskStatus, taskStatuses, taskStatusKeys } from '#core/tasks/task-status.ts';
import { Panel } from '#web/ui/panel.tsx';
import { StatusPill } from '#web/ui/pill.tsx';
import classes from './status-meanings.module.css';

/** What each status means, from the table that the product itself uses, so the two can't differ. */
export function StatusMeanings() {
  return (
    <Panel title="What each status means" flush>
      <dl className={classes.list}>
        {taskStatusKeys.map((status) => (
          <div key={status} className={classes.row}>
            <dt>
              <StatusPill status={status} />
            </dt>
            <dd>
              {wordsOf(status).map((words) => (
                <p key={words}>{words}</p>
              ))}
              <Ways status={status} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** A status's rule in words. */
function wordsOf(status: TaskStatus): string[] {
  const { movable, approved, completed, approve, update, open } = statusRule(status);
  const who = [
    ...(approve ? ['Waits for the approver.'] : []),
    ...(movable ? ['The owner can move it until sign-off.'] : []),
    ...(update ? ['Waits for the owner. Editing sends it for approval again.'] : []),
  ];
  const counts = completed ? 'as completed' : approved ? 'as approved, not as completed' : null;
  return [
    ...(who.length > 0 ? who : ['Final. Nobody can move it.']),
    counts ? `Counts ${counts}.` : 'Doesn’t count in “% completed”.',
    ...(open ? ['If unfinished when the sprint ends, it can be carried over.'] : []),
  ];
}

function Ways({ status }: { status: TaskStatus }) {
  const { approve, deny, update } = statusRule(status);
  const decisions = { approve, deny } satisfies Record<Decision, unknown>;
  const ways = [
    ...Object.values(decisions).flatMap((way) => (way ? [{ verb: way.verb, to: way.to }] : [])),
    ...(update ? [{ verb: 'Edit and resend', to: update }] : []),
  ];
  if (ways.length === 0) return null;
  return (
    <ul className={classes.ways}>
      {ways.map(({ verb, to }) => (
        <li key={verb}>
          {verb} <span aria-hidden="true">→</span>
          <span className="visually-hidden"> leads to {taskStatuses[to].title}</span>
          <span aria-hidden="true">
            <StatusPill status={to} />
          </span>
        </li>
      ))}
    </ul>
  );
}
