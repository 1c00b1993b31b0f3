// What was open at the end of each day, week or month: everything opened by then, minus everything resolved
// or closed by then.
import { type SQL, sql } from 'drizzle-orm';
import { granularities } from '#core/numbers/number-request.ts';
import { list, name } from './dataset-columns.ts';
import { endOf, filtered, lockedTo, type Reading, type Span, wordValue } from './row-conditions.ts';

/**
 * Rows of `k0`, `k1` ... for the groupings and `open`. Buckets end with the span and with today, because
 * tomorrow's backlog is unknown.
 */
export function backlogOverTime(reading: Reading, by: readonly string[], span: Span, shifted: (day: SQL) => SQL): SQL {
  const { zone } = reading;
  const isTime = (word: string) => (granularities as readonly string[]).includes(word);
  const keyOf = (index: number) => name(`k${index}`);
  const day = sql`d.day::date`;
  const times = by.flatMap((word, index) =>
    isTime(word) ? [sql`${wordValue(reading, word, 'd', shifted(day), span)} as ${keyOf(index)}`] : [],
  );
  const timeKeys = by.flatMap((word, index) => (isTime(word) ? [keyOf(index)] : []));
  const groups = by.flatMap((word, index) =>
    isTime(word) ? [] : [{ key: keyOf(index), value: wordValue(reading, word, 't', sql`t.day`, span) }],
  );
  const groupKeys = groups.map(({ key }) => key);
  const asKeys = sql.join(
    groups.map(({ key, value }) => sql`, ${value} as ${key}`),
    sql``,
  );
  const alsoKeys = sql.join(
    groupKeys.map((key) => sql`, ${key}`),
    sql``,
  );
  const end = sql`(${endOf(reading, span)} - interval '1 microsecond')`;
  const ended = sql`coalesce(t.resolved_at, t.closed_at)`;
  const meant = sql`${lockedTo(reading, 't')} and ${filtered(reading, 't', sql`t.day`, span)}`;
  return sql`
    select ${list([...timeKeys.map((key) => sql`b.${key}`), ...groupKeys.map((key) => sql`e.${key}`)])}, sum(e.step) as open
    from (
      select ${list(times)}, max(${day}) as last
      from generate_series(${span.from}::date, (${end} at time zone ${zone})::date, interval '1 day') d (day) group by ${list(timeKeys)}) b
    join (
      select day, sum(step) as step${alsoKeys} from (
        select t.day, 1 as step${asKeys} from conversations t where t.opened_at <= ${end} and ${meant}
        union all
        select greatest(t.day, (${ended} at time zone ${zone})::date), -1${asKeys} from conversations t
        where t.opened_at <= ${end} and ${ended} <= ${end} and ${meant}) steps
      group by day${alsoKeys}) e on e.day <= b.last
    group by ${list([...timeKeys.map((key) => sql`b.${key}`), ...groupKeys.map((key) => sql`e.${key}`)])}`;
}
