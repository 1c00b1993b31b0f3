import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { otherDaysReason } from '#core/numbers/imports.ts';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import type { NumberRow } from '../number-row.ts';
import { NumberRowReader } from './number-row-reader.ts';
import { importNumbers } from './numbers-import.service.ts';
import { type NumbersMapping, numbersMappings } from './numbers-mapping.ts';
import { SameRows } from './same-rows.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());
beforeEach(() => fresh.database.pool.query('truncate donations, donations_daily, donations_totals, first_gifts'));

type Gift = Readonly<Record<'no' | 'when' | 'to' | 'amount' | 'status' | 'donor', string>>;
const statuses = { map: { paid: 'completed', back: 'refunded' }, value: 'status' };
const fields = {
  ...{ external_id: 'no', cause: { constant: 'free-a-girl' }, donated_at: 'when', amount: 'amount', status: statuses },
  ...{ campaign: 'to', donor_ref: 'donor' },
};
const mappingWith = (more: object): NumbersMapping =>
  numbersMappings.donations.parse({ dataset: 'donations', source: 'box', currency: 'EUR', fields: more });
const byNumber = mappingWith(fields);

const gifts = (month: number, count: number, more: (no: number) => Partial<Gift> = () => ({})): Gift[] =>
  Array.from({ length: count }, (_, no) => ({
    ...{ no: String(no + 1), when: `2026-0${month}-${String((no % 28) + 1).padStart(2, '0')}` },
    ...{ to: `fund ${no % 3}`, amount: String(month * 100 + no), status: 'paid', donor: `d${no}`, ...more(no) },
  }));

/** What an import warns of. */
async function warnings(rows: readonly Gift[], mapping = byNumber, isDryRun = false): Promise<object[]> {
  const report = await FaultReport.open(undefined);
  const given = rows.map((row, index) => ({ line: index + 2, text: JSON.stringify(row), row }));
  const job = { database: fresh.database, dataset: 'donations', mapping, report, zone: 'Europe/Berlin' } as const;
  const source = (async function* () {
    yield* given;
  })();
  const { refused } = await importNumbers({ ...job, rows: source, isDryRun });
  expect(refused).toBe(0);
  // Rows that a file lacks are said beside these.
  const groups = report.groups.filter(({ reason }) => !reason.includes('in this file but still'));
  return groups.map(({ kind, column, reason, count }) => ({ kind, column, reason, count }));
}

/** What is said of rows of other sources. */
async function sameRows(rows: readonly Gift[], source: string): Promise<object[]> {
  const reader = new NumberRowReader('donations', { ...byNumber, source }, 'Europe/Berlin');
  const found = new SameRows('donations', source);
  await found.look(
    fresh.database.drizzle,
    rows.map((row) => reader.read(row) as NumberRow),
  );
  return found.warnings;
}

test('a next file whose ids count its rows says that it would replace those of other days, also in a dry run', async () => {
  expect(await warnings(gifts(1, 90))).toEqual([]);
  const reason = `${otherDaysReason} in all 60 stored rows checked, and this file would replace them. If it’s a row number that restarts in each file, choose another ID`;
  const warning = { kind: 'warning', column: 'ID in the source', count: 60, reason };
  expect(await warnings(gifts(2, 60), byNumber, true)).toEqual([warning]);
  expect(await warnings(gifts(2, 60))).toEqual([warning]);
  expect(await warnings(gifts(3, 2))).toMatchObject([{ count: 2 }]);
  // One row can be corrected altogether.
  expect(await warnings(gifts(4, 1))).toEqual([]);
});

test('a correction of statuses, amounts or days is ordinary', async () => {
  await warnings(gifts(1, 90));
  expect(await warnings(gifts(1, 90, () => ({ status: 'back' })))).toEqual([]);
  expect(await warnings(gifts(1, 90, () => ({ amount: '7', status: 'paid' })))).toEqual([]);
  expect(await warnings(gifts(1, 90, () => ({ amount: '7', when: '2026-01-30' })))).toEqual([]);
  // A few rows that were wrong altogether are among many that stay.
  expect(await warnings(gifts(1, 90, (no) => ({ amount: '7', when: no < 5 ? '2026-05-05' : '2026-01-30' })))).toEqual(
    [],
  );
});

test('rows that come again under ids made of other texts would count twice', async () => {
  const joined = mappingWith({
    ...fields,
    external_id: { join: ['when', 'to', 'amount', { occurrence: ['when', 'to', 'amount'] }], with: ' / ' },
  });
  await warnings(
    gifts(1, 60, (no) => ({ amount: `${no}.0` })),
    joined,
  );
  const fromExcel = gifts(1, 60, (no) => ({ amount: String(no) })).map((one) => ({
    ...one,
    when: `${one.when}T00:00:00`,
  }));
  const reason =
    'has changed: all 20 new rows checked are already stored with other IDs and would count twice. Use the earlier ID rule and file format, or undo the earlier import first';
  const [times, ...others] = await warnings(fromExcel, joined, true);
  expect(times).toMatchObject({ column: 'when', count: 60, reason: expect.stringContaining('has the time 0:00') });
  expect(others).toEqual([{ kind: 'warning', column: 'ID in the source', reason, count: 20 }]);
  // Rows of the same days that differ are new ones.
  expect(
    await warnings(
      gifts(1, 60, (no) => ({ amount: `${no + 500}` })),
      joined,
    ),
  ).toEqual([]);
});

test('rows that another source has under other ids would count twice; others of the same days and amounts would not', async () => {
  const from = (source: string, ...columns: string[]) => ({
    ...mappingWith({ ...fields, external_id: { join: [...columns, { occurrence: columns }], with: ' / ' } }),
    source,
  });
  await warnings(gifts(1, 60), from('june', 'to', 'amount', 'status'));
  const next = [...gifts(1, 60), ...gifts(2, 1)];
  const reason =
    'differs from the source “june”, which already has all 20 rows checked with other IDs. They would count twice. Use that source and its ID columns';
  const warning = { kind: 'warning', column: 'ID in the source', count: 20, reason };
  expect(await warnings(next, from('july', 'when', 'to', 'amount', 'status'), true)).toEqual([warning]);
  // A mapping with fewer fields knows them too.
  const { donor_ref: _, ...less } = from('july', 'when', 'to', 'amount', 'status').fields;
  const withoutDonor = { ...from('july', 'when'), fields: less };
  expect(await warnings(next, withoutDonor, true)).toEqual([warning]);
  // Other donors gave the same amounts on those days, or one gave twice.
  const other = gifts(1, 60, (no) => ({ donor: `e${no}` }));
  expect(await warnings(other, from('july', 'when', 'to', 'amount', 'status'), true)).toEqual([]);
  const twice = [...gifts(1, 60), ...gifts(1, 60)];
  // Numbers make these count: that is all there is to say of them.
  expect(await warnings(twice, from('july', 'when', 'to', 'amount', 'status'), true)).toMatchObject([
    { reason: expect.stringMatching(/^counts 60 rows that are identical/) },
  ]);
});

test('rows that the chosen source has too count twice already, and it stays the right one', async () => {
  const stray = { ...byNumber, source: 'stray' };
  await warnings(gifts(1, 60));
  await warnings(gifts(1, 60), stray);
  expect(await sameRows(gifts(1, 60), 'box')).toEqual([
    {
      ...{ field: 'external_id', column: 'ID in the source', count: 60 },
      reason:
        'is in both sources “box” and “stray” for all 60 rows checked, so these rows count twice. Undo the import of the wrong source',
    },
  ]);
  // A third source would count them again.
  expect(await sameRows(gifts(1, 60), 'third')).toMatchObject([
    { source: 'box', countsTwice: true, count: 60 },
    { source: 'stray', countsTwice: true },
  ]);
});

test('two sources that both number their rows from 1 are not said to have the same ones', async () => {
  const second = { ...byNumber, source: 'second' };
  // A third of the rows happen to have the same number on the same day.
  const other = gifts(1, 60).map((one, index) =>
    index % 3 === 0 ? one : { ...one, when: `2025-${one.when.slice(5)}` },
  );
  await warnings(gifts(1, 60));
  await warnings(other, second);
  expect(await sameRows(gifts(1, 60), 'box')).toEqual([]);
  // The first source's file, sent to the second by mistake, would replace its rows and count twice.
  const asked = {
    source: 'box',
    countsTwice: true,
    reason: expect.stringContaining('already exists in the source “box”'),
  };
  expect(await sameRows(gifts(1, 60), 'second')).toMatchObject([asked]);
});

test('a few rows that the chosen source has don’t make it the right one', async () => {
  const numbered = (month: number, first: number, many: number) =>
    gifts(month, many, (no) => ({ no: String(first + no) }));
  await warnings([...numbered(1, 1, 60)], { ...byNumber, source: 'stray' });
  await warnings(numbered(1, 1, 4));
  expect(await sameRows(numbered(1, 1, 60), 'box')).toMatchObject([{ source: 'stray', countsTwice: true }]);
});

test('of new rows that another source has, the chosen source stays the right one if it has the others', async () => {
  const stray = { ...byNumber, source: 'stray' };
  const numbered = (month: number, first: number) => gifts(month, 30, (no) => ({ no: String(first + no) }));
  await warnings(numbered(1, 1));
  await warnings(numbered(2, 31), stray);
  const [warning, ...more] = await sameRows([...numbered(1, 1), ...numbered(2, 31)], 'box');
  expect([warning, more]).toEqual([
    {
      ...{ field: 'external_id', column: 'ID in the source', count: 30, countsTwice: true },
      reason:
        'already exists in the source “stray” for all 30 rows checked that aren’t in this source. They would count twice. Undo the import of “stray” first',
    },
    [],
  ]);
});

test('rows at the same times in another source are the same, and those at other times are not', async () => {
  const at = (hour: string) => gifts(1, 60).map((one) => ({ ...one, when: `${one.when}T${hour}:30:00Z` }));
  await warnings(at('09'));
  const july = { ...mappingWith({ ...fields, external_id: { join: ['donor', 'when'], with: ' ' } }), source: 'july' };
  expect(await warnings(at('10'), july, true)).toEqual([]);
  expect(await warnings(at('09'), july, true)).toMatchObject([{ count: 20 }]);
});

test('a numbered id without the date replaces rows of other days, though nothing else differs', async () => {
  const { donor_ref: _, ...less } = fields;
  const numbered = mappingWith({
    ...less,
    external_id: { join: ['to', 'amount', { occurrence: ['to', 'amount'] }], with: ' / ' },
  });
  const sameAmounts = (month: number) => gifts(month, 60, () => ({ amount: '10' }));
  await warnings(sameAmounts(1), numbered);
  const reason = `${otherDaysReason} in all 60 stored rows checked, and this file would replace them. If it’s a row number that restarts in each file, choose another ID`;
  const found = await warnings(sameAmounts(2), numbered, true);
  expect(found).toContainEqual({ kind: 'warning', column: 'ID in the source', count: 60, reason });
  // A newer export with its latest row first gives each number to the row before, and has all rows.
  const newer = [...gifts(2, 1, () => ({ amount: '10' })), ...sameAmounts(1)];
  const reasons = (await warnings(newer, numbered, true)).map((one) => (one as { reason: string }).reason);
  expect(reasons.filter((one) => one.startsWith(otherDaysReason))).toEqual([]);
});

test('a code that no currency and no stored row has is a doubt, whether it is a typo or a new unit', async () => {
  const inUnits = (code: string) => mappingWith({ ...fields, currency: { constant: code } });
  const reason =
    'has UAN, which isn’t a currency’s code. Its amounts are shown separately from all others. If it isn’t your own unit (such as points), use a code like EUR';
  const warning = { kind: 'warning', column: 'Currency', count: 3, reason };
  expect(await warnings(gifts(1, 3), inUnits('UAN'), true)).toEqual([warning]);
  expect(await warnings(gifts(1, 3), inUnits('uan'))).toEqual([warning]);
  expect(await warnings(gifts(1, 3), inUnits('UAN'))).toEqual([]);
  expect(await warnings(gifts(2, 1), inUnits('UAH'))).toEqual([]);
});

test('a mapping that lacks fields which stored rows have names them with the count of rows', async () => {
  await warnings(gifts(1, 90, (no) => (no < 60 ? {} : { donor: '' })));
  const { campaign: _, donor_ref: __, ...less } = fields;
  const sentence = (rows: string) =>
    `isn’t in this mapping, but ${rows} rows of this source have it. The import would empty it there`;
  expect(await warnings(gifts(1, 90), mappingWith(less), true)).toEqual([
    { kind: 'warning', column: 'Campaign', reason: sentence('90'), count: 90 },
    { kind: 'warning', column: 'Donor', reason: sentence('60'), count: 60 },
  ]);
});
