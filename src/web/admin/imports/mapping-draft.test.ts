import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { datasetKeys, type FieldType, isDataset } from '#core/numbers/datasets.ts';
import { unitInName } from './column-words.ts';
import { sampleFile } from './file-step.tsx';
import {
  columnsUsed,
  draftOf,
  fieldsOf,
  mappingOf,
  newDraft,
  previewOf,
  sourceOf,
  withField,
} from './mapping-draft.ts';
import {
  type ColumnFacts,
  changeKind,
  columnsOf,
  formOf,
  noFacts,
  type RuleKind,
  ruleKinds,
  ruleOf,
  withFormat,
  withTime,
} from './rule-form.ts';

const folder = join(import.meta.dirname, '../../../../examples/import');
const examples = readdirSync(folder).map((file): [string, { dataset: string; fields: object }] => [
  file,
  JSON.parse(readFileSync(join(folder, file), 'utf8')),
]);

describe('a rule that cannot be said', () => {
  it('is told, and never sent', () => {
    expect(ruleOf({ kind: 'json', text: '{"first": [' })).toEqual({ fault: expect.stringContaining('is not JSON') });
    expect(ruleOf({ kind: 'multiply', columns: ['a'] })).toEqual({ fault: 'needs a second column to multiply by' });
    const draft = newDraft('orders', 'shop', []);
    const fields = { ...draft.fields, gross: { kind: 'json', text: '{' } as const };
    expect(mappingOf({ ...draft, fields })).toEqual({
      faults: [
        'Choose a column or a value for: ID in the source, Product, Order, Date and time, Currency, Status',
        expect.stringContaining('Gross is not JSON'),
      ],
    });
  });
});

describe('every example in the repository', () => {
  const ofNumbers = examples.filter(([, { dataset }]) => isDataset(dataset));
  it('is there', () => expect(ofNumbers.length).toBeGreaterThan(5));
  it.each(ofNumbers)('%s comes out of the form as it went in', (_file, mapping) => {
    if (!isDataset(mapping.dataset)) throw new Error('not a dataset');
    const { currency, ...rest } = mapping as typeof mapping & { currency?: string };
    const fields = { ...(currency ? { currency: { constant: currency } } : {}), ...mapping.fields };
    expect(mappingOf(draftOf(mapping.dataset, JSON.stringify(mapping)))).toEqual({ mapping: { ...rest, fields } });
  });
});

it('fields whose wrong cells are left empty are kept in a saved mapping', () => {
  const mapping = JSON.stringify({ dataset: 'orders', source: 'shop', fields: {}, emptyIfWrong: ['quantity'] });
  expect(previewOf(draftOf('orders', mapping))).toMatchObject({ emptyIfWrong: ['quantity'] });
  expect(previewOf(newDraft('orders', 'shop', []))).not.toHaveProperty('emptyIfWrong');
});

describe('a rule', () => {
  it.each([
    'a',
    { constant: '' },
    { negate: 'a' },
    { absolute: 'a' },
    { number: 'a', decimal: ',' },
    { first: ['a', 'b'] },
    { join: ['a', 'b'], with: ' / ' },
    { join: ['a', 'b', { occurrence: ['a', 'b'] }], with: '#' },
    { multiply: ['a', 'b'] },
    { multiply: ['a', { constant: '0.01' }] },
    { multiply: [{ number: 'a', decimal: ',' }, { constant: '0.01' }] },
    { multiply: ['a', { number: 'b', decimal: ',' }] },
    { negate: { number: 'a', decimal: ',' } },
    { absolute: { number: 'a', decimal: '.' } },
    { date: 'a', format: 'D/M/YYYY' },
    { date: 'a', format: 'D/M/YYYY', zone: 'Europe/London' },
    { date: { join: ['a', 'b'], with: ' ' }, format: 'D/M/YYYY H:mm' },
    { duration: 'a', after: 'b' },
    { duration: { number: 'a', decimal: ',' }, unit: 'hours', after: { date: 'b', format: 'ISO' } },
    { when: [{ value: { occurrence: ['b'] }, equals: '1' }], give: 'a', else: { constant: '0' } },
    {
      when: [{ value: { occurrence: [{ join: ['b', 'c'], with: '#' }] }, equals: '1' }],
      ...{ give: { number: 'a', decimal: ',' }, else: { constant: '0' } },
    },
    { value: 'a', map: { x: 'y', __proto__x: 'z' }, default: 'd' },
  ])('has a form of its own and comes back: %j', (rule) => {
    const form = formOf(rule);
    expect(form.kind).not.toBe('json');
    expect(ruleOf(form)).toEqual({ rule });
  });
  it.each([
    { column: 'a', optional: true },
    { negate: { constant: '1' } },
    { multiply: ['a', { constant: '0.1' }] },
    { multiply: ['a', { number: 'a', decimal: ',' }] },
    { value: 'a', map: {}, default: '' },
    { date: 'a', format: 'YYYY', language: 'de' },
    { date: { join: ['a', 'b', 'c'], with: ' ' }, format: 'YYYY' },
    { date: { join: ['a', 'b'], with: 'T' }, format: 'YYYY' },
    { when: [], give: 'a' },
    { when: [{ value: { occurrence: ['b'] }, equals: '2' }], give: 'a', else: { constant: '0' } },
    { when: [{ value: { occurrence: ['b', 'c'] }, equals: '1' }], give: 'a', else: { constant: '0' } },
    { when: [{ value: { occurrence: ['b'] }, equals: '1' }], give: 'a', else: { constant: '' } },
    { when: [{ value: { occurrence: ['b'] }, equals: '1' }], give: { constant: '5' }, else: { constant: '0' } },
    { duration: 'a' },
    { duration: 'a', unit: 'weeks', after: 'b' },
    { duration: { first: ['a', 'c'] }, after: 'b' },
    { first: ['a', { constant: 'b' }] },
    { join: ['a', { occurrence: ['b'] }], with: '#' },
    { join: [{ constant: 'a' }, 'b'], with: '#' },
  ])('that no form can say stays JSON: %j', (rule) => {
    expect(formOf(rule).kind).toBe('json');
    expect(ruleOf(formOf(rule))).toEqual({ rule });
  });
  it('keeps its column when its form is changed', () => {
    for (const kind of Object.keys(ruleKinds) as RuleKind[]) {
      const changed = changeKind({ kind: 'column', column: 'Price' }, kind);
      expect(changed.kind).toBe(kind);
      if (kind !== 'none' && kind !== 'constant') expect(JSON.stringify(changed)).toContain('Price');
    }
  });
});

it('an order’s amount counts once for what the order is now, and a saved one for something else stays JSON', () => {
  const once = changeKind({ kind: 'column', column: 'Total' }, 'once');
  const draft = withField(newDraft('orders', 'shop', ['Order', 'Total']), 'gross', once);
  const rule = { when: [{ value: { occurrence: ['Order'] }, equals: '1' }], give: 'Total', else: { constant: '0' } };
  expect(ruleOf(draft.fields.gross!)).toEqual({ rule });
  const other = withField(draft, 'order_ref', { kind: 'column', column: 'Invoice' });
  expect(ruleOf(other.fields.gross!)).toMatchObject({ rule: { when: [{ value: { occurrence: ['Invoice'] } }] } });
  const without = withField(draft, 'order_ref', { kind: 'none' });
  expect(ruleOf(without.fields.gross!)).toEqual({ fault: 'needs a column for the order' });
  const saved = (order_ref: string) =>
    draftOf('orders', JSON.stringify({ source: 'shop', fields: { order_ref, gross: rule } })).fields.gross!.kind;
  expect([saved('Order'), saved('Invoice')]).toEqual(['once', 'json']);
});

it.each([
  ['09:12:58', 'D/M/YYYY H:mm:ss | YYYY-MM-DD H:mm:ss'],
  ['9:12 pm', 'D/M/YYYY h:mm A | YYYY-MM-DD h:mm A'],
  ['', 'D/M/YYYY H:mm | YYYY-MM-DD H:mm'],
])('a date gets the time of another column, like %j, and loses it again', (example, format) => {
  const day = { kind: 'date', column: 'Date', time: '', format: 'D/M/YYYY | YYYY-MM-DD', zone: '' } as const;
  const timed = withTime(day, 'Time', example);
  expect(ruleOf(timed)).toEqual({ rule: { date: { join: ['Date', 'Time'], with: ' ' }, format } });
  expect(withTime(timed, '', '')).toEqual(day);
});

it.each([
  ['3', 'YYYY M'],
  ['March', 'YYYY MMM'],
])('a year gets the month of another column, like %j, and loses it again', (example, format) => {
  const year = { kind: 'date', column: 'Year', time: '', format: 'YYYY', zone: '' } as const;
  const dated = withTime(year, 'Month', example);
  expect(ruleOf(dated)).toEqual({ rule: { date: { join: ['Year', 'Month'], with: ' ' }, format } });
  expect(withTime(dated, '', '')).toEqual(year);
});

it('a gift, the date of a payment, and the agent and channel of a ticket are found by other names too', () => {
  const columnOf = (dataset: 'payments' | 'donations' | 'conversations', field: string, columns: string[]) =>
    newDraft(dataset, 'x', columns, { unique: ['id'] }).fields[field];
  expect(columnOf('payments', 'attempted_at', ['id', 'Created date (UTC)'])).toMatchObject({
    column: 'Created date (UTC)',
  });
  expect(columnOf('payments', 'external_id', ['id', 'Created date (UTC)'])).toMatchObject({ column: 'id' });
  expect(columnOf('donations', 'amount', ['id', 'donation'])).toMatchObject({ column: 'donation' });
  expect(columnOf('conversations', 'channel', ['id', 'via'])).toMatchObject({ column: 'via' });
  expect(columnOf('conversations', 'assignee', ['id', 'assignee_id'])).toMatchObject({ column: 'assignee_id' });
});

const facts: ColumnFacts = {
  dates: { Date: [{ format: 'D/M/YYYY H:mm' }], Datum: [{ format: 'D.M.YYYY' }], Day: [{ format: 'YYYY-MM-DD' }] },
  numbers: { Betrag: { decimal: ',', isPlain: false }, Price: { decimal: '.', isPlain: true } },
  durations: {},
  exampleOf: (column) => (column === 'Uhrzeit' ? '07:47:30' : ''),
};

it('a column brings its format, chosen before or after the kind, unless another format was set by hand', () => {
  const day = changeKind({ kind: 'none' }, 'date');
  const chosen = withFormat({ ...day, column: 'Date' } as typeof day, day, facts, 'instant');
  expect(chosen).toMatchObject({ column: 'Date', format: 'D/M/YYYY H:mm' });
  const column = { kind: 'column', column: 'Date' } as const;
  expect(withFormat(changeKind(column, 'date'), column, facts, 'instant')).toEqual(chosen);
  const unclear = { ...changeKind({ kind: 'column', column: 'Other' }, 'date'), format: 'D/M/YYYY' } as typeof day;
  expect(withFormat(unclear, { kind: 'column', column: 'Other' }, facts, 'instant')).toBe(unclear);
  const timed = withTime(day as Parameters<typeof withTime>[0], 'Uhrzeit', '07:47:30');
  expect(withFormat({ ...timed, column: 'Datum' }, timed, facts, 'instant')).toMatchObject({
    format: 'D.M.YYYY H:mm:ss',
  });
  const byHand = { ...timed, column: 'Date', format: 'M/D/YYYY' };
  expect(withFormat(byHand, chosen, facts, 'instant')).toBe(byHand);
  expect(withFormat({ ...byHand, column: 'Datum' }, byHand, facts, 'instant')).toMatchObject({ format: 'M/D/YYYY' });
  const joined = (type: 'instant' | 'text') => withFormat(changeKind(column, 'together'), column, facts, type);
  expect([joined('instant'), joined('text')]).toMatchObject([{ with: ' ' }, { with: ' / ' }]);
  const number = changeKind({ kind: 'none' }, 'number');
  const amount = withFormat({ ...number, column: 'Betrag' } as typeof number, number, facts, 'money');
  expect(amount).toEqual({ kind: 'number', column: 'Betrag', decimal: ',' });
  expect(withFormat({ ...amount, column: 'Price' } as typeof amount, amount, facts, 'money')).toMatchObject({
    decimal: '.',
  });
  const points = { kind: 'number', column: 'Betrag', decimal: '.' } as const;
  expect(withFormat(points, amount, facts, 'money')).toBe(points);
  expect(withFormat({ ...points, column: 'Price' }, points, facts, 'money')).toMatchObject({ decimal: '.' });
});

it('a calculation reads each column with the decimal sign that its values have, unless another one was set', () => {
  const column = { kind: 'column', column: 'Betrag' } as const;
  for (const kind of ['negate', 'absolute'] as const)
    expect(ruleOf(withFormat(changeKind(column, kind), column, facts, 'money'))).toEqual({
      rule: { [kind]: { number: 'Betrag', decimal: ',' } },
    });
  const begun = withFormat(changeKind(column, 'multiply'), column, facts, 'money');
  const both = withFormat({ ...begun, columns: ['Betrag', 'Price'] } as typeof begun, begun, facts, 'money');
  expect(ruleOf(both)).toEqual({ rule: { multiply: [{ number: 'Betrag', decimal: ',' }, 'Price'] } });
  const byHand = { ...both, decimals: { Betrag: '.' } } as typeof both;
  expect(ruleOf(withFormat(byHand, both, facts, 'money'))).toEqual({
    rule: { multiply: [{ number: 'Betrag', decimal: '.' }, 'Price'] },
  });
  const guessed = newDraft('orders', 'shop', ['Unit Price', 'Quantity'], {
    facts: { ...facts, numbers: { 'Unit Price': { decimal: ',', isPlain: false } } },
  });
  expect(ruleOf(guessed.fields.gross!)).toEqual({
    rule: { multiply: [{ number: 'Unit Price', decimal: ',' }, 'Quantity'] },
  });
});

it('a chosen column whose dates or amounts need a format has it at once', () => {
  const choose = (column: string, type: FieldType) =>
    withFormat({ kind: 'column', column }, { kind: 'column', column: '' }, facts, type);
  expect(choose('Date', 'instant')).toMatchObject({ kind: 'date', format: 'D/M/YYYY H:mm' });
  expect(choose('Betrag', 'money')).toEqual({ kind: 'number', column: 'Betrag', decimal: ',' });
  expect(choose('Day', 'instant')).toEqual({ kind: 'column', column: 'Day' });
  expect(choose('Date', 'text')).toEqual({ kind: 'column', column: 'Date' });
  // Someone chose to read it unchanged.
  const date = { kind: 'date', column: 'Date', time: '', format: 'D/M/YYYY', zone: '' } as const;
  expect(withFormat({ kind: 'column', column: 'Date' }, date, facts, 'instant')).toEqual({
    kind: 'column',
    column: 'Date',
  });
});

it('a guessed column is read as a date or a number as text if its values need it', () => {
  const columns = ['Date', 'Gross', 'Tax'];
  const numbers = { Gross: { decimal: ',', isPlain: false }, Tax: { decimal: ',', isPlain: true } } as const;
  const dates = { Date: [{ format: 'D/M/YYYY' }] };
  const { fields } = newDraft('payouts', 'x', ['Date'], { facts: { ...facts, dates } });
  expect(fields.dated_at).toEqual({ kind: 'date', column: 'Date', time: '', format: 'D/M/YYYY', zone: '' });
  expect(newDraft('orders', 'x', columns, { facts: { ...facts, numbers } }).fields).toMatchObject({
    gross: { kind: 'number', column: 'Gross', decimal: ',' },
    // 10.000 could be either: a question, no change.
    tax: { kind: 'column', column: 'Tax' },
  });
  const plain = newDraft('payouts', 'x', ['Date'], { facts: { ...facts, dates: { Date: [{ format: 'ISO' }] } } });
  expect(plain.fields.dated_at).toEqual({ kind: 'column', column: 'Date' });
});

it('a time is preferred to a day, and the day of a payout is the day it was paid or due', () => {
  expect(newDraft('orders', 'x', ['date', 'datetime']).fields.occurred_at).toEqual({
    kind: 'column',
    column: 'datetime',
  });
  const paid = newDraft('payouts', 'x', ['Paid Date', 'Due Date']);
  expect(paid.fields).toMatchObject({
    ...{ paid_at: { column: 'Paid Date' }, due_at: { column: 'Due Date' }, dated_at: { column: 'Paid Date' } },
  });
  expect(paid.guessed).toContain('dated_at');
  expect(newDraft('payouts', 'x', ['Paid Date', 'Date']).fields.dated_at).toEqual({ kind: 'column', column: 'Date' });
});

it('columns that are called like a field are given to it, each once', () => {
  const { fields } = newDraft('orders', 'shop', ['ID', 'Order Ref', 'country', 'Ship country', 'Gross amount', 'x']);
  expect(fields).toMatchObject({
    external_id: { kind: 'column', column: 'ID' },
    country: { kind: 'column', column: 'country' },
    gross: { kind: 'column', column: 'Gross amount' },
    order_ref: { kind: 'column', column: 'Order Ref' },
    channel: { kind: 'none' },
  });
});

it('a column named like a field or nearly so goes before one that only has its word, and is marked as a guess', () => {
  const orders = ['Row ID', 'Order Priority', 'Discount', 'Customer ID', 'Postal key', 'Order Date', 'Order ID'];
  const shop = newDraft('orders', 'shop', orders, { unique: ['Customer ID', 'Row ID', 'Postal key'] });
  expect(shop.fields).toMatchObject({
    external_id: { kind: 'column', column: 'Row ID' },
    order_ref: { kind: 'column', column: 'Order ID' },
    customer_ref: { kind: 'column', column: 'Customer ID' },
    discount: { kind: 'column', column: 'Discount' },
  });
  expect(shop.guessed).toEqual(['external_id', 'order_ref', 'customer_ref', 'occurred_at']);
  const { fields } = newDraft('orders', 'shop', ['Order Priority', 'Order ID'], { unique: ['Order ID'] });
  expect(fields.external_id).toEqual({ kind: 'column', column: 'Order ID' });
  const tickets = ['Ticket ID', 'Expected SLA to first response', 'First response time', 'Paid'];
  const desk = newDraft('conversations', 'desk', tickets, { unique: ['Paid', 'Ticket ID'] });
  expect(desk.fields.external_id).toEqual({ kind: 'column', column: 'Ticket ID' });
  expect(desk.fields.first_response_at).toEqual({ kind: 'column', column: 'First response time' });
  const late = newDraft('conversations', 'desk', ['Expected SLA to first response', 'Order Priority']).fields;
  expect(late.first_response_at).toEqual({ kind: 'none' });
});

it('a column of rates is no discount, tax or fee', () => {
  const shape = { decimal: '.', isPlain: true } as const;
  const facts = { ...noFacts, numbers: { Discount: { ...shape, isRate: true }, Tax: shape } };
  const { fields } = newDraft('orders', 'shop', ['Discount', 'Tax'], { facts });
  expect(fields).toMatchObject({ discount: { kind: 'none' }, tax: { kind: 'column', column: 'Tax' } });
});

const guessesOf = (
  dataset: Parameters<typeof newDraft>[0],
  columns: string,
  more: Parameters<typeof newDraft>[3] = {},
) =>
  Object.entries(newDraft(dataset, 'x', columns.split(','), more).fields)
    .filter(([, { kind }]) => kind !== 'none')
    .map(([field, form]) => `${field} < ${columnsOf(form).join(' * ')}`);

it('offers yes and no for a flag', () => {
  const flag = fieldsOf('donations').find(({ name }) => name === 'recurring');
  expect(flag?.choices).toEqual(['yes', 'no']);
});

it('reads a column of months as such', () => {
  const facts = { ...noFacts, dates: { Date: [{ format: 'YYYY-MM' }] } };
  expect(ruleOf(newDraft('donations', 'x', ['Date'], { facts }).fields.donated_at!)).toEqual({
    rule: { date: 'Date', format: 'YYYY-MM' },
  });
});

it.each([
  [
    'orders',
    'Name,Email,Financial Status,Paid at,Currency,Taxes,Discount Amount,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Billing Country,Shipping Country,Refunded Amount,Id,Source',
    'order_ref < Name,occurred_at < Created at,customer_ref < Email,country < Shipping Country,channel < Source,sku < Lineitem sku,title < Lineitem name,quantity < Lineitem quantity,gross < Lineitem price * Lineitem quantity,discount < Discount Amount,tax < Taxes,refunded < Refunded Amount,currency < Currency,status < Financial Status',
  ],
  // A total beside a discount can be after it; a price times its quantity is before it.
  [
    'orders',
    'Order Date,Quantity,Unit Price,Discount,Amount',
    'occurred_at < Order Date,quantity < Quantity,gross < Unit Price * Quantity,discount < Discount',
  ],
  [
    'orders',
    'Data_Venda,Nome_Produto,Preço_Unitário,Quantidade,Desconto,Valor_Total',
    'occurred_at < Data_Venda,title < Nome_Produto,quantity < Quantidade,gross < Preço_Unitário * Quantidade,discount < Desconto',
  ],
  ['orders', 'Menge,Einzelpreis,Rabatt,Betrag', 'quantity < Menge,gross < Einzelpreis * Menge,discount < Rabatt'],
  ['orders', 'Unit Price,Quantity,Discount,Gross', 'quantity < Quantity,gross < Gross,discount < Discount'],
  ['orders', 'Unit Price,Quantity,Valor total', 'quantity < Quantity,gross < Valor total'],
  ['donations', 'Order Date,Transaction Date', 'donated_at < Transaction Date'],
  ['donations', 'Payment Date,Order Date', 'donated_at < Payment Date'],
  ['donations', 'Transaction Date,Order Date,Gift Date', 'donated_at < Gift Date'],
  ['affiliate_activity', 'Ad_Date,Sale_Amount', 'day < Ad_Date,sales < Sale_Amount'],
  [
    'conversations',
    'Ticket Channel,Ticket Priority,Ticket Type',
    'channel < Ticket Channel,category < Ticket Type,priority < Ticket Priority',
  ],
  ['orders', 'Refund Date,Country/Region', 'occurred_at < Refund Date,country < Country/Region'],
  ['conversations', 'Created,Technician', 'opened_at < Created,assignee < Technician'],
  [
    'donations',
    'Spender-ID,Land,Eingang der Spende,Betrag,Währung',
    'donated_at < Eingang der Spende,donor_ref < Spender-ID,country < Land,amount < Betrag,currency < Währung',
  ],
  [
    'donations',
    'Donateur,Pays,Date du don,Montant,Devise,Statut',
    'donated_at < Date du don,donor_ref < Donateur,country < Pays,amount < Montant,currency < Devise,status < Statut',
  ],
  [
    'orders',
    'Cliente,País,Fecha,Importe,Moneda,Estado',
    'occurred_at < Fecha,customer_ref < Cliente,country < País,gross < Importe,currency < Moneda,status < Estado',
  ],
  [
    'payments',
    'Criado em,Valor,Moeda,Situação',
    'attempted_at < Criado em,amount < Valor,currency < Moeda,status < Situação',
  ],
  [
    'payouts',
    'Datum,Bedrag,Valuta,Begunstigde',
    'payee < Begunstigde,dated_at < Datum,amount < Bedrag,currency < Valuta',
  ],
  [
    'orders',
    'Created Date,Product ID,Product Name,Sales',
    'occurred_at < Created Date,sku < Product ID,title < Product Name,gross < Sales',
  ],
  ['conversations', 'created_date,Agency', 'opened_at < created_date'],
  [
    'conversations',
    'SRStatus,CreatedDate,CloseDate',
    'opened_at < CreatedDate,closed_at < CloseDate,status < SRStatus',
  ],
  ['payouts', 'paymentDate,amount', 'paid_at < paymentDate,dated_at < paymentDate,amount < amount'],
  ['payouts', 'Disbursed,Created at,Amt', 'paid_at < Disbursed,dated_at < Disbursed,amount < Amt'],
  ['orders', 'PCS,GROSS AMT', 'quantity < PCS,gross < GROSS AMT'],
  ['payments', 'paymentDate,amount', 'attempted_at < paymentDate,amount < amount'],
  [
    'affiliate_activity',
    'Impr.,Clicks,Cost,Conv. value',
    'impressions < Impr.,clicks < Clicks,sales < Conv. value,cost < Cost',
  ],
  [
    'affiliate_activity',
    'Link clicks,Purchases,Amount spent',
    'clicks < Link clicks,conversions < Purchases,cost < Amount spent',
  ],
  ['affiliate_activity', 'Spend', 'cost < Spend'],
  ['orders', 'Customer Name,Order Quantity', 'customer_ref < Customer Name,quantity < Order Quantity'],
  // Without lines, it is a person’s name.
  ['orders', 'Name,Created at', 'occurred_at < Created at'],
] as const)('%s: columns in other words are guessed: %s', (dataset, columns, wanted) => {
  expect(guessesOf(dataset, columns, { unique: [] })).toEqual(wanted.split(','));
});

it('times are read in UTC if the names of their columns say so, unless another zone is chosen', () => {
  const begun = newDraft('payments', 'stripe', ['Created (UTC)', 'Amount', 'Available On (GMT)']);
  expect(columnsOf(begun.fields.attempted_at!)).toEqual(['Created (UTC)']);
  expect(mappingOf(begun)).toMatchObject({ faults: expect.anything() });
  expect(begun.zone).toBe('UTC');
  expect(newDraft('payments', 'stripe', ['Created', 'Amount']).zone).toBe('');
  expect(newDraft('orders', 'butchery', ['Date', 'Butch time']).zone).toBe('');
  const other = newDraft('payments', 'stripe', ['Created']);
  expect(withField(other, 'attempted_at', { kind: 'column', column: 'created_utc' }).zone).toBe('UTC');
  expect(withField(other, 'settled_at', { kind: 'column', column: 'settled_utc' }).zone).toBe('');
  const chosen = withField({ ...other, zone: 'Europe/Paris' }, 'attempted_at', {
    kind: 'column',
    column: 'created_utc',
  });
  expect(chosen.zone).toBe('Europe/Paris');
});

it('suppliers, influencers, revenue and scores are guessed, and a person’s id isn’t the row’s', () => {
  const given = (dataset: 'payouts' | 'affiliate_activity' | 'conversations', columns: string[]) => {
    const { fields } = newDraft(dataset, 'shop', columns, { unique: columns });
    return columns.map((column) => Object.keys(fields).find((name) => columnsOf(fields[name]!)[0] === column));
  };
  expect(given('payouts', ['Trans No', 'Supplier Name'])).toEqual(['external_id', 'payee']);
  expect(given('affiliate_activity', ['user_id', 'influencer_id', 'revenue'])).toEqual([
    undefined,
    'affiliate',
    'sales',
  ]);
  expect(given('conversations', ['csat_score'])).toEqual(['satisfaction']);
});

const durationsOf = (columns: readonly string[], isClear = false, example = ''): ColumnFacts => ({
  ...noFacts,
  exampleOf: () => example,
  durations: Object.fromEntries(columns.map((column) => [column, { isClear }])),
});

it.each([
  ['First response time (hours)', 'first_response_at', 'hours'],
  ['First reply time in minutes', 'first_response_at', 'minutes'],
  ['first_response_time_minutes', 'first_response_at', 'minutes'],
  ['FirstResponseTimeSec', 'first_response_at', 'seconds'],
  ['Time to first response (s)', 'first_response_at', 'seconds'],
  ['Time to first agent reply (HH:mm:ss)', 'first_response_at', 'hours'],
  // Without a unit, someone has to choose it, unless the cells have one.
  ['First response time', 'first_response_at', ''],
  ['Zeit bis zur ersten Antwort (Std.)', 'first_response_at', 'hours'],
  ['Délai de première réponse (en minutes)', 'first_response_at', 'minutes'],
  ['Tempo de primeira resposta (horas)', 'first_response_at', 'hours'],
  ['Full resolution time (hrs)', 'resolved_at', 'hours'],
  ['Time to resolution', 'resolved_at', ''],
  ['Lösungszeit in Tagen', 'resolved_at', 'days'],
  ['Tiempo de resolución (días)', 'resolved_at', 'days'],
  ['Oplostijd in uren', 'resolved_at', 'hours'],
] as const)('“%s” is %s as a duration after the row’s date, in %s', (column, field, unit) => {
  const { fields, guessed } = newDraft('conversations', 'desk', ['Opened', column], { facts: durationsOf([column]) });
  expect(ruleOf(fields[field]!)).toEqual({
    rule: { duration: column, ...(unit && { unit }), after: 'Opened' },
  });
  expect(guessed).toContain(field);
  // A column of dates is a date, and without values nobody can tell.
  for (const other of [{ ...noFacts, dates: { [column]: [{ format: 'ISO' }] } }, noFacts])
    expect(newDraft('conversations', 'desk', ['Opened', column], { facts: other }).fields[field]!.kind).not.toBe(
      'duration',
    );
});

it.each([
  // Times of the day, an amount, hours at work, and the row’s own date.
  ['conversations', 'Resolved time', 'resolved_at', false],
  ['payouts', 'Paid', 'paid_at', false],
  ['conversations', 'First reply time in minutes within business hours', 'first_response_at', true],
  ['conversations', 'Opened', 'opened_at', true],
] as const)('%s: “%s” is not guessed to be a duration', (dataset, column, field, isClear) => {
  const { fields } = newDraft(dataset, 'desk', [column], { facts: durationsOf([column], isClear) });
  expect(fields[field]!.kind).not.toBe('duration');
});

it.each([
  ['First response', 'first_response_at', false],
  ['First reply time', 'first_response_at', false],
  ['Response time', 'first_response_at', false],
  ['Antwortzeit', 'first_response_at', false],
  ['First response (HH:mm)', 'first_response_at', false],
  ['Resolution time', 'resolved_at', false],
  ['Time to first response', 'first_response_at', true],
  ['Zeit bis zur ersten Antwort', 'first_response_at', true],
  ['Délai de première réponse', 'first_response_at', true],
  ['Resolution time (hours)', 'resolved_at', true],
] as const)(
  '“%s” with 14:05:00 could be a time of the day, and is guessed as a duration only if its name says so',
  (column, field, isGuessed) => {
    const { fields } = newDraft('conversations', 'desk', ['Opened', column], {
      facts: durationsOf([column], false, '14:05:00'),
    });
    expect(fields[field]!.kind === 'duration').toBe(isGuessed);
  },
);

it.each([
  ['Second reply time', null],
  ['Min response time', null],
  ['Minute of the hour: reply', null],
  ['Reply time (min) of agents', 'minutes'],
  ['Reply time in seconds, average', 'seconds'],
  ['reply_time_h', 'hours'],
])('“%s” has the unit %s', (column, unit) => {
  expect(unitInName(column)).toBe(unit);
});

it('the moment of the first response is taken before a duration, under other names too', () => {
  const columns = ['Opened', 'First reply time (hours)', 'First replied at'];
  const dates = { 'First replied at': [{ format: 'ISO' }] };
  const facts = { ...durationsOf(['First reply time (hours)'], true), dates };
  const { fields } = newDraft('conversations', 'desk', columns, { facts });
  expect(fields.first_response_at).toEqual({ kind: 'column', column: 'First replied at' });
  const initial = { ...noFacts, dates: { 'Initial response time': [{ format: 'ISO' }] } };
  expect(newDraft('conversations', 'desk', ['Initial response time'], { facts: initial }).fields).toMatchObject({
    first_response_at: { kind: 'column', column: 'Initial response time' },
  });
});

it('a chosen column whose values can only be durations is one, with the decimal sign and unit of the file', () => {
  const [waited, none] = [{ kind: 'column', column: 'Waited' } as const, { kind: 'column', column: '' } as const];
  expect(withFormat(waited, none, durationsOf(['Waited']), 'instant')).toEqual(waited);
  expect(withFormat(waited, none, durationsOf(['Waited'], true), 'instant')).toMatchObject({
    kind: 'duration',
    unit: '',
  });
  expect(withFormat(waited, none, durationsOf(['Waited'], true), 'text')).toEqual(waited);
  const hours = { kind: 'column', column: 'Stunden' } as const;
  const german = { ...durationsOf(['Stunden']), numbers: { Stunden: { decimal: ',', isPlain: false } } as const };
  expect(withFormat(changeKind(hours, 'duration'), hours, german, 'instant')).toMatchObject({
    ...{ kind: 'duration', unit: 'hours', decimals: { Stunden: ',' } },
  });
});

it('a duration is counted from the row’s date as it is chosen now, and a saved one from anything else is JSON', () => {
  const begun = newDraft('conversations', 'desk', ['Time to close'], { facts: durationsOf(['Time to close'], true) });
  expect(ruleOf(begun.fields.closed_at!)).toEqual({ fault: 'needs a date to be counted from' });
  const dated = withField(begun, 'opened_at', { kind: 'column', column: 'Created' });
  const named = withField(dated, 'external_id', { kind: 'column', column: 'id' });
  const rule = { duration: 'Time to close', after: 'Created' };
  const mapping = { dataset: 'conversations', source: 'desk', fields: { external_id: 'id', opened_at: 'Created' } };
  const saved = { ...mapping, fields: { ...mapping.fields, closed_at: rule } };
  expect(mappingOf(named)).toEqual({ mapping: saved });
  const kept = draftOf('conversations', JSON.stringify(saved));
  expect(kept.fields.closed_at).toMatchObject({ kind: 'duration', column: 'Time to close' });
  expect(mappingOf(kept)).toEqual({ mapping: saved });
  const other = { ...saved, fields: { ...saved.fields, closed_at: { ...rule, after: 'Answered' } } };
  const otherDraft = draftOf('conversations', JSON.stringify(other));
  expect(otherDraft.fields.closed_at!.kind).toBe('json');
  expect(mappingOf(withField(otherDraft, 'status', { kind: 'none' }))).toEqual({ mapping: other });
});

it('a column called data is a date only if it has dates, and an id that is blank or repeated is none', () => {
  const dates = { Data: [{ format: 'D/M/YYYY' }] };
  expect(guessesOf('payouts', 'Data', { facts: { ...facts, dates: {} } })).toEqual([]);
  expect(guessesOf('payouts', 'Data', { facts: { ...facts, dates } })).toEqual(['dated_at < Data']);
  expect(guessesOf('payouts', 'Id', { unique: [] })).toEqual([]);
  expect(guessesOf('payouts', 'Id')).toEqual(['external_id < Id']);
});

it('a saved mapping fits a file that has all its columns', () => {
  const rest = { dataset: 'orders', source: 'shop', leaveOut: [{ column: 'kind', has: ['test'], reason: 'Tests' }] };
  const mapping = JSON.stringify({ ...rest, fields: { external_id: 'id', gross: { multiply: ['price', 'count'] } } });
  expect(columnsUsed('orders', mapping, ['id', 'price', 'count', 'kind', 'more'])).toBe(4);
  for (const missing of ['id', 'count', 'kind'])
    expect(
      columnsUsed(
        'orders',
        mapping,
        ['id', 'price', 'count', 'kind'].filter((one) => one !== missing),
      ),
    ).toBe(0);
});

it.each([
  ['orders', 'discount'],
  ['orders', 'tax'],
  ['orders', 'refunded'],
  ['donations', 'fee'],
  ['payouts', 'fee'],
  ['payments', 'fee'],
  ['affiliate_activity', 'commission'],
] as const)('the amounts of the sample file of %s fit together: %s is a part', (dataset, part) => {
  const { head, rows } = sampleFile(dataset);
  const whole = ['gross', 'sales', 'amount'].find((name) => head.includes(name))!;
  for (const row of rows) expect(Number(row[head.indexOf(part)])).toBeLessThan(Number(row[head.indexOf(whole)]) / 2);
});

it('a file gives its source a name that the import takes', () => {
  expect(sourceOf('Orders March.csv.gz')).toBe('orders-march');
  expect(sourceOf('.csv')).toBe('file');
  expect(sourceOf(`${'ä'.repeat(80)}x.ndjson`)).toBe('x');
  expect(sourceOf(`${'a-'.repeat(40)}.csv`)).toMatch(/^[a-z0-9][a-z0-9-]{0,39}$/);
});

it('rows to leave out and refunds in full come back from a saved mapping, and half a rule is named', () => {
  const leaveOut = [
    { column: 'kind', has: ['test', ''], reason: 'Test orders' },
    { column: 'shop', lacks: ['main'], reason: 'Other shops' },
    { column: 'gross', below: 0, reason: 'Refunds' },
  ];
  const needed = ['external_id', 'product', 'order_ref', 'occurred_at', 'currency', 'status'];
  const fields = Object.fromEntries(needed.map((name) => [name, name]));
  const mapping = { dataset: 'orders', source: 'shop', refunds: 'full', leaveOut, fields };
  const draft = draftOf('orders', JSON.stringify(mapping));
  expect(mappingOf(draft)).toEqual({ mapping });
  const half = {
    ...draft,
    leaveOut: [...draft.leaveOut, { column: 'x', which: 'has', values: [], reason: '' } as const],
  };
  expect(mappingOf(half)).toEqual({ faults: ['Rows to leave out need a column, values and a reason'] });
  // The preview goes on with the rest.
  expect(previewOf(half)).toEqual(mapping);
});

it('columns to fill down come back from a saved mapping, whose columns they are, and need the order’s', () => {
  const fill = { by: 'Name', columns: ['Country'] };
  const mapping = JSON.stringify({ dataset: 'orders', source: 'shop', fill, fields: { external_id: 'id' } });
  const draft = draftOf('orders', mapping);
  expect(previewOf(draft)).toEqual(JSON.parse(mapping));
  expect(columnsUsed('orders', mapping, ['id', 'Name', 'Country'])).toBe(3);
  expect(columnsUsed('orders', mapping, ['id', 'Name'])).toBe(0);
  const half = { ...draft, fill: { ...fill, by: '' } };
  expect(previewOf(half)).not.toHaveProperty('fill');
  expect(mappingOf(half)).toMatchObject({ faults: [expect.anything(), expect.stringContaining('fill down')] });
});

it.each(datasetKeys)('the sample file of %s has a column for every field, which the wizard finds', (dataset) => {
  const { head, rows } = sampleFile(dataset);
  const { fields } = newDraft(dataset, 'sample', head);
  expect(Object.values(fields).filter(({ kind }) => kind !== 'column')).toEqual([]);
  expect(rows.map((row) => row.length)).toEqual([head.length, head.length]);
});

it('an export of donations is guessed, and its state is no status', () => {
  const columns = ['donation_amount', 'donation_date', 'processing_fee_amount', 'state'];
  const { fields } = newDraft('donations', 'gifts', columns);
  expect(fields).toMatchObject({
    amount: { column: 'donation_amount' },
    donated_at: { column: 'donation_date' },
    fee: { column: 'processing_fee_amount' },
    status: { kind: 'none' },
  });
  expect(newDraft('payouts', 'paid', columns).fields.status).toMatchObject({ column: 'state' });
});
