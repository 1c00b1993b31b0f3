import { plural } from '#core/base/formats.ts';
import { none, percentCell } from '#core/base/percent.ts';
import { approvedCount, taskStatuses } from '#core/tasks/task-status.ts';
import { Sparkline } from '#web/charts/sparkline.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import type { DataColumn } from '#web/ui/data-table.tsx';
import { Pill } from '#web/ui/pill.tsx';
import { SegmentedBar } from '#web/ui/segmented-bar.tsx';
import { DefinitionCard } from './definition-card.tsx';
import classes from './employee-columns.module.css';
import { ShareBar } from './share-bar.tsx';
import type { Employee, SprintTotals } from './stats-queries.ts';

/** Always in hours, to compare two waits at a glance. */
export function waitWords(hours: number | null): string {
  if (hours === null) return none;
  return `${hours < 10 ? hours.toFixed(1) : Math.round(hours)} h`;
}

export const ratioWords = (ratio: number | null): string => (ratio === null ? none : ratio.toFixed(2));

/** Approved tasks with their strip; unapproved ones are separate, because no rate includes them (D20). */
function SprintTasks({ counts }: { counts: Employee['counts'] }) {
  const approved = approvedCount(counts);
  const apart = counts.INAPPROVAL + counts.DENIED;
  return (
    <span className={classes.tasks}>
      <span className={classes.count}>{approved}</span>
      <span className={classes.strip}>
        <SegmentedBar counts={counts} thin />
      </span>
      {apart > 0 && (
        <span className={classes.apart} title={apartWords(counts)}>
          <span aria-hidden="true">+{apart}</span>
          <span className="visually-hidden">not counted: {apartWords(counts)}</span>
        </span>
      )}
    </span>
  );
}

const apartWords = (counts: Employee['counts']): string =>
  `${taskStatuses.INAPPROVAL.title} ${counts.INAPPROVAL}, ${taskStatuses.DENIED.title} ${counts.DENIED}`;

function Completed({ employee }: { employee: Employee }) {
  const { completionPercentage: share, corrections } = employee;
  return (
    <span className={classes.completed}>
      {corrections > 0 && (
        <Pill tone="warn" title={pillReasons.correction}>
          {plural(corrections, 'correction')}
        </Pill>
      )}
      {percentCell(share)}
      <ShareBar share={share} />
    </span>
  );
}

/** Also shown in the opened row, because a phone has no pointer to rest on a pill. */
export const pillReasons = {
  correction: 'Decided after the result was final. The result doesn’t change',
  invisible: 'Only this person, their approvers and admins see this row. It isn’t included in totals',
} as const;

const trendWords = (trend: Employee['trend']): string =>
  `% Completed of 13 weeks, oldest first: ${trend.map((value) => (value === null ? 'none' : value)).join(', ')}`;

/** The server sorts, by the column's id. */
export const onServer = () => null;

export const employeeColumns: readonly DataColumn<Employee>[] = [
  {
    id: 'employee',
    title: 'Employee',
    sortBy: onServer,
    cell: ({ person, invisible }) => (
      <>
        <Avatar name={person.displayName} />
        <span className={classes.name}>{person.displayName}</span>
        {invisible && <Pill title={pillReasons.invisible}>Invisible</Pill>}
      </>
    ),
  },
  {
    id: 'tasks',
    title: 'Sprint Tasks',
    sortBy: onServer,
    cell: ({ counts }) => <SprintTasks counts={counts} />,
    phone: 'below',
  },
  {
    id: 'completed',
    title: '% Completed',
    info: <DefinitionCard of="completed" />,
    numeric: true,
    sortBy: onServer,
    cell: (employee) => <Completed employee={employee} />,
    phone: 'value',
  },
  {
    id: 'signedOff',
    title: 'Signed off',
    info: <DefinitionCard of="signedOff" />,
    numeric: true,
    sortBy: onServer,
    cell: ({ signedOffPercentage }) => percentCell(signedOffPercentage),
  },
  {
    id: 'firstPass',
    title: 'Approved on first try',
    info: <DefinitionCard of="firstPass" />,
    numeric: true,
    sortBy: onServer,
    cell: ({ firstPassPercentage }) => percentCell(firstPassPercentage),
  },
  {
    id: 'rework',
    title: 'Rework',
    info: <DefinitionCard of="rework" />,
    numeric: true,
    sortBy: onServer,
    cell: ({ rework }) => ratioWords(rework),
  },
  {
    id: 'waited',
    title: 'Time with approver',
    info: <DefinitionCard of="waited" />,
    numeric: true,
    sortBy: onServer,
    cell: ({ waitedHours }) => waitWords(waitedHours),
  },
  {
    id: 'trend',
    title: '13 weeks',
    info: <DefinitionCard of="trend" />,
    cell: ({ trend }) => <Sparkline values={trend} highest={100} label={trendWords(trend)} />,
  },
];

/** `everyone`: the table's people, with those that `top5Invisible` hides (D23). */
export function totalsRow(totals: SprintTotals, everyone = totals.people) {
  const people = plural(totals.people, 'person', 'people');
  const hidden = everyone - totals.people;
  return {
    employee: hidden > 0 ? `${people}, not counting ${hidden} invisible` : people,
    tasks: <SprintTasks counts={totals.counts} />,
    completed: (
      <span className={classes.completed}>
        {percentCell(totals.completionPercentage)}
        <ShareBar share={totals.completionPercentage} />
      </span>
    ),
    signedOff: percentCell(totals.signedOffPercentage),
    firstPass: percentCell(totals.firstPassPercentage),
    rework: ratioWords(totals.rework),
    waited: waitWords(totals.waitedHours),
  };
}
