// What was open at the end of each day, week or month: what was open when the span began, plus everything
// opened since, minus everything resolved or closed since.
import { type SQL, sql } from 'drizzle-orm';
import { granularities } from '#core/numbers/number-request.ts';
import { list, name } from './dataset-columns.ts';
import { endedAt, endOf, filtered, openPeriod, type Reading, type Span, startOf, wordValue } from './row-conditions.ts';

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
