import { Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { daySpan } from '#core/base/day-words.ts';
import { listWords, plural } from '#core/base/formats.ts';
import { percentWords } from '#core/base/percent.ts';
import { type SprintPhase, sprintState } from '#core/tasks/sprint.ts';
import {
  completionFormula,
  completionPercentage,
  noTasks,
  resultWords,
  type StatusCounts,
} from '#core/tasks/task-status.ts';
import { SegmentedBar } from '#web/ui/segmented-bar.tsx';
import {
  type BoardTask,
  boardTasksQuery,
  carriedTasksQuery,
  plannedWords,
  repeatsToComeWords,
  type Sprint,
  sprintPlanQuery,
  sprintResultQuery,
  taskLimitQuery,
  useRepeatsToCome,
  useSprints,
} from '../shared/queries.ts';
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
  const { data } = useQuery(sprintResultQuery(userId, sprint.id));
  const learned = data?.recap?.learned;
  const toCome = useRepeatsToCome(userId, sprint);
  const { away = [] } = useQuery(sprintPlanQuery(userId, sprint.id)).data ?? {};
  return (
    <div className={classes.strip}>
      <div className={classes.bar}>
        <SegmentedBar counts={counts} />
      </div>
      <p className={classes.words}>
        {sprint.phase === 'future' ? (
          <Planned tasks={tasks} />
        ) : (
          <Completed userId={userId} sprint={sprint} result={result ?? null} counts={counts} />
        )}
        {previous && before !== null && (
          <span className={classes.quiet}>
            , {sprint.current ? 'last sprint' : 'previous sprint'} {percentWords(before)}
          </span>
        )}
      </p>
      {(away.length > 0 || toCome > 0) && (
        <p className={classes.learned}>
          {[
            ...(away.length > 0
              ? [
                  `Away ${listWords(
                    away.map((days) => daySpan(days.firstDay, days.lastDay)),
                    'and',
                  )}`,
                ]
              : []),
            ...(toCome > 0 ? [repeatsToComeWords(toCome)] : []),
          ].join('. ')}
        </p>
      )}
      {learned && (
        <p className={classes.learned}>
          <span className={classes.quiet}>Learned:</span> {learned}
        </p>
      )}
    </div>
  );
}

type CompletedProps = Pick<Props, 'userId' | 'sprint'> & {
  readonly result: Result | null;
  readonly counts: StatusCounts;
};

/** The share of a sprint that has started, of its result once it is over. */
function Completed({ userId, sprint, result, counts }: CompletedProps) {
  const value = result ? result.completionPercentage : completionPercentage(counts);
  const isRecorded = result !== null && sprint.phase === 'settled';
  return (
    <>
      {value === null && !isRecorded ? (
        <span className={classes.quiet}>No approved tasks yet</span>
      ) : (
        <Share value={value} />
      )}
      {isRecorded ? <Recorded result={result} /> : value !== null && <Counted counts={result?.counts ?? counts} />}
      {result && <CarriedOver userId={userId} sprint={sprint} recorded={result.carriedOut ?? 0} />}
    </>
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
      <button type="button" className={classes.share} aria-label={`${percentWords(value)} completed, show formula`}>
        <strong>{percentWords(value)}</strong> completed
      </button>
    </Tooltip>
  );
}

/** Tasks of a sprint that hasn't started: none can be completed yet. */
function Planned({ tasks }: Pick<Props, 'tasks'>) {
  const { data: limit } = useQuery(taskLimitQuery);
  return limit === undefined ? plural(tasks.length, 'task') : plannedWords(tasks, limit);
}

const Counted = ({ counts }: { readonly counts: StatusCounts }) => (
  <span className={classes.quiet}>, {resultWords(counts, 0)}</span>
);

type Result = NonNullable<ReturnType<typeof useResult>>;

function Recorded({ result }: { readonly result: Result }) {
  const { corrections, completionPercentageNow } = result;
  return (
    <>
      <span className={classes.quiet}> (recorded)</span>
      <Counted counts={result.counts ?? noTasks} />
      {corrections > 0 && (
        <span className={classes.quiet}>
          , {plural(corrections, 'correction')} since then, now {percentWords(completionPercentageNow)}
        </span>
      )}
    </>
  );
}

type CarriedOverProps = Pick<Props, 'userId' | 'sprint'> & { readonly recorded: number };

/**
 * The tasks that the result counts and the board no longer shows: "2 carried over to 2026 W48". Only how many
 * the result recorded, until the server says where they are.
 */
function CarriedOver({ userId, sprint, recorded }: CarriedOverProps) {
  const sprints = useSprints();
  const { data } = useQuery(carriedTasksQuery(userId, sprint.id));
  const carried = data ?? (recorded > 0 ? [{ sprintId: null, count: recorded }] : []);
  const parts = carried.map(({ sprintId, count }) => {
    const name = sprints.find(({ id }) => id === sprintId)?.name;
    return `${count} carried over${name ? ` to ${name}` : ''}`;
  });
  return parts.length > 0 && <span className={classes.quiet}>, {listWords(parts, 'and')}</span>;
}

/** A closed sprint's result: tasks carried over from it are no longer on its board, but count. */
function useResult(userId: string, sprint: Sprint | null) {
  const closed = sprint !== null && sprintState(sprint.phase as SprintPhase) === 'closed';
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
