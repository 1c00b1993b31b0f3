// Two years of affiliate results: one affiliate suspiciously good, one mostly reversed.
import type { NumberRow } from '#server/numbers/number-row.ts';
import { type DemoClock, demoDaysUpTo, money, rowOf, times } from './demo-day.ts';

type Affiliate = {
  readonly name: string;
  readonly campaign: string;
  readonly product: string;
  readonly country: string;
  readonly currency: string;
  readonly impressions: number;
  readonly clickRate: number;
  readonly conversionRate: number;
  /** Cents of a sale. */
  readonly sale: number;
  readonly commissionRate: number;
  readonly reversed: number;
};

/** The fourth converts suspiciously often; the fifth has a fifth of its commission reversed. */
export const affiliates: readonly Affiliate[] = [
  {
    name: 'Harbor Reviews',
    campaign: 'comparison',
    product: 'connect',
    country: 'US',
    currency: 'USD',
    impressions: 5_200,
    clickRate: 0.021,
    conversionRate: 0.032,
    sale: 7_400,
    commissionRate: 0.12,
    reversed: 0.03,
  },
  {
    name: 'Leaf & Loam',
    campaign: 'spring',
    product: 'green',
    country: 'US',
    currency: 'USD',
    impressions: 3_900,
    clickRate: 0.027,
    conversionRate: 0.028,
    sale: 3_600,
    commissionRate: 0.1,
    reversed: 0.04,
  },
  {
    name: 'Pixelpost',
    campaign: 'streams',
    product: 'bgp',
    country: 'CA',
    currency: 'USD',
    impressions: 7_800,
    clickRate: 0.017,
    conversionRate: 0.024,
    sale: 2_100,
    commissionRate: 0.15,
    reversed: 0.05,
  },
  {
    name: 'Quick Coupons',
    campaign: 'coupons',
    product: 'connect',
    country: 'US',
    currency: 'USD',
    impressions: 900,
    clickRate: 0.03,
    conversionRate: 0.13,
    sale: 5_200,
    commissionRate: 0.3,
    reversed: 0.06,
  },
  {
    name: 'Bargain Bay',
    campaign: 'coupons',
    product: 'codex',
    country: 'GB',
    currency: 'USD',
    impressions: 2_600,
    clickRate: 0.022,
    conversionRate: 0.03,
    sale: 8_800,
    commissionRate: 0.11,
    reversed: 0.24,
  },
  {
    name: 'Papierwelt',
    campaign: 'magazine',
    product: 'codex',
    country: 'DE',
    currency: 'EUR',
    impressions: 2_200,
    clickRate: 0.025,
    conversionRate: 0.027,
    sale: 9_100,
    commissionRate: 0.1,
    reversed: 0.03,
  },
];

/** Old results are paid; yesterday's may still be reversed. */
function statusAfter({ random }: DemoClock, days: number, reversed: number): string {
  if (days > 20 && random.chance(reversed)) return 'reversed';
  return days > 45 ? 'paid' : days > 14 ? 'approved' : 'pending';
}

/** A line every second day, to keep two years small. */
export function demoAffiliates(clock: DemoClock): NumberRow[] {
  const { random } = clock;
  const days = demoDaysUpTo(clock);
  return days.flatMap((day, index) =>
    affiliates.flatMap((affiliate, place) => {
      if ((index + place) % 2 === 1) return [];
      const { name, campaign, product, country, currency } = affiliate;
      const impressions = Math.round(2 * affiliate.impressions * day.busy * random.between(0.8, 1.2));
      const clicks = times(random, Math.min(impressions * affiliate.clickRate, 600));
      const conversions = times(random, clicks * affiliate.conversionRate);
      const sales = conversions * affiliate.sale * random.between(0.85, 1.15);
      const amounts = {
        impressions,
        clicks,
        conversions,
        sales: money(sales),
        commission: money(sales * affiliate.commissionRate),
        cost: money(clicks * 1.4),
      };
      const status = statusAfter(clock, days.length - 1 - index, affiliate.reversed);
      const values = {
        affiliate: name,
        day: day.date.toString(),
        campaign,
        product,
        country,
        currency,
        ...amounts,
        status,
      };
      return [rowOf(`${name} ${day.date}`, values)];
    }),
  );
}
