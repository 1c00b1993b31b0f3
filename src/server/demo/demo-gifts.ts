// Two years of gifts to the three causes, and their monthly remittances.
import { type Cause, causes } from '#core/access/products.ts';
import type { NumberRow } from '#server/numbers/number-row.ts';
import {
  type DemoClock,
  type DemoDay,
  demoDaysUpTo,
  hour,
  instantText,
  momentOf,
  money,
  rowOf,
  times,
  weighted,
} from './demo-day.ts';

const gifts: Record<Cause, { readonly daily: number; readonly monthlyDonors: number }> = {
  'free-a-girl': { daily: 1.9, monthlyDonors: 32 },
  'operation-underground-railroad': { daily: 1.3, monthlyDonors: 22 },
  'who-lives': { daily: 0.8, monthlyDonors: 14 },
};

const sizes = [
  [1_000, 24],
  [2_000, 20],
  [2_500, 22],
  [5_000, 18],
  [10_000, 10],
  [25_000, 4],
  [50_000, 1.5],
  [100_000, 0.5],
] as const;
const campaigns = [
  ['Website', 48],
  ['Newsletter', 27],
  ['Spring appeal', 13],
  ['Friends of the arcade', 12],
] as const;
const homes = [
  ['US', 55],
  ['CA', 10],
  ['GB', 9],
  ['DE', 12],
  ['NL', 14],
] as const;
const inEuro = new Set(['DE', 'NL']);

const currencyIn = (country: string): string => (inEuro.has(country) ? 'EUR' : 'USD');
const feeOf = (cents: number): bigint => money(cents * 0.022 + 30);

/** Giving week at the end of November brings four times as many. */
const isGivingWeek = ({ date }: DemoDay): boolean => date.month === 11 && date.day >= 24;

/** Someone who gives every month from a day on, on the same day of the month. */
type MonthlyDonor = {
  readonly name: string;
  readonly country: string;
  readonly cents: number;
  readonly from: number;
  readonly day: number;
};

export type DemoGiving = { readonly donations: NumberRow[]; readonly remittances: NumberRow[] };

class Collection {
  readonly donations: NumberRow[] = [];
  readonly remittances: NumberRow[] = [];
  readonly #clock: DemoClock;
  readonly #cause: Cause;
  readonly #donors: string[] = [];
  readonly #monthly: MonthlyDonor[];
  /** Cents of completed gifts since the last remittance. */
  #held = new Map<string, number>();

  constructor(clock: DemoClock, cause: Cause) {
    this.#clock = clock;
    this.#cause = cause;
    const { random } = clock;
    this.#monthly = Array.from({ length: gifts[cause].monthlyDonors }, (_, index) => ({
      name: `${cause}-monthly-${index + 1}`,
      country: weighted(random, homes),
      cents: random.pick([1_000, 1_500, 2_000, 3_000, 5_000]),
      from: random.between(-0.4, 0.9),
      day: random.whole(1, 28),
    }));
  }

  collect(day: DemoDay): void {
    const { random } = this.#clock;
    if (day.date.day === 5) this.#remit(day);
    for (const { name, country, cents, from, day: dayOfMonth } of this.#monthly) {
      if (day.date.day === dayOfMonth && from <= day.progress)
        this.#give(
          day,
          { donor_ref: name, country, campaign: 'Monthly giving', recurring: true, recurring_ref: name },
          cents,
        );
    }
    const mean = gifts[this.#cause].daily * day.busy * (isGivingWeek(day) ? 4 : 1);
    for (let left = times(random, mean); left > 0; left--) {
      const country = weighted(random, homes);
      const campaign = isGivingWeek(day) && random.chance(0.7) ? 'Giving week' : weighted(random, campaigns);
      this.#give(
        day,
        { donor_ref: this.#donor(), country, campaign, recurring: false, recurring_ref: null },
        weighted(random, sizes),
      );
    }
  }

  /** One in six gives anonymously; two in five of the others have given before. */
  #donor(): string | null {
    const { random } = this.#clock;
    if (random.chance(1 / 6)) return null;
    if (this.#donors.length > 15 && random.chance(0.4)) return random.pick(this.#donors);
    const donor = `${this.#cause}-donor-${this.#donors.length + 1}`;
    this.#donors.push(donor);
    return donor;
  }

  #give(
    day: DemoDay,
    gift: {
      readonly donor_ref: string | null;
      readonly country: string;
      readonly campaign: string;
      readonly recurring: boolean;
      readonly recurring_ref: string | null;
    },
    cents: number,
  ): void {
    const at = momentOf(this.#clock, day);
    if (at === null) return;
    const status = weighted(this.#clock.random, [
      ['completed', 97],
      ['failed', 2],
      ['refunded', 1],
    ]);
    const currency = currencyIn(gift.country);
    if (status === 'completed') this.#held.set(currency, (this.#held.get(currency) ?? 0) + cents * 0.978 - 30);
    const values = {
      cause: this.#cause,
      donated_at: instantText(at),
      anonymous: gift.donor_ref === null,
      ...gift,
      amount: money(cents),
      fee: feeOf(cents),
      currency,
      status,
    };
    this.donations.push(rowOf(`${this.#cause}-${this.donations.length + 1}`, values));
  }

  /** On the fifth, remits nine tenths of what has come in since. */
  #remit({ date, start }: DemoDay): void {
    const paidAt = start + 10 * hour;
    if (paidAt > this.#clock.now) return;
    for (const [currency, cents] of this.#held) {
      const at = instantText(paidAt);
      const values = {
        kind: 'remittance',
        program: this.#cause,
        payee: causes[this.#cause].title,
        payer: 'Foundation account',
        batch: `remittances-${date.toPlainYearMonth()}`,
        due_at: at,
        paid_at: at,
        dated_at: at,
        amount: money(cents * 0.9),
        fee: money(250),
        currency,
        status: 'paid',
      };
      this.remittances.push(rowOf(`remittance-${this.#cause}-${date}-${currency}`, values));
    }
    this.#held = new Map([...this.#held].map(([currency, cents]) => [currency, cents * 0.1]));
  }
}

export function demoGiving(clock: DemoClock): DemoGiving {
  const collections = (Object.keys(causes) as Cause[]).map((cause) => new Collection(clock, cause));
  for (const day of demoDaysUpTo(clock)) for (const collection of collections) collection.collect(day);
  return {
    donations: collections.flatMap(({ donations }) => donations),
    remittances: collections.flatMap(({ remittances }) => remittances),
  };
}
