import { expect, test } from 'vitest';
import type { Rule } from '#server/platform/imports/mapping-rules.ts';
import type { NumberRow, NumberValue } from '../number-row.ts';
import { CentsDoubts, RateDoubts } from './amount-doubts.ts';
import { doubtsOfAll } from './mapping-doubts.ts';
import { numbersMappings } from './numbers-mapping.ts';
import { doubtsOf, doubtsOfNames, numberedDoubts, type ReadRow, ValueDoubts } from './preview-doubts.ts';

const mapping = {
  ...({ dataset: 'orders', source: 'shop', missing: [], leaveOut: [], labels: {} } as const),
  fields: { external_id: 'Row ID', order_ref: 'Order Priority', gross: 'Sales', discount: 'Discount' },
};
const rowsOf = (count: number, valuesOf: (index: number) => Record<string, NumberValue>): NumberRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ externalId: String(index), labels: {}, texts: {} },
    values: { gross: 120_000n, ...valuesOf(index) },
  }));

test('amounts, references of many orders, few rows and a value for all rows raise no doubt', () => {
  const sound = rowsOf(40, (index) => ({ order_ref: `O-${index >> 2}`, discount: index === 0 ? 10_000n : 100n }));
  expect(doubtsOf('orders', mapping, sound)).toEqual([]);
  expect(
    doubtsOf(
      'orders',
      mapping,
      rowsOf(2, () => ({ order_ref: 'High', discount: 100n })),
    ),
  ).toEqual([]);
  const same = { ...mapping, fields: { ...mapping.fields, order_ref: { constant: 'till' } } };
  expect(
    doubtsOf(
      'orders',
      same,
      rowsOf(40, () => ({ order_ref: 'till' })),
    ),
  ).toEqual([]);
});

test('a reference with few values looks like another column', () => {
  const rows = rowsOf(40, (index) => ({ order_ref: index % 2 ? 'High' : 'Low' }));
  expect(doubtsOf('orders', mapping, rows)).toEqual([
    { field: 'order_ref', reason: 'Only 2 different values in 40 rows. Is this the right column?' },
  ]);
});

const ratesOf = (fields: object, rows: readonly NumberRow[]) => {
  const doubts = new RateDoubts({ ...mapping, fields } as never);
  for (const row of rows) doubts.add({}, row);
  return doubts.warnings;
};

test('amounts that are all below 1 look like rates, and one that isn’t ends the doubt', () => {
  const rows = rowsOf(40, (index) => ({ discount: BigInt(index % 3) * 100n }));
  const reason = 'has only values below 1, like rates. This field needs amounts';
  expect(ratesOf(mapping.fields, rows)).toEqual([{ field: 'discount', column: 'Discount', reason, count: 26 }]);
  const [first, ...others] = rows;
  const whole = { ...first!, values: { ...first!.values, discount: 10_000n } };
  expect(ratesOf(mapping.fields, [...others, whole])).toEqual([]);
});

test('remittances of which none names a cause are a doubt', () => {
  const payouts = { ...mapping, dataset: 'payouts', fields: { external_id: 'id', amount: 'Sum' } } as const;
  const programs = (kind: string, ...given: (string | null)[]) =>
    doubtsOf(
      'payouts',
      payouts,
      given.map((program) => ({ externalId: '1', labels: {}, texts: {}, values: { kind, program, amount: 5n } })),
    );
  const names = 'Free a Girl, Operation Underground Railroad, or Who Lives';
  const reason = `Names no cause in 2 of the first 3 remittances, so they’re missing from each cause’s balance. For a cause, use ${names}`;
  expect(programs('remittance', null, 'Spring', 'who-lives')).toEqual([{ field: 'program', reason }]);
  for (const name of ['Who Lives', 'who-lives', ' WHO LIVES ']) expect(programs('remittance', name)).toEqual([]);
  expect(programs('grant', 'Spring')).toEqual([]);
});

test('warns of rates before the gross amount is mapped', () => {
  const { gross: _, ...fields } = mapping.fields;
  const rows = rowsOf(10, (index) => ({ gross: null, discount: BigInt(index) * 1_000n }));
  expect(ratesOf(fields, rows).map(({ field }) => field)).toEqual(['discount']);
});

test('orders without gross amounts have no net sales; an amount that is required is asked for elsewhere', () => {
  const { gross: _, ...fields } = mapping.fields;
  expect(doubtsOf('orders', { ...mapping, fields }, [])).toEqual([
    { field: 'gross', reason: 'No column is chosen, so net sales and average order value will be unknown' },
  ]);
  expect(doubtsOf('donations', { ...mapping, dataset: 'donations', fields: { external_id: 'x' } }, [])).toEqual([]);
});

test('conversations without a column for their end or status are said to count as open', () => {
  const fieldsOf = (more: object) =>
    doubtsOf('conversations', { ...mapping, dataset: 'conversations', fields: { external_id: 'id', ...more } }, []);
  expect(fieldsOf({})).toEqual([
    { field: 'status', reason: expect.stringMatching(/all conversations count as open\. Choose/) },
  ]);
  for (const field of ['resolved_at', 'closed_at', 'status']) expect(fieldsOf({ [field]: 'x' })).toEqual([]);
});

test('codes that are no countries, and states that look like them, are a doubt', () => {
  const doubtsAbout = (column: string, ...codes: string[]) => {
    const given = { ...mapping, fields: { ...mapping.fields, country: column } };
    const rows = rowsOf(codes.length, (index) => ({ country: codes[index]! }));
    return doubtsOf('orders', given, rows).map(({ reason }) => reason);
  };
  expect(doubtsAbout('Country', 'PA', 'UK', 'DE')).toEqual([]);
  expect(doubtsAbout('Country', 'DE', 'Niedlerlande')).toEqual([
    '“Niedlerlande” isn’t a known country, so it’s shown separately. Use a code like DE, or leave the cell blank',
  ]);
  expect(doubtsAbout('Origin', 'PA', 'WY', 'TX', 'WY')).toEqual([
    'WY and TX aren’t country codes. Is this the right column?',
  ]);
  expect(doubtsAbout('countryCode', '391', '406')).toEqual([
    '391 and 406 aren’t country codes. Is this the right column?',
  ]);
  expect(doubtsAbout('Shipping Address State', 'WY', 'PA')).toEqual([
    '“Shipping Address State” seems to contain states. Their codes would count as countries, such as PA as Panama. Choose another column, or “Nothing”',
  ]);
});

test('the price of one is a doubt as a line’s amount, unless it is multiplied', () => {
  const doubtsAbout = (gross: Rule) => doubtsOfAll('orders', { fields: { ...mapping.fields, gross } }, []);
  for (const column of ['Purchase Price Per Unit', 'unit_price', 'UnitPrice', 'Price Each', 'Stückpreis'])
    expect(doubtsAbout(column)).toEqual([
      { field: 'gross', column, reason: expect.stringContaining('“Multiply columns”') },
    ]);
  const line: Rule = { multiply: ['UnitPrice', 'Quantity'] };
  const when = [{ value: 'Invoice', startsWith: 'C' }];
  expect(doubtsAbout(line)).toEqual([]);
  expect(doubtsAbout({ when, give: { constant: '0' }, else: { absolute: line } })).toEqual([]);
  expect(doubtsAbout({ when, give: line, else: 'UnitPrice' })).toHaveLength(1);
  expect(doubtsAbout('Reached total')).toEqual([]);
});

test('a column that the file has twice is a doubt of each field that reads it', () => {
  const columns = ['Row ID', 'Sales', 'Currency', 'Sales', 'Currency'];
  const reason = 'The file has the column “Sales” twice. Rename or remove one, or the import will be refused';
  expect(doubtsOfNames(mapping, 'UTC', columns)).toEqual([{ field: 'gross', reason }]);
  expect(doubtsOfNames(null, 'UTC', columns)).toEqual([]);
});

test.each([
  ['payouts', 'amount'],
  ['donations', 'amount'],
  ['payments', 'amount'],
  ['orders', 'gross'],
  ['affiliate_activity', 'sales'],
] as const)('%s whose amounts are all negative have probably the other sign', (dataset, field) => {
  const expenses = { ...mapping, dataset, fields: { external_id: 'id', [field]: 'Amount' } } as never;
  const reasonsOf = (amounts: readonly bigint[]) =>
    doubtsOf(
      dataset,
      expenses,
      rowsOf(amounts.length, (index) => ({ [field]: amounts[index]! })),
    ).map(({ reason }) => reason);
  const refunds = dataset === 'orders' ? '. If these are refunds, check “Negative amounts are refunds” instead' : '';
  const reason = `Every amount is negative, so a rise would count as a fall. Choose “Flip sign”${refunds}`;
  expect(reasonsOf([-4_549_900n, -120_000n, 0n, -10_000n])).toEqual([reason]);
  // A refund among others, and too few to tell.
  const paidBack: Record<string, string> = {
    payments: 'If these are refunds, they reduce Paid, but Refund rate doesn’t count them',
    orders: 'If these are refunds, they would wrongly count as orders. Check “Negative amounts are refunds”',
    donations:
      'If these are refunds, they correctly reduce Gross, but also count as gifts. If these are fees or expenses, leave rows below 0 out',
    payouts:
      'If these are returned payouts, they correctly reduce the total, but also count as payouts. If these are fees, leave rows below 0 out',
  };
  const some = (words: string) =>
    dataset in paidBack ? [`Among the first rows, ${words} negative. ${paidBack[dataset]}`] : [];
  expect(reasonsOf([-4_549_900n, -120_000n, -10_000n, 10_000n])).toEqual(some('3 amounts are'));
  expect(reasonsOf([-4_549_900n, 120_000n])).toEqual(some('1 amount is'));
});

test('negative payments that were refunded keep their sign: changed, they would be added', () => {
  const payments = { ...mapping, dataset: 'payments', fields: { external_id: 'id', amount: 'Amount' } } as const;
  const about = (status: string) =>
    doubtsOf(
      'payments',
      payments,
      rowsOf(4, () => ({ status, amount: -10_000n })),
    ).filter(({ reason }) => reason.includes('Flip sign')).length;
  expect([about('refunded'), about('failed')]).toEqual([0, 1]);
});

test('a negative amount whose status doesn’t count is no doubt', () => {
  const about = (status: string) =>
    doubtsOf(
      'orders',
      mapping,
      rowsOf(4, (index) => ({ status, gross: index === 0 ? -10_000n : 10_000n })),
    ).length;
  expect([about('adjustment'), about('completed')]).toEqual([0, 1]);
});

test('someone who gives every month is no doubt, and a column of few values is', () => {
  const gifts = { ...mapping, dataset: 'donations', fields: { external_id: 'id', donor_ref: 'Donor' } } as never;
  const about = (donors: number) =>
    doubtsOf(
      'donations',
      gifts,
      rowsOf(122, (index) => ({ donor_ref: `d${index % donors}` })),
    ).length;
  expect([about(11), about(3)]).toEqual([0, 1]);
});

const centsDoubts = (given: never, rows: readonly Pick<ReadRow, 'row' | 'read'>[]) => {
  const doubts = new CentsDoubts(given);
  for (const { row, read } of rows) doubts.add(row, read);
  return doubts.warnings;
};

test('amounts without any decimals are a doubt where a column or a payment system gives cents', () => {
  const about = (column: string, texts: readonly string[], more: object = {}, values: object = {}) =>
    centsDoubts(
      { ...mapping, fields: { external_id: 'id', ['dataset' in more ? 'amount' : 'gross']: column }, ...more } as never,
      texts.map((text, index) => ({
        ...{ row: { [column]: text }, text },
        read: { ...{ externalId: String(index), labels: {}, texts: {} }, values: { currency: 'USD', ...values } },
      })),
    ).map(({ field }) => field);
  const whole = ['1000', '2000', '0', '-150'];
  for (const column of ['amount_cents', 'Total (cents)', 'amountMinor', 'Minor units', 'priceCents'])
    expect(about(column, whole)).toEqual(['gross']);
  expect(about('amountCentsUsd', whole)).toEqual(['gross']);
  for (const column of ['Amount', 'Percent', 'Percents', 'recents', 'Center']) expect(about(column, whole)).toEqual([]);
  expect(about('amount_cents', ['1000', '20.00', '150'])).toEqual([]);
  for (const currency of ['JPY', 'KWD', null]) expect(about('amount_cents', whole, {}, { currency })).toEqual([]);
  const payments = { dataset: 'payments' };
  expect(about('AMOUNT', ['1000', '2000', '100'], payments)).toEqual(['amount']);
  expect(about('AMOUNT', ['1000', '20', '100'], payments)).toEqual([]);
  const divided = { fields: { external_id: 'id', gross: { multiply: ['amount_cents', { constant: '0.01' }] } } };
  expect(about('amount_cents', whole, divided)).toEqual([]);
});

test('one row in a currency without cents ends the doubt, because the choice would divide it too', () => {
  const rows = ['USD', 'USD', 'USD', 'JPY'].map((currency, index) => ({
    ...{ row: { amount_cents: '1500' }, text: '' },
    read: { externalId: String(index), labels: {}, texts: {}, values: { currency } },
  }));
  const cents = { ...mapping, fields: { external_id: 'id', gross: 'amount_cents' } } as never;
  expect(centsDoubts(cents, rows.slice(0, 3) as never)).toHaveLength(1);
  expect(centsDoubts(cents, rows as never)).toEqual([]);
});

test('a file’s main amount decides for all its amounts, so that none is left in cents', () => {
  const fields = { external_id: 'id', amount: 'Amount', fee: 'Fee' };
  const about = (more: object, fee = '59') =>
    centsDoubts(
      { ...mapping, dataset: 'payments', fields: { ...fields, ...more } } as never,
      ['1000', '2000', '1500'].map((Amount, index) => ({
        ...{ row: { Amount, Fee: fee }, text: '' },
        read: { externalId: String(index), labels: {}, texts: {}, values: { currency: 'USD' } },
      })) as never,
    ).map(({ field }) => field);
  expect(about({})).toEqual(['amount', 'fee']);
  expect(about({}, '0.59')).toEqual(['amount']);
  expect(about({ amount: { multiply: ['Amount', { constant: '0.01' }] } })).toEqual(['fee']);
});

const tickets = { ...mapping, dataset: 'conversations', fields: { external_id: 'id', status: 'Status' } } as never;
const aboutEnds = (...given: (string | Record<string, NumberValue>)[]) =>
  doubtsOf(
    'conversations',
    tickets,
    rowsOf(given.length, (index) => {
      const one = given[index]!;
      return typeof one === 'string' ? { status: one } : one;
    }),
  );
test('a status that says an end in another word is a doubt', () => {
  for (const known of ['Closed', 'CANCELLED', 'done']) expect(aboutEnds(known, 'Scheduled')).toEqual([]);
  expect(aboutEnds('closed', 'CANCEL', 'SCHEDULED', 'CANCEL')).toEqual([
    {
      field: 'status',
      reason: `Among the first rows, Status has “CANCEL” (2) without an end date, which counts as open. Choose “Replace values” and import it as “closed”`,
    },
  ]);
  for (const end of [
    'cerrado',
    'Gelöst',
    'Re\u0301solu',
    'auto-closed',
    'Closed (won)',
    'Rejected',
    'chiuso',
    'Solved!',
    'Closed.',
  ])
    expect(aboutEnds('closed', end)).toEqual([{ field: 'status', reason: expect.stringContaining(`“${end}” (1)`) }]);
  const others = [
    'Duplicate',
    'Won’t fix',
    "Won't Fix",
    'Merged',
    'Archived',
    'Withdrawn',
    'Expired',
    'Fulfilled',
    'Spam',
  ];
  for (const end of others) expect(aboutEnds('closed', end)).toHaveLength(1);
  expect(aboutEnds('closed', { status: 'cerrado', closed_at: '2026-01-05T10:00:00Z' })).toEqual([]);
});

test('statuses of which none ends a conversation are named where no end date is known', () => {
  const named = '“rechazado” (2) and “exitoso” (1)';
  const reason = `Among the first rows, Status names no ended status, and there is no end date, so all 4 conversations count as open: ${named}. If some have ended, choose “Replace values” and import them as “closed”`;
  expect(aboutEnds('rechazado', 'abierto', 'exitoso', 'rechazado')).toEqual([{ field: 'status', reason }]);
  expect(aboutEnds('open', 'New', 'in Bearbeitung', { status: null })).toEqual([]);
  expect(aboutEnds('exitoso', { resolved_at: '2026-01-05T10:00:00Z' })).toEqual([]);
  const many = Array.from({ length: 11 }, (_, index) => `estado${index}`);
  expect(aboutEnds(...many)[0]?.reason).toContain('“estado7” (1), and 3 more.');
});

test('a file of open tickets is no doubt for a few words that aren’t known, or for other words of an open one', () => {
  const words = ['Hold', 'Waiting on customer', 'Awaiting Vendor', 'Active', 'Assigned', 'Escalated', 'To Do', 'to-do'];
  for (const status of [...words, 'Backlog', 'Snoozed']) expect(aboutEnds(status)).toEqual([]);
  expect(aboutEnds('open', 'new', 'Scheduled')).toEqual([]);
  expect(aboutEnds('open', 'Scheduled')).toHaveLength(1);
  expect(aboutEnds('Open', 'New', { status: null }, 'Scheduled', 'Cerrado')[0]?.reason).toMatch(
    /has “Cerrado” \(1\) without/,
  );
});

test('numbers that go on over several days, or make copies count, are a doubt', () => {
  const numbered = (...columns: string[]) =>
    ({
      ...{ ...mapping, dataset: 'donations' },
      fields: { external_id: { join: [...columns, { occurrence: columns }], with: ' ' }, donated_at: 'Day' },
    }) as never;
  const gifts = (...days: number[]) =>
    days.map((day, index) => ({
      ...{ row: { To: 'box', Day: `2026-01-0${day}` }, text: `${day} ${index >> 1}` },
      read: { ...{ externalId: '', labels: {}, texts: {} }, values: { donated_at: `2026-01-0${day}T10:00:00Z` } },
    }));
  const about = (given: ReturnType<typeof gifts>, ...columns: string[]) =>
    numberedDoubts(numbered(...columns), given, 'UTC').map(({ reason }) => reason);
  const days =
    'ID in the source restarts its numbering in each file, so importing other days would replace these rows. Add “Day” to its columns';
  expect(about(gifts(1, 2), 'To')).toEqual([days]);
  expect(about(gifts(1, 2), 'Day', 'To')).toEqual([]);
  // Lines of an order are of one day.
  expect(about(gifts(1).concat(gifts(1).map((one) => ({ ...one, text: 'other' }))), 'To')).toEqual([]);
  expect(about(gifts(1, 1, 1), 'Day', 'To')).toEqual([
    'Among the first rows, ID in the source counts 1 row that is identical to an earlier line. If it’s a copy, turn off numbering',
  ]);
  expect(numberedDoubts({ ...mapping, dataset: 'orders' }, gifts(1, 1), 'UTC')).toEqual([]);
});

test('durations in business hours, and moments in the future, are a doubt', () => {
  const doubtsAbout = (column: string, value: string) => {
    const first_response_at = { duration: column, unit: 'hours', after: 'Opened' } as const;
    const fields = { external_id: 'id', status: 'State', first_response_at };
    const tickets = { ...mapping, dataset: 'conversations', fields } as never;
    return [
      ...doubtsOf(
        'conversations',
        tickets,
        rowsOf(3, () => ({ first_response_at: value })),
      ),
      ...doubtsOfAll('conversations', { fields: { first_response_at } }, []),
    ];
  };
  const [past, future] = ['2026-01-05T10:00:00.000Z', '2199-01-05T10:00:00.000Z'] as const;
  expect(doubtsAbout('First reply time (hrs)', past)).toEqual([]);
  const atWork = [
    ...['First reply time in minutes within business hours', 'first_response_business_hours', 'Reply (working hours)'],
    ...['Lösungszeit (Arbeitsstunden)', 'Délai (heures ouvrées)', 'Tiempo (horas hábiles)', 'Tempo (horas úteis)'],
    ...['first_response_bhrs', 'Délai (heures de travail)', 'Tiempo (horas de trabajo)', 'Antwort (Servicezeit)'],
    'Antwort (Bürozeiten)',
  ];
  for (const column of atWork)
    expect(doubtsAbout(column, past)).toEqual([
      { field: 'first_response_at', column, reason: expect.stringContaining('looks like business hours') },
    ]);
  expect(doubtsAbout('First reply time (hrs)', future)).toEqual([
    { field: 'first_response_at', reason: expect.stringContaining('in the future') },
  ]);
});

const rowOf = (values: NumberRow['values']): NumberRow => ({ externalId: '1', values, labels: {}, texts: {} });

test('a run says of conversations that all count as open, and of other rows nothing about an end', () => {
  const fields = { external_id: 'id', opened_at: 'when', status: 'estado' };
  const doubts = new ValueDoubts(
    numbersMappings.conversations.parse({ dataset: 'conversations', source: 'x', fields }),
  );
  for (const status of ['exitoso', 'rechazado']) doubts.add({}, rowOf({ status }));
  expect(doubts.warnings(true)).toEqual([
    { field: 'status', column: 'Status', reason: expect.stringContaining('all 2 conversations count'), count: 2 },
  ]);
});

test('refunds that change stored rows are no doubt', () => {
  const doubts = new ValueDoubts({ dataset: 'orders', source: 'x', fields: {} } as never);
  doubts.add({}, rowOf({ status: 'refunded', gross: -5n }));
  expect([doubts.warnings(true).length, doubts.warnings(false)]).toEqual([1, []]);
});
