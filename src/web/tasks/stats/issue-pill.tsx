import { type IssueStatus, issueStatuses, issueStatusKeys } from '#core/tasks/issue-status.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import { Pill } from '#web/ui/pill.tsx';
import { statusColors } from '#web/ui/status-glyph.tsx';
import classes from './issue-pill.module.css';

/** The drawing follows the label that a person reads, not the status behind it: "In Review" looks like work under review (D21). */
const drawnAs: Record<IssueStatus, TaskStatus> = {
  'to do': 'INREVIEW',
  'in progress': 'TODO',
  'in review': 'INPROGRESS',
  done: 'DONE',
};

export function isIssueStatus(text: string): text is IssueStatus {
  return Object.hasOwn(issueStatuses, text);
}

/** An issue's status under its label; the raw status stands in the tooltip. */
export function IssuePill({ status }: { status: IssueStatus }) {
  return (
    <Pill as={drawnAs[status]} title={`Status: ${status}`}>
      {issueStatuses[status].label}
    </Pill>
  );
}

export type IssueCounts = Readonly<Record<IssueStatus, number>>;

/** The four statuses of a person's issues as one strip, in the order of the core. */
export function IssueStrip({ counts }: { counts: IssueCounts }) {
  const present = issueStatusKeys.filter((status) => counts[status] > 0);
  const words = present.map((status) => `${issueStatuses[status].label} ${counts[status]}`).join(', ');
  return (
    <span className={classes.strip} role="img" aria-label={words || 'No issues'}>
      {present.map((status) => (
        <span
          key={status}
          title={`${issueStatuses[status].label} ${counts[status]} (status: ${status})`}
          style={{ flexGrow: counts[status], background: statusColors[drawnAs[status]].line }}
        />
      ))}
    </span>
  );
}

/** What the colours of the strips stand for. */
export function IssueLegend() {
  return (
    <ul className={classes.legend} aria-label="Statuses">
      {issueStatusKeys.map((status) => (
        <li key={status}>
          <IssuePill status={status} />
        </li>
      ))}
    </ul>
  );
}
