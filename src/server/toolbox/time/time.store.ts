// SQL of recorded time, and of the weeks marked final.
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

export type EntryRow = {
  readonly id: string;
  readonly taskId: string;
  readonly title: string;
  readonly startAt: string;
  readonly endAt: string | null;
};

/** Locked until the transaction ends: a person's time changes one step at a time. */
export async function lockTimeOf(queries: Queries, personId: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`time ${personId}`}, 0))`);
}

async function entriesWhere(queries: Queries, personId: string, condition: SQL): Promise<EntryRow[]> {
  const { rows } = await queries.execute<EntryRow>(sql`
    select e.id::text as id, e.task_id::text as "taskId", t.title, e.start_at as "startAt", e.end_at as "endAt"
    from time_entries e join tasks t on t.id = e.task_id
    where e.person_id = ${personId} and ${condition} order by e.start_at, e.id`);
  return rows;
}

/** Entries that overlap; a running one overlaps everything after its start. */
export function entriesWithin(queries: Queries, personId: string, start: string, end: string): Promise<EntryRow[]> {
  return entriesWhere(
    queries,
    personId,
    sql`e.start_at < ${end}::timestamptz and (e.end_at is null or e.end_at > ${start}::timestamptz)`,
  );
}

export async function runningEntry(queries: Queries, personId: string): Promise<EntryRow | null> {
  return (await entriesWhere(queries, personId, sql`e.end_at is null`))[0] ?? null;
}

export async function entryOf(queries: Queries, personId: string, id: string): Promise<EntryRow | null> {
  return (await entriesWhere(queries, personId, sql`e.id = ${id}`))[0] ?? null;
}

export async function timedTask(
  queries: Queries,
  taskId: string,
): Promise<{ readonly ownerId: string; readonly withdrawn: boolean } | null> {
  const { rows } = await queries.execute<{ ownerId: string; withdrawn: boolean }>(
    sql`select owner_id::text as "ownerId", withdrawn_at is not null as withdrawn from tasks where id = ${taskId}`,
  );
  return rows[0] ?? null;
}

/** How many other entries start within 12 hours of this instant. */
export async function countAround(
  queries: Queries,
  personId: string,
  start: string,
  without: string | null,
): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from time_entries where person_id = ${personId} and id is distinct from ${without}::bigint
      and start_at between ${start}::timestamptz - interval '12 hours' and ${start}::timestamptz + interval '12 hours'`);
  return (rows[0] as { count: number }).count;
}

type Stretch = { readonly taskId: string; readonly start: string; readonly end: string | null };

export async function insertEntry(
  queries: Queries,
  personId: string,
  { taskId, start, end }: Stretch,
): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into time_entries (person_id, task_id, start_at, end_at) values (${personId}, ${taskId}, ${start}, ${end}) returning id::text`);
  return (rows[0] as { id: string }).id;
}

export async function updateEntry(queries: Queries, id: string, { taskId, start, end }: Stretch): Promise<void> {
  await queries.execute(
    sql`update time_entries set task_id = ${taskId}, start_at = ${start}, end_at = ${end} where id = ${id}`,
  );
}

export async function deleteEntry(queries: Queries, id: string): Promise<void> {
  await queries.execute(sql`delete from time_entries where id = ${id}`);
}

export type FinalWeek = { readonly monday: string; readonly finalAt: string };

/** The final weeks among these. */
export async function finalWeeks(queries: Queries, personId: string, mondays: readonly string[]): Promise<FinalWeek[]> {
  const { rows } = await queries.execute<FinalWeek>(sql`
    select monday::text, final_at as "finalAt" from time_weeks
    where person_id = ${personId} and monday = any(${sql.param([...mondays])}::date[])`);
  return rows;
}

/** False if the week is already final. */
export async function insertFinalWeek(
  queries: Queries,
  personId: string,
  monday: string,
  at: string,
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    insert into time_weeks (person_id, monday, final_at) values (${personId}, ${monday}::date, ${at}) on conflict do nothing`);
  return rowCount === 1;
}

/** False if the week isn't final. */
export async function deleteFinalWeek(queries: Queries, personId: string, monday: string): Promise<boolean> {
  const { rowCount } = await queries.execute(
    sql`delete from time_weeks where person_id = ${personId} and monday = ${monday}::date`,
  );
  return rowCount === 1;
}

export type WeekBounds = { readonly monday: string; readonly start: string; readonly end: string };
export type WeekSumRow = { readonly monday: string; readonly seconds: number; readonly final: boolean };

/**
 * Seconds of each week, in order. A running entry counts up to `runningUntil`, or not at all if that is null.
 */
export async function weekSums(
  queries: Queries,
  personId: string,
  weeks: readonly WeekBounds[],
  runningUntil: string | null,
): Promise<WeekSumRow[]> {
  const list = (of: keyof WeekBounds) => sql.param(weeks.map((week) => week[of]));
  const end = sql`coalesce(e.end_at, ${runningUntil}::timestamptz)`;
  const { rows } = await queries.execute<WeekSumRow>(sql`
    select w.monday::text as monday, f.person_id is not null as final,
      coalesce(floor(sum(extract(epoch from least(${end}, w.ends) - greatest(e.start_at, w.starts)))
        filter (where e.id is not null)), 0)::int as seconds
    from unnest(${list('monday')}::date[], ${list('start')}::timestamptz[], ${list('end')}::timestamptz[]) with ordinality w (monday, starts, ends, place)
    left join time_entries e on e.person_id = ${personId} and e.start_at < w.ends and ${end} > w.starts
    left join time_weeks f on f.person_id = ${personId} and f.monday = w.monday
    group by w.place, w.monday, f.person_id order by w.place`);
  return rows;
}
