// What was open at the end of each day, week or month: what was open when the span began, plus everything
// opened since, minus everything resolved or closed since.
import { type SQL, sql } from 'drizzle-orm';
import { datasetOf } from '#core/numbers/datasets.ts';
import { granularities } from '#core/numbers/number-request.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { list, name, orderOfRows } from './dataset-columns.ts';
import {
  endedAt,
  endedUndated,
  endOf,
  filtered,
  inDays,
  newestLookedAt,
  openPeriod,
  type Reading,
  type Span,
  startOf,
  wordValue,
  yearsAround,
} from './row-conditions.ts';

/**
 * Rows of `k0`, `k1` ... for the groupings and `open`. Buckets end with the span and with today, because
 * tomorrow's backlog is unknown. Groups without anything open since the span began are left out.
 */
export function backlogOverTime(reading: Reading, by: readonly string[], span: Span, shifted: (day: SQL) => SQL): SQL {
  const { zone } = reading;
  const isTime = (word: string) => (granularities as readonly string[]).includes(word);
  const words = by.map((word, index) => ({ word, key: name(`k${index}`) }));
  const times = words.filter(({ word }) => isTime(word));
  const groups = words.filter(({ word }) => !isTime(word));
  const [timeKeys, groupKeys] = [times.map(({ key }) => key), groups.map(({ key }) => key)];
  const timesOf = (alias: string) =>
    times.map(
      ({ word, key }) =>
        sql`${wordValue(reading, word, alias, shifted(sql.raw(`${alias}.day::date`)), span)} as ${key}`,
    );
  const [first, end] = [sql`${span.from}::date`, endOf(reading, span)];
  const ended = endedAt('t');
  const hasGroups = groups.length > 0;
  return sql`
    with steps as materialized (
      select s.day, ${list([...groups.map(({ word, key }) => sql`${wordValue(reading, word, 't', sql`t.day`, span)} as ${key}`), sql`sum(s.step) as step`])}
      from conversations t cross join lateral (values
        (greatest(${first}, t.day), 1), (greatest(${first}, t.day, (${ended} at time zone ${zone})::date), -1)) s (day, step)
      where ${openPeriod('t')} && tstzrange(least(${startOf(span.from, zone)}, ${end}), ${end}, '(]')
        and (s.step = 1 or ${ended} < ${end}) and ${filtered(reading, 't', sql`t.day`, span)}
      group by ${list([sql`s.day`, ...groupKeys])})
    select ${list([...timeKeys, ...groupKeys])},
      sum(sum(step)) over (${hasGroups ? sql`partition by ${list(groupKeys)}` : sql``} order by ${list(timeKeys)}) as open
    from (
      select ${list([...timesOf('s'), ...groupKeys, sql`s.step`])} from steps s
      union all
      select ${list([...timesOf('d'), ...groupKeys, sql`0`])}
      from generate_series(${first}, ((${end} - interval '1 microsecond') at time zone ${zone})::date, interval '1 day') d (day)
      ${hasGroups ? sql`cross join (select distinct ${list(groupKeys)} from steps) g` : sql``}) moves
    group by ${list([...timeKeys, ...groupKeys])}`;
}

/**
 * Whether the range's backlog is known: its newest conversations have ends, or none of them has ended and
 * others of the time around it have.
 */
export async function readEndsKnown(queries: Queries, request: Reading): Promise<boolean> {
  const { range, zone } = request;
  const span = { from: range.from.toString(), to: range.to.toString(), until: null };
  const newest = list(orderOfRows(datasetOf('conversations')).map((part) => sql`t.${name(part)} desc`));
  const [from, to] = [range.from.subtract(yearsAround), range.to.add(yearsAround)];
  // `min` reads the index, where `exists` could read through years without these times.
  const around = sql`(select min(${endedAt('c')}) from conversations c
    where ${endedAt('c')} >= ${startOf(from.toString(), zone)} and ${endedAt('c')} < ${startOf(to.toString(), zone)})`;
  const { rows } = await queries.execute<{ isKnown: boolean }>(sql`
    select coalesce(bool_or(n.dated), false) or not coalesce(bool_or(n.undated), false) and ${around} is not null as "isKnown"
    from (select ${endedAt('t')} is not null as dated, ${endedUndated('t')} as undated from conversations t
      where ${inDays(sql`t.day`, span)} and ${filtered(request, 't', sql`t.day`, span)}
      order by ${newest} limit ${newestLookedAt}) n`);
  return rows[0]!.isKnown;
}
