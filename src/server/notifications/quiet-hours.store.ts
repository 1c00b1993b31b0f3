// SQL of people's quiet hours.
import { type SQL, sql } from 'drizzle-orm';
import type { QuietHours } from '#core/notifications/quiet-hours.ts';
import type { Queries } from '#server/platform/db/database.ts';

const columns = sql.raw('q.is_on as "on", q.starts_at as "from", q.ends_at as "to", q.days_off as "daysOff"');

export async function readQuietHours(queries: Queries, personId: string): Promise<QuietHours | undefined> {
  const { rows } = await queries.execute<QuietHours>(
    sql`select ${columns} from quiet_hours q where person_id = ${personId}`,
  );
  return rows[0];
}

/** Returns false if they were already these. */
export async function saveQuietHours(
  queries: Queries,
  personId: string,
  { on, from, to, daysOff }: QuietHours,
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    insert into quiet_hours as q (person_id, is_on, starts_at, ends_at, days_off)
    values (${personId}, ${on}, ${from}, ${to}, ${daysOff})
    on conflict (person_id) do update
      set is_on = excluded.is_on, starts_at = excluded.starts_at, ends_at = excluded.ends_at, days_off = excluded.days_off
    where (q.is_on, q.starts_at, q.ends_at, q.days_off) <> (excluded.is_on, excluded.starts_at, excluded.ends_at, excluded.days_off)`);
  return rowCount === 1;
}

/** The different quiet hours of people with a mail that is due. Few: people choose full hours. */
export async function hoursOfDueMails(queries: Queries, now: string): Promise<QuietHours[]> {
  const { rows } = await queries.execute<QuietHours>(sql`
    select distinct ${columns} from quiet_hours q where q.is_on and q.person_id in (
      select person_id from notices where mail_at <= ${now}::timestamptz
      union all select person_id from notice_mails where due_at <= ${now}::timestamptz)`);
  return rows;
}

/** A condition: the person of this column chose one of these quiet hours. */
export const hasOneOf = (hours: readonly QuietHours[], personId: SQL): SQL => sql`exists (
  select from quiet_hours q where q.person_id = ${personId} and q.is_on and (q.starts_at, q.ends_at, q.days_off) in (
    select * from unnest(${sql.param(hours.map(({ from }) => from))}::text[], ${sql.param(hours.map(({ to }) => to))}::text[],
      ${sql.param(hours.map(({ daysOff }) => daysOff))}::boolean[])))`;
