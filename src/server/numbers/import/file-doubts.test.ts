import { expect, test } from 'vitest';
import type { Row, Rule } from '#server/platform/imports/mapping-rules.ts';
import { FileDoubts } from './file-doubts.ts';

const doubtsOf = (amount: Rule, texts: readonly string[], quantity?: Rule) => {
  const fields = { external_id: 'id', gross: amount, ...(quantity !== undefined && { quantity }) };
  const doubts = new FileDoubts('orders', { fields });
  for (const [index, text] of texts.entries()) doubts.take(index + 2, { Betrag: text });
  return doubts.thousands;
};
const thousands = ['300', '10.000', '2.500', '', '1.250'];

test.each([
  ['an amount with decimals says how the others are meant', 'Betrag', [...thousands, '12.5']],
  ['weights and rates', 'Betrag', ['0.125', '1.250', '2.500', '10.000']],
  ['two rows', 'Betrag', ['10.000', '2.500']],
  ['the sign is said', { number: 'Betrag', decimal: ',' }, thousands],
  ['commas for thousands', { number: 'Betrag', decimal: '.' }, ['10,000', '2,500', '1,250']],
] as const)('no doubt: %s', (_, rule, texts) => {
  expect(doubtsOf(rule, texts)).toEqual([]);
});

test.each([
  ['Betrag', thousands, '10.000 is read as 10. If the dots separate thousands', '1.234,50'],
  [{ number: 'Betrag', decimal: '.' }, thousands, '10.000 is read as 10. If the dots separate thousands', '1.234,50'],
  [{ negate: 'Betrag' }, thousands, '10.000 is read as 10. If the dots separate thousands', '1.234,50'],
  [
    { multiply: ['n', { number: 'Betrag', decimal: ',' }] },
    ['10,000', '-2,500 €', '1,250'],
    '10,000 is read as 10. If the commas separate thousands',
    '1,234.50',
  ],
] as const)('thousands that are read as decimals are a doubt: %j', (rule, texts, reason, wanted) => {
  const [doubt, ...more] = doubtsOf(rule as Rule, texts);
  expect(more).toEqual([]);
  expect(doubt).toMatchObject({ field: 'gross', column: 'Betrag', count: 3 });
  expect(doubt!.reason).toContain(reason);
  expect(doubt!.reason).toContain(wanted);
  expect(doubtsOf({ constant: '1' }, texts, rule as Rule)).toMatchObject([{ field: 'quantity', count: 3 }]);
});

const fields = {
  external_id: 'Id',
  order_ref: 'Name',
  country: 'Country',
  channel: 'Source',
  sku: 'Sku',
  gross: 'Total',
};
const orders = (lines: readonly (readonly string[])[], fill?: { by: string; columns: string[] }) => {
  const doubts = new FileDoubts('orders', { fields, fill });
  for (const [index, [name, country, source, sku, total]] of lines.entries())
    doubts.take(index + 2, { Name: name, Country: country, Source: source, Sku: sku, Total: total });
  return doubts.blankLater;
};
const later = [
  ['#1', 'US', 'web', 'a', '5'],
  ['#1', '', '', 'b', ''],
  ['#1', '', '', '', ''],
  ['#2', '', 'web', '', '5'],
  ['#2', '', '', 'c', ''],
  ['#3', 'US', 'web', 'd', '5'],
  ['#3', '', '', 'e', ''],
];

test('columns filled only on an order’s first line are a doubt; amounts, other blanks and filled ones are none', () => {
  expect(orders(later)).toMatchObject([
    { by: 'Name', column: 'Country', count: 3, line: 3 },
    { by: 'Name', column: 'Source', count: 4, line: 3 },
  ]);
  expect(orders(later, { by: 'Name', columns: ['Country', 'Source'] })).toEqual([]);
  expect(orders(later.slice(0, 3))).toEqual([]);
  expect(orders([...later, ['#3', 'US', 'web', '', '']])).toEqual([]);
});

const lines = (rows: readonly (readonly string[])[], more: Record<string, Rule> = {}) => {
  const rules = { ...fields, title: 'Item', discount: 'Discount', tax: 'Taxes', ...more };
  const doubts = new FileDoubts('orders', { fields: rules });
  for (const [index, [name, total, discount]] of rows.entries())
    doubts.take(index + 2, { Name: name, Item: 'Ball', Total: total, Discount: discount, Taxes: discount });
  return doubts.ofFields;
};
const discounted = [
  ['#1', '10', '2.00'],
  ['#1', '5', ''],
  ['#1', '5', ''],
  ['#2', '10', '0.00'],
  ['#2', '5', ''],
  ['#3', '5', '1.00'],
  ['#3', '5', ''],
];

test('an amount of the order that each of its lines repeats would count several times', () => {
  const repeated = (totals: readonly string[], gross: Rule = 'Total', lines = [1, 1, 2, 2, 2, 3]) => {
    const doubts = new FileDoubts('orders', { fields: { ...fields, gross } });
    for (const [index, order] of lines.entries())
      doubts.take(index + 2, { Name: `#${order}`, Total: totals[index], Quantity: '1' });
    return doubts.ofFields.filter(({ reason }) => reason.startsWith('is the same on every line'));
  };
  const doubled = ['50', '50', '99.00', '99.00', '99.00', '7'];
  expect(repeated(doubled)).toMatchObject([{ field: 'gross', column: 'Total', count: 3, line: 3, value: '50' }]);
  expect(repeated(doubled, { number: 'Total', decimal: '.' })).toHaveLength(1);
  // Amounts of lines, of first lines only, of orders with one line, and tickets of one price.
  expect(repeated(['50', '20', '99', '99', '99', '7'])).toEqual([]);
  expect(repeated(['50', '', '99', '', '', '7'])).toEqual([]);
  expect(repeated(['0', '0', '0.00', '0.00', '0.00', '0'])).toEqual([]);
  expect(repeated(doubled, 'Total', [1, 2, 3, 4, 5, 6])).toEqual([]);
  expect(repeated(['20', '20', '20', '20', '20', '20'])).toEqual([]);
  expect(repeated(doubled, { multiply: ['Total', 'Quantity'] })).toEqual([]);
  // Counted once an order, as its rule says.
  const once: Rule = { when: [{ value: { occurrence: ['Name'] }, equals: '1' }], give: 'Total' };
  expect(repeated(doubled, once)).toEqual([]);
});

test('an amount that counts once an order makes numbers by title wrong, and the order’s text is no amount', () => {
  const once = (give: Rule): Rule => ({
    ...{ when: [{ value: { occurrence: ['Name'] }, equals: '1' }], give, else: { constant: '0' } },
  });
  const rows = ['1.001', '1.001', '1.002', '1.003'].map((order) => [order, '50']);
  const reason = 'counts only on an order’s first line, so numbers by Title and SKU can be wrong';
  expect(lines(rows, { gross: once('Total'), tax: once('Taxes') })).toEqual([
    { ...{ field: 'gross', column: 'Total', count: 4, line: 2, value: '' }, reason, mark: 'wholeOrder' },
  ]);
  const leaveOut = [{ column: 'Kind', has: ['Shipping'], reason: 'no item' }];
  const doubts = new FileDoubts('orders', { fields: { ...fields, sku: 'Total', tax: once('Taxes') }, leaveOut });
  doubts.take(2, { Name: '#1', Total: '5', Taxes: '1' });
  expect(lines(rows, { tax: once('Taxes'), status: 'State', product: { constant: 'codex' } })).toMatchObject([
    { field: 'tax', reason: 'counts only on an order’s first line, so numbers by Status can be wrong' },
  ]);
  expect(doubts.ofFields).toMatchObject([
    { field: 'tax', reason: expect.stringContaining('if its first line is left out') },
  ]);
});

test('an amount of the order that stands on its first line only makes numbers by title wrong', () => {
  expect(lines(discounted)).toEqual([
    {
      ...{ field: 'discount', column: 'Discount', count: 3, line: 3, value: '' },
      ...{ mark: 'wholeOrder', canDivide: true },
      reason: 'is filled only on an order’s first line, so numbers by Title and SKU will be wrong. Totals are correct',
    },
  ]);
  const divided = new FileDoubts('orders', { fields: { ...fields, discount: 'Discount' }, divide: ['discount'] });
  for (const [index, [Name, Total, Discount]] of discounted.entries())
    divided.take(index + 2, { Name, Total, Discount, Sku: 'a' });
  expect(divided.ofFields).toEqual([]);
  expect(lines(discounted.map(([name, total, discount]) => [name!, total!, discount || '0']))).toEqual([]);
  expect(lines(discounted.slice(0, 3))).toEqual([]);
  const whole = { fields: { ...fields, sku: undefined, discount: 'Discount' } as unknown as Record<string, Rule> };
  const doubts = new FileDoubts('orders', whole);
  for (const [Name, Total, Discount] of discounted) doubts.take(2, { Name, Total, Discount });
  expect(doubts.ofFields).toEqual([]);
});

test('a file with one end date has times to resolve, whichever date it is', () => {
  const ends = (rules: Record<string, Rule>) => {
    const doubts = new FileDoubts('conversations', { fields: { external_id: 'id', opened_at: 'Opened', ...rules } });
    for (const line of [2, 3]) doubts.take(line, { Opened: '2026-01-01', End: '2026-01-02' });
    return doubts.ofFields;
  };
  expect(ends({ closed_at: 'End' })).toEqual([]);
  expect(ends({ status: 'State' })).toEqual([
    {
      ...{ field: 'resolved_at', column: 'Resolved', count: 2, line: 2, value: '' },
      reason:
        'and Closed have no column, so Resolution, Resolved, and Net flow will be unknown. If no other source has end dates, open conversations can’t be counted either',
    },
  ]);
  expect(ends({ closed_at: 'End', resolved_at: 'End' })).toEqual([]);
  expect(ends({})).toEqual([]);
});

test('two columns whose dates are read in opposite orders are a doubt', () => {
  const dates = (opened: Rule, resolved: Rule) => {
    const rules = { external_id: 'id', opened_at: opened, resolved_at: resolved };
    const doubts = new FileDoubts('conversations', { fields: rules });
    doubts.take(2, { A: '01/02/2026', B: '02/03/2026' });
    return doubts.ofFields;
  };
  const date = (column: string, format: string): Rule => ({ date: column, format });
  expect(dates(date('A', 'M/D/YYYY H:mm | M/D/YYYY'), date('B', 'DD.MM.YYYY'))).toEqual([
    {
      ...{ field: 'opened_at', column: 'A', count: 1, line: 2, value: '' },
      reason: 'is read as month, day, year, but B is read as day, month, year. Check both formats',
    },
  ]);
  for (const format of ['MM/DD/YYYY', 'ISO', 'YYYY/M/D', 'D MMM YYYY', 'M/D/YYYY | D/M/YYYY'])
    expect(dates(date('A', 'M/D/YYYY'), date('B', format))).toEqual([]);
  expect(dates('A', date('B', 'D/M/YYYY'))).toEqual([]);
});

test('a column that most rows leave blank is a doubt if numbers leave those rows out', () => {
  const donors = (texts: readonly string[]) => {
    const rules = { external_id: 'id', donor_ref: { first: ['Email', 'Phone'] }, campaign: 'Campaign' };
    const doubts = new FileDoubts('donations', { fields: rules });
    for (const [index, text] of texts.entries()) doubts.take(index + 2, { Email: '', Phone: text, Campaign: '' });
    return doubts.mostlyBlank;
  };
  expect(donors(['a@b.test', '', '', ''])).toEqual([
    {
      ...{ field: 'donor_ref', column: 'Email', count: 3, line: 3, value: '' },
      reason: 'is blank in 3 of 4 rows, but Donors and Retention need it',
    },
  ]);
  expect(donors(['1', '2', '3', '4', '', '', ''])).toEqual([]);
  expect(donors(['', ''])).toEqual([]);
});

test('durations that most rows leave blank are named, though the date before them is there', () => {
  const first_response_at: Rule = { duration: 'First', unit: 'hours', after: 'Opened' };
  const doubts = new FileDoubts('conversations', { fields: { opened_at: 'Opened', first_response_at } });
  for (const [index, First] of ['3', '', '', ''].entries()) doubts.take(index + 2, { Opened: '2026-01-05', First });
  expect(doubts.mostlyBlank).toMatchObject([{ field: 'first_response_at', column: 'First', count: 3 }]);
});

test('values that nobody chose a replacement for are named with their counts', () => {
  const status = { value: 'Action', map: { Accepted: 'completed' }, default: 'completed' };
  const others = (fields: Record<string, Rule>) => {
    const doubts = new FileDoubts('donations', { fields });
    const actions = ['', '', 'Accepted', ' Returned', 'Returned', '', 'Deferred'];
    for (const [index, Action] of actions.entries()) doubts.take(index + 2, { Action });
    return doubts.others;
  };
  expect(others({ status })).toEqual([
    {
      ...{ column: 'Action', count: 6, line: 2, value: '', values: ['', 'Returned', 'Deferred'] },
      reason: 'has values that “All others” changes to Completed: blank (3), Returned (2), and Deferred (1)',
    },
  ]);
  expect(
    others({ status: { ...status, map: { ...status.map, '': 'completed', Returned: 'refunded' } } }),
  ).toMatchObject([{ count: 1, line: 8, value: 'Deferred' }]);
  expect(others({ status: { value: 'Action', map: {} } })).toEqual([]);
});

test('words that mean a blank cell are named with their counts', () => {
  const about = (fields: Record<string, Rule>, cells: readonly string[], more: { missing?: string[] } = {}) => {
    const doubts = new FileDoubts('donations', { fields, ...more });
    for (const [index, Faction] of cells.entries()) doubts.take(index + 2, { Faction });
    return doubts.ofFields.map(({ field, column, reason, count, line, missing }) => ({
      ...{ field, said: `${column} ${reason}`, count, line, missing },
    }));
  };
  const campaign = { campaign: 'Faction' };
  expect(about(campaign, ['Spring', ' None', 'None ', 'NULL', ''])).toEqual([
    {
      ...{ field: 'campaign', count: 3, line: 3, missing: ['None', 'NULL'] },
      said: 'Faction has “None” in 2 rows and “NULL” in 1 row. If they mean no value, treat them as blank in every column',
    },
  ]);
  for (const word of ['nan', 'N/A', '#N/A', '\\N', '(blank)', '<null>', 'undefined', '-', '—', '?', 'NA', 'nil'])
    expect(about(campaign, [word, 'x'])[0]?.said).toBe(
      `Faction has “${word}” in 1 row. If it means no value, treat it as blank in every column`,
    );
  expect(about(campaign, ['Nonesuch', 'Nan Goldin', 'N', 'Nullmeier', '--x'])).toEqual([]);
  expect(about(campaign, ['None', 'NULL'], { missing: ['None', 'NULL'] })).toEqual([]);
  expect(about(campaign, ['      NULL      '])).toMatchObject([{ missing: ['NULL'] }]);
  const replacements: Rule[] = [
    { value: 'Faction', map: { None: '' } },
    { value: 'Faction', map: {}, default: 'other' },
  ];
  for (const rule of replacements) expect(about({ campaign: rule }, ['None'])).toEqual([]);
  // Namibia, and a value that is refused anyway.
  expect(about({ country: 'Faction' }, ['NA'])).toEqual([]);
  for (const field of ['status', 'amount']) expect(about({ [field]: 'Faction' }, ['None'])).toEqual([]);
  // An optional amount refuses the word, which only a preview can change.
  const doubts = new FileDoubts('donations', { fields: { fee: 'Fee' } });
  doubts.take(2, { Fee: 'NULL' });
  expect([doubts.ofFields, doubts.ofPreview]).toMatchObject([[], [{ field: 'fee', missing: ['NULL'] }]]);
  const gifts = new FileDoubts('donations', { fields: { fee: 'Fee', country: 'Land' } });
  gifts.take(2, { Fee: 'NA', Land: 'NA' });
  const reason = 'Fee has “NA” in 1 row. If it means no value, choose “Import invalid Fee values as blank”';
  expect(gifts.ofPreview).toEqual([{ field: 'fee', reason }]);
});

test('a word that a rule or a required column needs isn’t offered as blank, which it would be in every column', () => {
  const affiliates = { affiliate: 'Affiliate', campaign: 'Campaign' };
  const offered = (more: object, fields: Record<string, Rule> = affiliates, row: Row = { Campaign: '-' }) => {
    const doubts = new FileDoubts('affiliate_activity', { fields, ...more });
    doubts.take(2, row);
    return doubts.ofFields.map(({ field, reason, missing }) => [
      field,
      missing ?? reason.split(', ').slice(1).join(', '),
    ]);
  };
  const replace = 'choose “Replace values”, or change it in the file';
  expect(offered({})).toEqual([['campaign', ['-']]]);
  expect(offered({ leaveOut: [{ column: 'Kind', has: ['-', 'test'], reason: 'tests' }] })).toEqual([
    ['campaign', replace],
  ]);
  expect(offered({ leaveOut: [{ column: 'Kind', lacks: ['-'], reason: 'tests' }] })).toEqual([['campaign', replace]]);
  const rules: Rule[] = [
    { value: 'State', map: { '-': 'paid' } },
    { first: ['Other', { value: 'State', map: { '-': 'paid' } }] },
    { when: [{ value: 'State', equals: '-' }], give: 'State' },
    { when: [{ value: 'State', in: ['-', 'x'] }], give: 'State' },
  ];
  for (const rule of rules) {
    expect(offered({}, { ...affiliates, status: rule })).toEqual([['campaign', replace]]);
    expect(offered({ labels: { state: rule } })).toEqual([['campaign', replace]]);
  }
  // Blank cells of a required text refuse their rows.
  expect(offered({}, affiliates, { Affiliate: 'None' })).toEqual([['affiliate', replace]]);
  expect(offered({}, affiliates, { Affiliate: '-', Campaign: '-' })).toEqual([
    ['affiliate', replace],
    ['campaign', replace],
  ]);
  expect(offered({}, { campaign: 'Both', affiliate: 'Both' }, { Both: '-' })).toEqual([['affiliate', replace]]);
  // Namibia in another column.
  expect(offered({}, { campaign: 'Campaign', country: 'Land' }, { Campaign: 'NA' })).toEqual([['campaign', replace]]);
});

test('a year or a month alone counts on its first day, which is said of all rows', () => {
  const about = (donated_at: Rule) => {
    const doubts = new FileDoubts('donations', { fields: { donated_at } });
    for (const line of [2, 3]) doubts.take(line, { When: '2026' });
    return doubts.ofFields.map(({ column, reason, count }) => [column, reason, count]);
  };
  const dated = (format: string): Rule => ({ date: 'When', format });
  const years = 'has years without a month. They count on 1 Jan, so numbers by month, week and day will be wrong';
  const months = 'has months without a day. They count on the 1st, so numbers by week and day will be wrong';
  expect(about(dated('YYYY'))).toEqual([['When', years, 2]]);
  for (const [format, said] of [
    ['YYYY-MM-DD | YYYY', years],
    ['YYYY-MM | YYYY', years],
    ['ISO | MMM YYYY', months],
  ] as const)
    expect(about(dated(format))).toEqual([['When', said.replace('has', 'has some').replace('will be', 'can be'), 2]]);
  for (const format of ['YYYY-MM', 'MMM YYYY', '[Day ]M/YYYY'])
    expect(about(dated(format))).toEqual([['When', months, 2]]);
  expect(about({ first: [dated('YYYY'), 'Other'] })).toEqual([['When', years, 2]]);
  for (const format of ['D/M/YYYY', 'ISO', 'YYYY-MM-DD[ 00:00] | ISO', 'epoch'])
    expect(about(dated(format))).toEqual([]);
  expect(about('When')).toEqual([]);
});

test('durations that could be thousands are named with either sign', () => {
  const about = (duration: Rule, texts: readonly string[]) => {
    const first_response_at: Rule = { duration, unit: 'minutes', after: 'Opened' };
    const doubts = new FileDoubts('conversations', { fields: { first_response_at } });
    for (const [index, First] of texts.entries()) doubts.take(index + 2, { Opened: '2026-01-05', First });
    return doubts.thousands.map(({ field, count, reason }) => [field, count, reason]);
  };
  const minutes = ['1.234', '980', '2.150', '1.500'];
  expect(about('First', minutes)).toEqual([
    [
      ...['first_response_at', 3],
      'has three digits after its dots, which are read as decimals: 1.234. If they are thousands, write 1234 in the file',
    ],
  ]);
  const hours = ['3,250', '12,125', '1,500'];
  expect(about({ number: 'First', decimal: '.' }, hours)).toEqual([
    [
      ...['first_response_at', 3],
      'has three digits after its commas, which are read as thousands: 3,250. If they are decimals, choose 1.234,50',
    ],
  ]);
  expect(about({ number: 'First', decimal: ',' }, hours)[0]![2]).toContain(
    'read as decimals: 3,250. If they are thousands, choose 1,234.50',
  );
  expect(about('First', ['1.234', '1.5', '2.25', '3.125'])).toEqual([]);
  expect(about({ number: 'First', decimal: '.' }, ['3,250', '1,234.5', '2,000', '1,000.25'])).toEqual([]);
});
