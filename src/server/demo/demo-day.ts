// How busy a day is in the demo's numbers: more in autumn than in summer, less on weekends, and a little more
// every year.
import type { NumberRow, NumberValue } from '#server/numbers/number-row.ts';
import type { Random } from './random.ts';

export const demoDays = 731;

export type DemoDay = {
  readonly date: Temporal.PlainDate;
  /** Midnight. */
  readonly start: number;
  /** 0 for the first day, 1 for today. */
  readonly progress: number;
  /** Around 1. */
  readonly busy: number;
};

/** `now` and all times are epoch milliseconds, because there are tens of thousands. */
export type DemoClock = { readonly now: number; readonly zone: string; readonly random: Random };

// Monday first.
const weekdayFactors = [1.1, 1.15, 1.1, 1.05, 1, 0.75, 0.7];
const season = (date: Temporal.PlainDate): number => 1 + 0.28 * Math.cos((2 * Math.PI * (date.dayOfYear - 335)) / 365);

export function demoDaysUpTo({ now, zone }: DemoClock): DemoDay[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  return Array.from({ length: demoDays }, (_, index) => {
    const date = today.subtract({ days: demoDays - 1 - index });
    const progress = index / (demoDays - 1);
    const start = date.toZonedDateTime(zone).epochMilliseconds;
    return { date, start, progress, busy: season(date) * weekdayFactors[date.dayOfWeek - 1]! * (0.8 + 0.4 * progress) };
  });
}

/** A random count for a day with the expected value `mean`. */
export function times(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let left = random.fraction(); left > limit; left *= random.fraction()) count += 1;
  return count;
}

export const minute = 60_000;
export const hour = 60 * minute;

/** A time of day, often in the evening; null if it is in the future. */
export function momentOf({ now, random }: DemoClock, { start }: DemoDay): number | null {
  const moment = start + Math.floor((6 + 17 * Math.sqrt(random.fraction())) * 3_600) * 1_000;
  return moment > now ? null : moment;
}

export const instantText = (moment: number): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(moment)).toString();
/** Null for the future. */
export const pastText = (moment: number, { now }: DemoClock): string | null =>
  moment <= now ? instantText(moment) : null;

/** Picks one of the weighted options. */
export function weighted<Item>(random: Random, options: readonly (readonly [Item, number])[]): Item {
  let left = random.fraction() * options.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of options) {
    left -= weight;
    if (left < 0) return item;
  }
  return options[0]![0];
}

/** Cents as stored ten-thousandths. */
export const money = (cents: number): bigint => BigInt(Math.round(cents)) * 100n;

export const rowOf = (externalId: string, values: Record<string, NumberValue>): NumberRow => ({
  externalId,
  values,
  labels: {},
  texts: {},
});
