// SQL of sprints. The current one is never stored: the clock decides (D27).
import { type SQL, sql } from 'drizzle-orm';
import type { StatusCounts } from '#core/tasks/task-status.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';
import { countsByStatus } from './counts-by-status.ts';

export type SprintRow = {
  readonly id: string;
  readonly name: string;
  readonly startAt: string;
  readonly endAt: string;
  readonly commitmentAt: string | null;
  readonly resultAt: string | null;
};

export type NewSprint = { readonly name: string; readonly startAt: string; readonly endAt: string };

/** Which tasks a list of sprints counts, as a condition on `x` (sprint_standings) and `p` (people). */
export type TallyOf = SQL;

export type SprintTallyRow = SprintRow & {
  readonly taskIds: string[];
  readonly counts: StatusCounts;
  /** The viewer's recorded result; null if the tally isn't only about the viewer. */
  readonly recorded: StatusCounts | null;
};

const columns = sql.raw(
  [
    'id',
    'name',
    'start_at as "startAt"',
    'end_at as "endAt"',
    'commitment_at as "commitmentAt"',
    'result_at as "resultAt"',
  ]
    .map((column) => `s.${column}`)
    .join(', '),
);

async function sprintsWhere(queries: Queries, condition: SQL): Promise<SprintRow[]> {
  const { rows } = await queries.execute<SprintRow>(
    sql`select ${columns} from sprints s where ${condition} order by s.start_at`,
  );
  return rows;
}

/**
 * By the clock: the sprint that ended last, the one that started last, and future ones, in order of start.
 */
export function sprintsNow(queries: Queries, now: string): Promise<SprintRow[]> {
  return sprintsWhere(
    queries,
    sql`s.start_at > ${now} or s.id in (
      (select id from sprints where end_at <= ${now} order by end_at desc limit 1)
      union all (select id from sprints where start_at <= ${now} order by start_at desc limit 1))`,
  );
}

export async function sprintById(queries: Queries, id: string): Promise<SprintRow | null> {
  const [row] = await sprintsWhere(queries, sql`s.id = ${id}`);
  return row ?? null;
}

/** The latest `count` sprints up to this one, in order of start. */
export function sprintsUpTo(queries: Queries, id: string, count: number): Promise<SprintRow[]> {
  return sprintsWhere(
    queries,
    sql`s.id in (select b.id from sprints b where b.start_at <= (select start_at from sprints where id = ${id}) order by b.start_at desc limit ${count})`,
  );
}

/** Previous is the one that ended last (spec 3), next the first future one. */
export function aroundCondition(now: string): SQL {
  return sql`s.id in (
    (select id from sprints where end_at <= ${now} order by end_at desc limit 1)
    union all (select id from sprints where start_at <= ${now} and end_at > ${now} order by start_at desc limit 1)
    union all (select id from sprints where start_at > ${now} order by start_at limit 1))`;
}

/**
 * Sprints with tallies of the tasks matching `about`, in one statement. `recordedOf`: the person whose
 * recorded result to include.
 */
export async function sprintsWithTallies(
  queries: Queries,
  which: SQL,
  about: TallyOf,
  recordedOf: string | null,
): Promise<SprintTallyRow[]> {
  const { rows } = await executePrepared<SprintTallyRow>(
    queries,
    sql`
    select ${columns}, tally."taskIds", tally.counts, r.counts as recorded
    from sprints s
    left join sprint_results r on r.sprint_id = s.id and r.person_id = ${recordedOf}
    cross join lateral (
      select coalesce(json_agg(x.task_id::text order by x.task_id) filter (where not x.carried_out), '[]') as "taskIds",
        ${countsByStatus('x.status')} as counts
      from sprint_standings x join people p on p.id = x.owner_id
      where x.sprint_id = s.id and ${about}
    ) tally
    where ${which} order by s.start_at`,
  );
  return rows;
}

/** Locked until the transaction ends, so servers with different zones never create overlapping weeks. */
export async function lockSprintMaking(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('sprints'))`);
}

/** Inserts missing sprints; existing ones don't change. */
export async function insertSprints(queries: Queries, made: readonly NewSprint[]): Promise<void> {
  const values = sql.join(
    made.map(({ name, startAt, endAt }) => sql`(${name}, ${startAt}::timestamptz, ${endAt}::timestamptz)`),
    sql`, `,
  );
  await queries.execute(
    sql`insert into sprints (name, start_at, end_at) values ${values} on conflict (start_at) do nothing`,
  );
}
