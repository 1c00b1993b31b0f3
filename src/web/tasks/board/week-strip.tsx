import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  approvedCount,
  completedCount,
  completionFormula,
  completionPercentage,
  type StatusCounts,
} from '#core/tasks/task-status.ts';
import { SegmentedBar } from '#web/ui/segmented-bar.tsx';
import { type BoardTask, boardTasksQuery, type Sprint, sprintResultQuery } from '../shared/queries.ts';
import { countsOf } from './columns.ts';
import classes from './week-strip.module.css';

const percent = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** A share in words; no approved task means no share (D20). */
const inWords = (value: number | null): string => (value === null ? '–' : `${percent.format(value)}%`);

type Props = {
  readonly tasks: readonly BoardTask[];
  readonly userId: string;
  readonly sprint: Sprint;
  readonly previous: Sprint | null;
};

/** The week in one bar, with "% completed", its formula and the week before beside it. */
export function WeekStrip({ tasks, userId, sprint, previous }: Props) {
  const counts = countsOf(tasks);
  const recorded = useRecorded(userId, sprint);
  const before = usePercentageOf(userId, previous);
  return (
    <div className={classes.strip}>
      <div className={classes.bar}>
        <SegmentedBar counts={counts} />
      </div>
      <p className={classes.words}>
        <Share value={recorded ? recorded.completionPercentage : completionPercentage(counts)} />{' '}
        {recorded ? (
          <Recorded result={recorded} counts={counts} />
        ) : (
          <span className={classes.quiet}>
            {completedCount(counts)} of {approvedCount(counts)} approved{' '}
            {approvedCount(counts) === 1 ? 'task' : 'tasks'}
          </span>
        )}
        {previous && (
          <span className={classes.quiet}>
            , {sprint.current ? 'last week' : 'week before'} {inWords(before)}
          </span>
        )}
      </p>
    </div>
  );
}

/** The number, with its formula for who points at it or goes to it by key. */
function Share({ value }: { value: number | null }) {
  return (
    <Tooltip
      label={`% completed = ${completionFormula}`}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      w={280}
    >
      <button type="button" className={classes.share} aria-label={`${inWords(value)} completed, how this is counted`}>
        <strong>{inWords(value)}</strong> completed
      </button>
    </Tooltip>
  );
}

type RecordedProps = { readonly result: Recorded; readonly counts: StatusCounts };
type Recorded = NonNullable<ReturnType<typeof useRecorded>>;

function Recorded({ result, counts }: RecordedProps) {
  const { corrections, carriedOut } = result;
  return (
    <span className={classes.quiet}>
      recorded
      {result.counts && `, ${completedCount(result.counts)} of ${approvedCount(result.counts)} approved tasks`}
      {carriedOut ? `, ${carriedOut} carried over` : ''}
      {corrections > 0 &&
        `, ${corrections} ${corrections === 1 ? 'correction' : 'corrections'} since, now ${inWords(completionPercentage(counts))}`}
    </span>
  );
}

function useRecorded(userId: string, sprint: Sprint | null) {
  const settled = sprint?.phase === 'settled';
  const { data } = useQuery({ ...sprintResultQuery(userId, sprint?.id ?? ''), enabled: settled });
  return settled ? data : null;
}

/** What was recorded for a sprint, or what its tasks come to as long as nothing is. */
function usePercentageOf(userId: string, sprint: Sprint | null): number | null {
  const recorded = useRecorded(userId, sprint);
  const open = sprint !== null && sprint.phase !== 'settled';
  const { data } = useQuery({ ...boardTasksQuery(userId, sprint?.id ?? ''), enabled: open });
  return open ? completionPercentage(countsOf(data ?? [])) : (recorded?.completionPercentage ?? null);
}
