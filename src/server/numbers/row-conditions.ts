// Which rows a request selects, as SQL on a dataset's table or roll-up: scope, currency, days, filters and
// groupings. Names come from the core; values are parameters.
import { type SQL, sql } from 'drizzle-orm';
import { type WorkCalendar, weekdaysOff, workingHours } from '#core/base/working-hours.ts';
import { endedStatuses } from '#core/numbers/conversation-metrics.ts';
import { datasetOf } from '#core/numbers/datasets.ts';
import type { NumberScope } from '#core/numbers/number-request.ts';
import { literals } from '#server/platform/db/literals.ts';
import { allOf, column } from './dataset-columns.ts';

/** A request with the stored days' zone and the current time in it. The currency is already chosen. */
export type Reading = NumberScope & WorkCalendar & { readonly now: Temporal.ZonedDateTime };

/** Days as text, `to` exclusive; `until` cuts the last of them at an instant. */
export type Span = { readonly from: string; readonly to: string; readonly until: string | null };

/** Sources come and go: what they have is asked of the range and a year around it. */
export const yearsAround = { years: 1 };
export const newestLookedAt = 10_000;

/** The mandatory restriction of every statement on the dataset's tables. */
export function lockedTo({ dataset, scope, currency }: Reading, alias: string): SQL {
  const of = datasetOf(dataset);
  const parts: SQL[] = [];
  if (of.scope !== null) parts.push(sql`${column(alias, of.scope)} = ${scope}`);
  if (of.currency !== null) parts.push(sql`${column(alias, of.currency)} = ${currency}`);
  return allOf(parts);
}

export const inDays = (day: SQL, { from, to }: Pick<Span, 'from' | 'to'>): SQL =>
  sql`${day} >= ${from}::date and ${day} < ${to}::date`;

/** The span's days by the row's stored day; `until` by its instant. */
export function inSpan({ dataset }: Reading, alias: string, span: Span): SQL {
  const days = inDays(column(alias, 'day'), span);
  if (span.until === null) return days;
  return sql`${days} and ${column(alias, datasetOf(dataset).datedBy)} < ${span.until}::timestamptz`;
}

/** The start of a day in the zone, as an instant. */
export const startOf = (day: string, zone: string): SQL => sql`(${day}::timestamp at time zone ${zone})`;

/** When a span ends for open items: the end of its last day, or now. */
export function endOf({ zone, now }: Reading, { to, until }: Span): SQL {
  return sql`least(${startOf(to, zone)}, coalesce(${until}::timestamptz, ${now.toInstant().toString()}::timestamptz))`;
}

/** When a conversation was resolved or closed. */
export const endedAt = (alias: string): SQL => column(alias, 'ended_at');

/** Only the status says that it ended: nobody knows when. */
export const endedUndated = (alias: string): SQL =>
  sql`${endedAt(alias)} is null and lower(${column(alias, 'status')}) in (${literals(endedStatuses)})`;

/**
 * When a conversation was open, as the index `conversations_open` has it. Null if it ended before it was
 * opened, or on an unknown day.
 */
export const openPeriod = (alias: string): SQL => sql`(case
    when ${endedAt(alias)} < ${column(alias, 'opened_at')}
      or ${endedUndated(alias)} then null
    else tstzrange(${column(alias, 'opened_at')}, ${endedAt(alias)}, '(]') end)`;

/** Open at the end of the span: opened by then, and neither resolved nor closed. */
export const isOpen = (reading: Reading, alias: string, span: Span): SQL =>
  sql`${openPeriod(alias)} @> ${endOf(reading, span)}`;

/** A grouping's or filter's value. `day` is the row's date here. */
export function wordValue(reading: Reading, word: string, alias: string, day: SQL, span: Span): SQL {
  if (word === 'day') return day;
  if (word === 'week' || word === 'month') return sql`date_trunc(${sql.raw(`'${word}'`)}, ${day}::timestamp)::date`;
  if (word === 'weekday') return sql`extract(isodow from ${day})::int`;
  const buckets = datasetOf(reading.dataset).buckets?.[word];
  if (!buckets) return column(alias, word);
  const isTime = datasetOf(reading.dataset).fields[buckets.of]?.type === 'instant';
  const size = isTime
    ? sql`extract(epoch from ${endOf(reading, span)} - ${column(alias, buckets.of)}) / 3600`
    : column(alias, buckets.of);
  // Money is stored in ten-thousandths.
  const unit = isTime ? 1 : 10_000;
  const [lowest, ...rest] = buckets.bounds;
  const cases = rest
    .toReversed()
    .map((bound) => sql` when ${size} >= ${sql.raw(String(bound * unit))} then ${sql.raw(`'${bound}'`)}`);
  return sql`case${sql.join(cases, sql``)} else ${sql.raw(`'${lowest}'`)} end`;
}

/** The filters, in addition to the mandatory restriction: they only narrow it. */
export function filtered(reading: Reading, alias: string, day: SQL, span: Span): SQL {
  return allOf(
    reading.filters.map(({ field, values }) => {
      const value = wordValue(reading, field, alias, day, span);
      const texts = values.filter((text) => text !== null);
      const isOne = sql`(${value})::text = any(${sql.param(texts)}::text[])`;
      return texts.length === values.length ? isOne : sql`(${isOne} or ${value} is null)`;
    }),
  );
}

/** Working seconds from a Monday long ago to an instant, in the zone's time. */
function workingSecondsTo(instant: SQL, { zone, holidays }: WorkCalendar): SQL {
  const local = sql`(${instant} at time zone ${zone})`;
  const { from, to, days } = workingHours;
  const length = (to - from) * 3_600;
  const ofDay = sql`greatest(0, least(${sql.raw(String(length))}, extract(epoch from ${local}::time) - ${sql.raw(String(from * 3_600))}))`;
  const weekday = sql`(extract(isodow from ${local})::int - 1)`;
  const weeks = sql`((${local}::date - date '2001-01-01' - ${weekday}) / 7)`;
  const off = weekdaysOff(holidays);
  // By binary search: rows are many.
  const offUntil = (day: SQL): SQL =>
    off.length === 0 ? sql`0` : sql`width_bucket(${day}, ${sql.param(off)}::date[])`;
  const [today, before] = [offUntil(sql`${local}::date`), offUntil(sql`${local}::date - 1`)];
  return sql.join(
    [
      sql`((${weeks} * ${sql.raw(String(days))} + least(${weekday}, ${sql.raw(String(days))}) - ${before}) * ${sql.raw(String(length))}`,
      sql` + case when ${weekday} < ${sql.raw(String(days))} and ${today} = ${before} then ${ofDay} else 0 end)`,
    ],
    sql``,
  );
}

/** Seconds between two instants, by the clock or in working hours. */
export function secondsBetween(calendar: WorkCalendar, from: SQL, to: SQL, hours: NumberScope['hours']): SQL {
  return hours === 'clock'
    ? sql`extract(epoch from ${to} - ${from})`
    : sql`(${workingSecondsTo(to, calendar)} - ${workingSecondsTo(from, calendar)})`;
}
