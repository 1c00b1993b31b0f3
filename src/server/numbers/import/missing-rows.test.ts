import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import type { NumberRow } from '../number-row.ts';
import { missingInSample, sampleOfRows } from './missing-rows.ts';
import { NumberRowReader } from './number-row-reader.ts';
import { importNumbers } from './numbers-import.service.ts';
import { type NumbersMapping, numbersMappings } from './numbers-mapping.ts';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());
beforeEach(() =>
  fresh.database.pool.query('truncate donations, donations_daily, donations_totals, first_gifts, import_runs cascade'),
);

type Gift = Readonly<Record<'no' | 'when' | 'to' | 'amount' | 'in', string>>;
const columns = ['when', 'to', 'amount', 'in'];
const mappingBy = (id: unknown): NumbersMapping =>
  numbersMappings.donations.parse({
    ...{ dataset: 'donations', source: 'box' },
    fields: {
      currency: 'in',
      ...{ external_id: id, cause: { constant: 'who-lives' }, donated_at: 'when', amount: 'amount', campaign: 'to' },
      status: { constant: 'completed' },
    },
  });
const byColumns = mappingBy({ join: [...columns, { occurrence: columns }], with: ' / ' });
const zone = 'Europe/Kyiv';

const gifts = (count: number, more: (no: number) => Partial<Gift> = () => ({})): Gift[] =>
  Array.from({ length: count }, (_, no) => ({
    ...{
      no: String(no),
      when: `2026-01-0${(no % 5) + 1}`,
      to: `fund ${no % 3}`,
      amount: String(100 + no),
      in: 'UAH',
      ...more(no),
    },
  }));

type More = { mapping?: NumbersMapping; isDryRun?: boolean; cut?: boolean; fileName?: string; refused?: number };

/** What an import says of rows that it lacks. */
async function missing(rows: readonly Gift[], more: More = {}): Promise<string[]> {
  const { mapping = byColumns, isDryRun = false, cut = false, fileName = 'gifts.csv' } = more;
  const { pool, drizzle } = fresh.database;
  const { rows: runs } = await pool.query(
    `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, state, started_at, seen_at, size)
      values ('donations', 'box', 'box', $1, $2, 'done', now(), now(), 1) returning id::text`,
    [fileName, isDryRun],
  );
  const report = await FaultReport.open(undefined);
  const source = (async function* () {
    for (const [index, row] of rows.entries()) yield { line: index + 2, text: JSON.stringify(row), row };
    if (cut) throw new ImportError('The file ends in the middle');
  })();
  const job = { database: fresh.database, dataset: 'donations', mapping, report, zone, rows: source } as const;
  const run = importNumbers({ ...job, isDryRun, ...(!isDryRun && { runId: runs[0].id }) });
  if (cut) await expect(run).rejects.toThrow('in the middle');
  else expect((await run).refused).toBe(more.refused ?? 0);
  await drizzle.execute('select 1');
  return report.groups.map(({ reason }) => reason).filter((reason) => /in this file|This file may/.test(reason));
}

/** The same of the first rows, with whether an import is asked about. */
async function inSample(rows: readonly Gift[], isWhole = true): Promise<[number, boolean | undefined][]> {
  const reader = new NumberRowReader('donations', byColumns, zone);
  const read = rows.map((row) => reader.read(row) as NumberRow);
  const job = { dataset: 'donations', mapping: byColumns, zone } as const;
  const found = await missingInSample(
    fresh.database.drizzle,
    job,
    sampleOfRows(
      read,
      rows.map((row) => ({ row })),
      isWhole,
    ),
  );
  return found.map(({ count, countsTwice }) => [count, countsTwice]);
}

const corrected = (no: number) => (no === 7 ? { amount: '9' } : {});

test('files of other days, with all rows, or that were cut say nothing', async () => {
  await missing(gifts(40));
  expect(await missing(gifts(40))).toEqual([]);
  expect(await missing(gifts(40, (no) => ({ when: `2026-02-0${(no % 5) + 1}` })))).toEqual([]);
  expect(await missing(gifts(41))).toEqual([]);
  expect(await missing(gifts(30, corrected), { cut: true })).toEqual([]);
  // A few changes of these days.
  expect(await missing(gifts(3, () => ({ amount: '5' })))).toEqual([]);
});

test('an amount that a file corrects in ids of columns is said to count with the wrong one, also before it does', async () => {
  await missing(gifts(40));
  const words =
    '1 row of this source on 3 Jan 2026 isn’t in this file but still counts. If this file corrects it, undo the import of gifts.csv, then import this file';
  const saved = words.replace(/undo.*/, 'undo this import, then the import of gifts.csv, then import this file again');
  expect(await inSample(gifts(40, corrected))).toEqual([[1, false]]);
  expect(await missing(gifts(40, corrected), { isDryRun: true, fileName: 'b.csv' })).toEqual([words]);
  expect(await missing(gifts(40, corrected), { fileName: 'b.csv' })).toEqual([saved]);
  // The next file also leaves out two rows of the first one.
  expect((await missing(gifts(38, corrected), { isDryRun: true }))[0]).toContain(
    '3 rows of this source on 3–5 Jan 2026 aren’t',
  );
});

test('a file in which every amount is another one is asked about, and one of another place is too if it is as large', async () => {
  await missing(gifts(40));
  const restated = gifts(40, (no) => ({ amount: String(118 + no * 2), to: `fund ${no % 3}.` }));
  expect(await inSample(restated)).toEqual([[40, true]]);
  expect((await missing(restated, { isDryRun: true }))[0]).toMatch(/^40 rows of this source on 1–5 Jan 2026 aren’t in/);
  expect(await inSample(gifts(12, () => ({ to: 'elsewhere' })))).toEqual([]);
  // At a file’s start, only sorted rows say which of their days are there.
  expect(await inSample(restated, false)).toEqual([]);
  const sorted = restated.toSorted((one, other) => (one.when < other.when ? -1 : 1));
  expect(await inSample(sorted, false)).toEqual([[32, true]]);
});

test('with ids of the source, a few rows that a file of the same rows lacks are said to be deleted', async () => {
  const byNumber = mappingBy('no');
  await missing(gifts(40), { mapping: byNumber });
  const inside = gifts(40, corrected).filter(({ no }) => no !== '7');
  expect(await missing(inside, { mapping: byNumber, isDryRun: true })).toEqual([
    '1 row of this source on 3 Jan 2026 isn’t in this file but still counts. If it was deleted, undo the import of gifts.csv, then import this file',
  ]);
  expect((await missing(inside, { mapping: byNumber, fileName: 'b.csv' }))[0]).toContain('undo this import, then');
  // A file of changes, one with new rows, one with refused rows, and a file of corrected rows.
  expect(await missing(gifts(20), { mapping: byNumber, isDryRun: true })).toEqual([]);
  const longer = gifts(80).filter((_, no) => no !== 7);
  expect(await missing(longer, { mapping: byNumber, isDryRun: true })).toEqual([]);
  const refused = inside.map((gift) => (gift.no === '9' ? { ...gift, when: '' } : gift));
  expect(await missing(refused, { mapping: byNumber, isDryRun: true, refused: 1 })).toEqual([]);
  const again = inside.map((gift) => ({ refused_because: 'Line 9: is blank', ...gift }));
  expect(await missing(again, { mapping: byNumber, isDryRun: true })).toEqual([]);
});

test('with ids of the source, rows of its other files and of erased people aren’t missing', async () => {
  const byLine = mappingBy({ join: ['no', 'to'], with: '/' });
  const isOther = ({ no }: Gift) => Number(no) % 8 === 7;
  const [one, other] = [gifts(40).filter((gift) => !isOther(gift)), gifts(40).filter(isOther)];
  for (const file of [one, other, one]) expect(await missing(file, { mapping: byLine })).toEqual([]);
  await fresh.database.pool.query('truncate donations, donations_daily, donations_totals, first_gifts cascade');
  await missing(gifts(40));
  await fresh.database.pool.query(
    `update donations set external_id = 'erased-' || md5(external_id) where amount = 1070000`,
  );
  expect(await missing(gifts(40), { isDryRun: true })).toEqual([]);
});

test('refused rows are no missing ones, and hide none', async () => {
  const withBlank = (more: (no: number) => Partial<Gift>) => gifts(40, (no) => (no === 20 ? { when: '' } : more(no)));
  await missing(
    withBlank(() => ({})),
    { refused: 1 },
  );
  expect(await missing(withBlank(corrected), { refused: 1, isDryRun: true })).toEqual([
    'This file may correct 1 row of this source on 3 Jan 2026, which still counts. If so, undo the import of gifts.csv, then import this file',
  ]);
  // Those that are refused now are stored, and the file has nothing new.
  const nowRefused = gifts(40, (no) => (no < 4 || no === 20 ? { when: '' } : {}));
  expect(await missing(nowRefused, { refused: 5, isDryRun: true })).toEqual([]);
  const half = gifts(40, (no) => (no < 20 ? { amount: String(500 + no) } : { when: '' }));
  expect((await missing(half, { refused: 20, isDryRun: true }))[0]).toMatch(/^This file may correct 20 rows/);
});

test('files of corrected rows lack nothing', async () => {
  await missing(gifts(40));
  const again = gifts(25, corrected).map((gift) => ({ refused_because: 'Line 9: is blank', ...gift }));
  expect(await inSample(again)).toEqual([]);
  expect(await missing(again)).toEqual([]);
});

test('an undo that takes other days too, or isn’t possible anymore, is said', async () => {
  await missing(gifts(40, (no) => (no > 30 ? { when: '2026-03-01' } : {})));
  const [words] = await missing(gifts(31, corrected), { isDryRun: true });
  expect(words).toContain(
    'undo the import of gifts.csv, then import this file. That also removes its rows for other days',
  );
  await fresh.database.pool.query('truncate import_totals');
  const [later] = await missing(gifts(31, corrected), { isDryRun: true });
  expect(later).toContain('both versions count: the earlier import can no longer be undone');
});

test('rows before a file’s first and after its last time are of the next files', async () => {
  const at = (hour: number) => (no: number) => ({ when: `2026-01-05T${hour}:${10 + (no % 40)}:00Z` });
  await missing(gifts(40, at(10)));
  expect(await missing(gifts(40, at(12)))).toEqual([]);
});

/** One gift a day, from the 2nd to the 9th. */
const daily = (more: (no: number) => Partial<Gift> = () => ({})) =>
  gifts(8, (no) => ({ when: `2026-03-0${no + 2}`, ...more(no) }));

test('a correction that empties a day or changes the currency is said to count twice, also after an earlier one', async () => {
  const moved = (day: string) => (no: number) => (no === 3 ? { when: `2026-03-0${day}` } : {});
  const rows = (words: readonly string[]) =>
    words.map((one) => one.replace(/ of this source (.*? in this file).*/, ' $1'));
  await missing(daily());
  expect(await missing(daily(moved('7')), { isDryRun: true })).toEqual([
    '1 row of this source on 5 Mar 2026 isn’t in this file but still counts. If this file corrects it, undo the import of gifts.csv, then import this file',
  ]);
  expect(await inSample(daily(moved('7')))).toEqual([[1, false]]);
  expect(
    rows(
      await missing(
        daily((no) => (no === 3 ? { in: 'EUR' } : {})),
        { isDryRun: true },
      ),
    ),
  ).toEqual(['1 row on 5 Mar 2026 isn’t in this file']);
  await missing(daily(moved('7')));
  await missing(daily(moved('8')));
  expect(rows(await missing(daily(moved('6')), { isDryRun: true }))).toEqual([
    '3 rows on 5–8 Mar 2026 aren’t in this file',
  ]);
});

test('files of other days, currencies or causes between a file’s first and last day say nothing', async () => {
  const odd = daily().filter((_, no) => no % 2 === 1);
  const even = daily().filter((_, no) => no % 2 === 0);
  const dollars = daily(() => ({ in: 'USD' })).slice(0, 3);
  for (const file of [odd, even, dollars]) expect(await missing(file)).toEqual([]);
  const one = { amount: '7' };
  for (const file of [odd, even, dollars])
    expect(await missing([...file, { ...file.at(-1)!, ...one }], { isDryRun: true })).toEqual([]);
  const cause = (name: string): NumbersMapping => ({
    ...byColumns,
    fields: { ...byColumns.fields, cause: { constant: name } },
  });
  const ofOther = daily((no) => ({ to: `other ${no}` }));
  expect(await missing(ofOther, { mapping: cause('free-a-girl') })).toEqual([]);
  const fewer = ofOther.filter((_, no) => no !== 3);
  const again = [...fewer, { ...fewer[0]!, ...one }];
  expect(await missing(again, { mapping: cause('free-a-girl'), isDryRun: true })).toEqual([
    expect.stringMatching(/^1 row of this source on 5 Mar 2026 isn’t in/),
  ]);
});
