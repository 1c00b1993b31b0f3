// How busy a day of the demo's numbers is: more in autumn than in summer, less on weekends, and every year a little more.
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

/** `now` and all moments are milliseconds of the epoch: there are tens of thousands of them. */
export type DemoClock = { readonly now: number; readonly zone: string; readonly random: Random };

// Monday first.
const ofWeekday = [1.1, 1.15, 1.1, 1.05, 1, 0.75, 0.7];
const season = (date: Temporal.PlainDate): number => 1 + 0.28 * Math.cos((2 * Math.PI * (date.dayOfYear - 335)) / 365);

export function demoDaysUpTo({ now, zone }: DemoClock): DemoDay[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).toPlainDate();
  return Array.from({ length: demoDays }, (_, index) => {
    const date = today.subtract({ days: demoDays - 1 - index });
    const progress = index / (demoDays - 1);
    const start = date.toZonedDateTime(zone).epochMilliseconds;
    return { date, start, progress, busy: season(date) * ofWeekday[date.dayOfWeek - 1]! * (0.8 + 0.4 * progress) };
  });
}

/** How often something happens on a day of which `mean` are expected. */
export function times(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let left = random.fraction(); left > limit; left *= random.fraction()) count += 1;
  return count;
}

export const minute = 60_000;
export const hour = 60 * minute;

/** A moment of the day, rather in the evening; null when it has not come yet. */
export function momentOf({ now, random }: DemoClock, { start }: DemoDay): number | null {
  const moment = start + Math.floor((6 + 17 * Math.sqrt(random.fraction())) * 3_600) * 1_000;
  return moment > now ? null : moment;
}

export const instantText = (moment: number): string =>
  Temporal.Instant.fromEpochMilliseconds(Math.round(moment)).toString();
/** Nothing that has not come yet. */
export const pastText = (moment: number, { now }: DemoClock): string | null =>
  moment <= now ? instantText(moment) : null;

/** Of options with weights, one. */
export function weighted<Item>(random: Random, options: readonly (readonly [Item, number])[]): Item {
  let left = random.fraction() * options.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of options) {
    left -= weight;
    if (left < 0) return item;
  }
  return options[0]![0];
}

/** Cents as the ten-thousandths of the store. */
export const money = (cents: number): bigint => BigInt(Math.round(cents)) * 100n;

export const rowOf = (externalId: string, values: Record<string, NumberValue>): NumberRow => ({
  externalId,
  values,
  labels: {},
  texts: {},
});
