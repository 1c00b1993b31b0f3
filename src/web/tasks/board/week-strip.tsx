import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { plural } from '#core/base/formats.ts';
import {
  approvedCount,
  completedCount,
  completionFormula,
  completionPercentage,
  noTasks,
  type StatusCounts,
} from '#core/tasks/task-status.ts';
import { percentWords } from '#web/charts/percent.ts';
import { SegmentedBar } from '#web/ui/segmented-bar.tsx';
import { type BoardTask, boardTasksQuery, type Sprint, sprintResultQuery } from '../shared/queries.ts';
import { countsOf } from './columns.ts';
import classes from './week-strip.module.css';

type Props = {
  readonly tasks: readonly BoardTask[];
  readonly userId: string;
  readonly sprint: Sprint;
  readonly previous: Sprint | null;
};

/** The week as one bar, with "% completed", its formula and the previous week. */
export function WeekStrip({ tasks, userId, sprint, previous }: Props) {
  const counts = countsOf(tasks);
  const result = useResult(userId, sprint);
  const before = usePercentageOf(userId, previous);
  return (
    <div className={classes.strip}>
      <div className={classes.bar}>
        <SegmentedBar counts={counts} />
      </div>
      <p className={classes.words}>
        <Share value={result ? result.completionPercentage : completionPercentage(counts)} />{' '}
        {result && sprint.phase === 'settled' ? (
          <Recorded result={result} counts={counts} />
        ) : (
          <Counted counts={result?.counts ?? counts} carriedOut={result?.carriedOut ?? 0} />
        )}
        {previous && (
          <span className={classes.quiet}>
            , {sprint.current ? 'last sprint' : 'sprint before'} {percentWords(before)}
          </span>
        )}
      </p>
    </div>
  );
}

/** The number, with its formula on hover or focus. */
function Share({ value }: { value: number | null }) {
  return (
    <Tooltip
      label={`% completed = ${completionFormula}`}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      w={280}
    >
      <button
        type="button"
        className={classes.share}
        aria-label={`${percentWords(value)} completed, how this is counted`}
      >
        <strong>{percentWords(value)}</strong> completed
      </button>
    </Tooltip>
  );
}

type CountedProps = { readonly counts: StatusCounts; readonly carriedOut: number };

function Counted({ counts, carriedOut }: CountedProps) {
  const approved = approvedCount(counts);
  return (
    <span className={classes.quiet}>
      {completedCount(counts)} of {approved} approved {approved === 1 ? 'task' : 'tasks'}
      {carriedOut > 0 && `, ${carriedOut} carried over`}
    </span>
  );
}

type RecordedProps = { readonly result: Result; readonly counts: StatusCounts };
type Result = NonNullable<ReturnType<typeof useResult>>;

function Recorded({ result, counts }: RecordedProps) {
  const { corrections } = result;
  return (
    <>
      <span className={classes.quiet}>recorded, </span>
      <Counted counts={result.counts ?? noTasks} carriedOut={result.carriedOut ?? 0} />
      {corrections > 0 && (
        <span className={classes.quiet}>
          , {plural(corrections, 'correction')} since, now {percentWords(completionPercentage(counts))}
        </span>
      )}
    </>
  );
}

/** A closed sprint's result: tasks carried over from it are no longer on its board, but count. */
function useResult(userId: string, sprint: Sprint | null) {
  const closed = sprint?.phase === 'settling' || sprint?.phase === 'settled';
  const { data } = useQuery({ ...sprintResultQuery(userId, sprint?.id ?? ''), enabled: closed });
  return closed ? data : null;
}

/** The previous sprint's share; it can still be running when viewed from the next one. */
function usePercentageOf(userId: string, sprint: Sprint | null): number | null {
  const result = useResult(userId, sprint);
  const running = sprint?.phase === 'active' || sprint?.phase === 'future';
  const { data } = useQuery({ ...boardTasksQuery(userId, sprint?.id ?? ''), enabled: running });
  return running ? completionPercentage(countsOf(data ?? [])) : (result?.completionPercentage ?? null);
}
