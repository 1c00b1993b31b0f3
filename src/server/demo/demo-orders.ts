// Two years of orders of the four products, and the attempts to pay them.
import { type SalesProduct, salesProducts } from '#core/access/products.ts';
import type { NumberRow } from '#server/numbers/number-row.ts';
import {
  type DemoClock,
  type DemoDay,
  demoDaysUpTo,
  hour,
  instantText,
  minute,
  momentOf,
  money,
  pastText,
  rowOf,
  times,
  weighted,
} from './demo-day.ts';

/** Orders a day, and titles with their price in cents. */
const shelves: Record<
  SalesProduct,
  { readonly daily: number; readonly titles: readonly (readonly [string, number])[] }
> = {
  connect: {
    daily: 2.6,
    titles: [
      ['Connect Starter', 2_900],
      ['Connect Team', 7_900],
      ['Connect Team, yearly', 79_000],
      ['Extra seat', 1_200],
      ['Onboarding hour', 9_500],
      ['Archive add-on', 1_500],
    ],
  },
  green: {
    daily: 2,
    titles: [
      ['Green Box, small', 2_450],
      ['Green Box, large', 4_250],
      ['Herb garden', 1_990],
      ['Compost kit', 3_490],
      ['Seed mix', 690],
      ['Watering can', 1_590],
    ],
  },
  codex: {
    daily: 1.3,
    titles: [
      ['Codex Reader', 11_900],
      ['Codex Pages, monthly', 990],
      ['Codex Pages, yearly', 9_900],
      ['Leather sleeve', 3_900],
      ['Field notebook', 1_290],
    ],
  },
  bgp: {
    daily: 1.7,
    titles: [
      ['Arcade pass', 1_490],
      ['Coin pack 100', 499],
      ['Coin pack 1000', 3_999],
      ['Season ticket', 5_900],
      ['Plush mascot', 2_290],
    ],
  },
};

const countries: readonly (readonly [country: string, weight: number])[] = [
  ['US', 46],
  ['CA', 9],
  ['GB', 8],
  ['AU', 5],
  ['DE', 8],
  ['NL', 5],
  ['FR', 5],
  ['ES', 3],
];
const inEuro = new Set(['DE', 'NL', 'FR', 'ES']);
const channels = [
  ['web', 58],
  ['affiliate', 22],
  ['newsletter', 13],
  ['phone', 7],
] as const;
const states = [
  ['completed', 94],
  ['cancelled', 3],
  ['pending', 3],
] as const;

type Customer = { readonly name: string; readonly country: string };
type Order = {
  readonly ref: string;
  readonly product: SalesProduct;
  readonly at: number;
  readonly currency: string;
  readonly country: string;
  readonly status: string;
  readonly cents: number;
  readonly isRefunded: boolean;
};

/** A line of an order, and what was paid for it. */
type Sold = { readonly article: { readonly sku: string; readonly title: string }; readonly cents: number };

export type DemoSales = { readonly orders: NumberRow[]; readonly payments: NumberRow[] };

class Shop {
  readonly orders: NumberRow[] = [];
  readonly payments: NumberRow[] = [];
  readonly #clock: DemoClock;
  readonly #customers = new Map<SalesProduct, Customer[]>();
  #count = 0;

  constructor(clock: DemoClock) {
    this.#clock = clock;
  }

  sell(product: SalesProduct, day: DemoDay): void {
    const { random } = this.#clock;
    for (let left = times(random, shelves[product].daily * day.busy); left > 0; left--) {
      const at = momentOf(this.#clock, day);
      if (at !== null) this.#pay(this.#order(product, at));
    }
  }

  /** Two in three return; one in twelve orders as a guest. */
  #customer(product: SalesProduct): Customer | null {
    const { random } = this.#clock;
    const known = this.#customers.get(product) ?? [];
    this.#customers.set(product, known);
    if (random.chance(1 / 12)) return null;
    if (known.length > 20 && random.chance(0.62)) return random.pick(known);
    const customer = { name: `${product}-customer-${known.length + 1}`, country: weighted(random, countries) };
    known.push(customer);
    return customer;
  }

  #order(product: SalesProduct, at: number): Order {
    const { random } = this.#clock;
    const customer = this.#customer(product);
    const country = customer?.country ?? weighted(random, countries);
    const ref = `${product.toUpperCase()}-${10_000 + ++this.#count}`;
    const currency = inEuro.has(country) ? 'EUR' : 'USD';
    const status = weighted(random, states);
    const channel = weighted(random, channels);
    const order = { product, order_ref: ref, customer_ref: customer?.name ?? null, country, channel, currency };
    const sold: Sold[] = [];
    for (
      let line = 1,
        lines = weighted(random, [
          [1, 70],
          [2, 22],
          [3, 8],
        ]);
      line <= lines;
      line++
    ) {
      const [title, price] = random.pick(shelves[product].titles);
      const quantity = weighted(random, [
        [1, 80],
        [2, 14],
        [5, 6],
      ]);
      const discount = random.chance(0.15) ? Math.round(price * quantity * 0.1) : 0;
      const amounts = {
        quantity,
        gross: money(price * quantity),
        discount: money(discount),
        tax: money((price * quantity - discount) * 0.08),
      };
      const article = { sku: title.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '-'), title };
      sold.push({ article, cents: price * quantity - discount });
      this.orders.push(
        rowOf(`${ref}/${line}`, { ...order, ...amounts, ...article, status, occurred_at: instantText(at) }),
      );
    }
    const isRefunded = status === 'completed' && random.chance(0.045) && this.#refund(order, at, sold);
    const cents = sold.reduce((sum, line) => sum + line.cents, 0);
    return { ref, product, at, currency, country, status, cents, isRefunded };
  }

  /** Dated some days later: each line in full, or half of it. */
  #refund(order: Record<string, string | null>, at: number, sold: readonly Sold[]): boolean {
    const { now, random } = this.#clock;
    const later = at + hour + random.wait(9 * 24) * hour;
    if (later > now) return false;
    const part = random.chance(0.3) ? 0.5 : 1;
    const state = { status: 'refunded', occurred_at: instantText(later) };
    for (const [index, { article, cents }] of sold.entries()) {
      const values = { ...order, ...article, ...state, refunded: money(cents * part) };
      this.orders.push(rowOf(`${order.order_ref}/refund-${index + 1}`, values));
    }
    return true;
  }

  /** One order in nine is declined first; most of those are retried. */
  #pay({ ref, product, at, currency, country, status, cents, isRefunded }: Order): void {
    const { random } = this.#clock;
    const method = weighted(random, [
      ['card', 68],
      ['wallet', 22],
      ['bank transfer', 10],
    ]);
    const brand =
      method === 'card'
        ? weighted(random, [
            ['visa', 52],
            ['mastercard', 36],
            ['amex', 12],
          ])
        : null;
    const attempt = { product, order_ref: ref, method, brand, country, currency, amount: money(cents) };
    const isDeclined = random.chance(0.11);
    if (isDeclined) {
      const group = weighted(random, [
        ['insufficient funds', 44],
        ['suspected fraud', 16],
        ['expired card', 22],
        ['bank unreachable', 18],
      ]);
      this.payments.push(
        rowOf(`${ref}-1`, { ...attempt, status: 'failed', decline_group: group, attempted_at: instantText(at) }),
      );
      if (random.chance(0.25)) return;
    }
    const settled = pastText(at + 24 * hour + random.wait(33) * hour, this.#clock);
    const paid = isRefunded ? 'refunded' : random.chance(0.005) ? 'disputed' : 'paid';
    const isPaid = status === 'completed';
    const values = {
      ...attempt,
      attempted_at: instantText(at + (isDeclined ? 4 * minute : 0)),
      attempt_of: isDeclined ? `${ref}-1` : null,
      status: isPaid ? paid : status,
      fee: isPaid ? money(cents * 0.029 + 30) : null,
      settled_at: isPaid ? settled : null,
    };
    this.payments.push(rowOf(`${ref}-${isDeclined ? 2 : 1}`, values));
  }
}

export function demoSales(clock: DemoClock): DemoSales {
  const shop = new Shop(clock);
  for (const day of demoDaysUpTo(clock)) {
    for (const product of Object.keys(salesProducts) as SalesProduct[]) shop.sell(product, day);
  }
  return { orders: shop.orders, payments: shop.payments };
}
