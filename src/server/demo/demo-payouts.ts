// Two years of payouts: affiliate commission, supplier invoices, grants. Some are due in the coming weeks.
import type { NumberRow } from '#server/numbers/number-row.ts';
import { affiliates } from './demo-affiliates.ts';
import { type DemoClock, type DemoDay, demoDaysUpTo, hour, instantText, money, rowOf, weighted } from './demo-day.ts';

const suppliers = ['Northwind Print', 'Orchard Packaging', 'Tessel Components', 'Blue Crane Freight'];
const grants = ['School gardens', 'Open libraries', 'Safe harbor'];
const reasons = [
  ['account closed', 5],
  ['wrong bank details', 4],
  ['returned by the bank', 3],
] as const;

type Payout = {
  readonly id: string;
  readonly kind: string;
  readonly batch: string;
  readonly payer: string;
  readonly payee: string;
  readonly program: string | null;
  readonly cents: number;
  readonly currency: string;
  readonly due: number;
};

/** Paid shortly after it was due, and occasionally failed or returned; future ones are pending. */
function payoutRow(clock: DemoClock, { id, cents, due, ...payout }: Payout): NumberRow {
  const { now, random } = clock;
  const paid = due + random.wait(30) * hour;
  const state =
    due > now
      ? due > now + 240 * hour
        ? 'draft'
        : 'approved'
      : paid > now
        ? 'sending'
        : weighted(random, [
            ['paid', 94],
            ['failed', 3],
            ['reversed', 2],
            ['denied', 1],
          ]);
  const isOver = state === 'failed' || state === 'reversed' || state === 'denied';
  return rowOf(id, {
    ...payout,
    due_at: instantText(due),
    paid_at: state === 'paid' || state === 'reversed' ? instantText(paid) : null,
    dated_at: instantText(Math.min(due - 96 * hour, now)),
    amount: money(cents),
    fee: money(cents * 0.004 + 25),
    status: state,
    reason: isOver ? weighted(random, reasons) : null,
  });
}

function payoutsOf(clock: DemoClock, { date, start, busy }: DemoDay): Payout[] {
  const { random } = clock;
  const due = start + 9 * hour;
  const month = String(date.toPlainYearMonth());
  const made: Payout[] = [];
  if (date.day === 15)
    for (const { name, product, currency } of affiliates)
      made.push({
        id: `commission-${name}-${month}`,
        kind: 'commission',
        batch: `commission-${month}`,
        payer: 'Operating account',
        payee: name,
        program: product,
        cents: random.between(40_000, 260_000) * busy,
        currency,
        due,
      });
  if (date.dayOfWeek === 4)
    for (const supplier of suppliers)
      made.push({
        id: `goods-${supplier}-${date}`,
        kind: 'goods',
        batch: `goods-${date}`,
        payer: 'Operating account',
        payee: supplier,
        program: null,
        cents: random.between(30_000, 420_000) * busy,
        currency: supplier === 'Tessel Components' ? 'EUR' : 'USD',
        due,
      });
  if (date.day === 1 && date.month % 3 === 1)
    for (const grant of grants)
      made.push({
        id: `grant-${grant}-${month}`,
        kind: 'grant',
        batch: `grants-${month}`,
        payer: 'Foundation account',
        payee: grant,
        program: grant,
        cents: random.whole(5, 40) * 100_000,
        currency: 'USD',
        due,
      });
  return made;
}

/** Up to today, plus the next four weeks. */
export function demoPayouts(clock: DemoClock): NumberRow[] {
  const coming = demoDaysUpTo({ ...clock, now: clock.now + 28 * 24 * hour }).slice(-28);
  const days = [...demoDaysUpTo(clock), ...coming];
  return days.flatMap((day) => payoutsOf(clock, day).map((payout) => payoutRow(clock, payout)));
}
