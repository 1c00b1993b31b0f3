import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { FaultReport, faultLine } from '#server/platform/imports/fault-report.ts';
import type { Fault } from '#server/platform/imports/import-error.ts';
import type { Rule } from '#server/platform/imports/mapping-rules.ts';
import type { SourceRow } from '#server/platform/imports/source-row.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import type { NumberRow } from '../number-row.ts';
import { NumberRowReader } from './number-row-reader.ts';
import { importNumbers, type NumbersImport, type NumbersImported } from './numbers-import.service.ts';
import { type NumbersMapping, numbersMappings } from './numbers-mapping.ts';
import { openNumbersFile } from './open-numbers-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'numbers-'));
let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(async () => {
  await fresh.drop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => fresh.database.pool.query('truncate payments, payments_daily, payments_totals'));

const fields = {
  external_id: 'id',
  attempted_at: 'when',
  order_ref: 'id',
  amount: 'amount',
  status: 'status',
  brand: 'brand',
};
const mapping = numbersMappings.payments.parse({ dataset: 'payments', source: 'till', currency: 'EUR', fields });
const row = (id: number, more: Partial<Record<'when' | 'amount' | 'status' | 'brand', string>> = {}) => {
  const { when = '2026-01-05', amount = '1.25', status = 'paid', brand = 'visa' } = more;
  return [id, when, amount, status, brand].join(',');
};
const header = 'id,when,amount,status,brand';

type More = {
  mapping?: NumbersMapping;
  isDryRun?: boolean;
  report?: FaultReport;
  cut?: number;
  runId?: string;
  isKnownFile?: boolean;
  log?: NumbersImport['log'];
};

async function importing(lines: readonly string[], more: More = {}): Promise<NumbersImported> {
  const file = join(folder, 'rows.csv');
  writeFileSync(file, [header, ...lines].join('\n'));
  const used = more.mapping ?? mapping;
  const { rows } = await openNumbersFile(file, used);
  const report = more.report ?? (await FaultReport.open(undefined));
  const job = { database: fresh.database, dataset: 'payments', mapping: used, report, zone: 'UTC' } as const;
  const { runId, log, isDryRun = false, isKnownFile = false } = more;
  const ids = { ...(runId && { runId }), ...(log && { log }) };
  return importNumbers({ ...job, rows: cutAt(rows, more.cut), isDryRun, isKnownFile, ...ids });
}

/** Ends the import like a killed process: nothing after the row happens. */
async function* cutAt(rows: AsyncIterable<SourceRow>, cut = Number.POSITIVE_INFINITY): AsyncGenerator<SourceRow> {
  let count = 0;
  for await (const next of rows) {
    if (count++ === cut) throw new Error('killed');
    yield next;
  }
}

const totals = async () => {
  const { rows } = await fresh.database.pool.query(
    `select (select count(*)::int from payments) as rows, (select sum(amount) from payments) as amount,
      (select sum(row_count)::int from payments_daily) as counted, (select sum(amount) from payments_daily) as rolled`,
  );
  return rows[0];
};

describe('a file that the mapping is not for', () => {
  const opening = (content: string) => {
    const file = join(folder, 'other.csv');
    writeFileSync(file, content);
    return openNumbersFile(file, mapping, 'The file').then(async ({ rows }) => {
      for await (const _row of rows);
    });
  };
  test.each([
    ['a,b\n1,2\n', 'The file doesn’t match the mapping: it has no column "id", "when", "brand", "amount", "status"'],
    [`${header},amount\n`, 'The file has the column "amount" twice'],
    ['{"a":1}\n{"a":2}\n', 'its first row has none of "id", "when", "brand", "amount", "status". It has "a"'],
  ])('%j is refused before anything is read from it', async (content, reason) => {
    await expect(opening(content)).rejects.toThrow(reason);
  });
});

test('column names that differ only in no-break and doubled blanks are those of the mapping', async () => {
  const named = { ...fields, amount: 'Montant  total', brand: { column: 'Carte bancaire', optional: true } };
  const other = numbersMappings.payments.parse({ dataset: 'payments', source: 'till', currency: 'EUR', fields: named });
  const open = async (names: string) => {
    const file = join(folder, 'blanks.csv');
    writeFileSync(file, `A title\n${names}\n1,2026-01-05,1.25,paid,visa\n`);
    return openNumbersFile(file, other, 'The file');
  };
  const source = await open('id,when,Montant\u00A0total,status,Carte\u202Fbancaire');
  expect(source.columns).toEqual(['id', 'when', 'Montant  total', 'status', 'Carte bancaire']);
  for await (const { row } of source.rows)
    expect(row).toEqual({
      ...{ id: '1', when: '2026-01-05', status: 'paid' },
      ...{ 'Montant  total': '1.25', 'Carte bancaire': 'visa' },
    });
  // Two of them could be either.
  await expect(open('id,when,Montant\u00A0total,Montant total,status')).rejects.toThrow(
    'it has no column "Montant  total"',
  );
});

test('a first row that was taken for column names is a warning', async () => {
  const file = join(folder, 'headless.csv');
  writeFileSync(file, '1,05/01/2026,7\n2,06/01/2026,8\n');
  const named = (date: string, id = '1') =>
    numbersMappings.payments.parse({
      ...{ dataset: 'payments', source: 'till', currency: 'EUR' },
      fields: {
        ...{ external_id: id, order_ref: id, amount: '7', status: { constant: 'paid' } },
        attempted_at: { date, format: 'DD/MM/YYYY' },
      },
    });
  const warningsOf = async (used: NumbersMapping) => {
    const report = await FaultReport.open(undefined);
    const { rows } = await openNumbersFile(file, used);
    await importNumbers({
      database: fresh.database,
      dataset: 'payments',
      mapping: used,
      report,
      zone: 'UTC',
      isDryRun: true,
      rows,
    });
    return report.groups.map(({ kind, column, count, reason }) => `${kind} ${count} ${column} ${reason}`);
  };
  expect(await warningsOf(named('05/01/2026'))).toEqual([
    'warning 1 05/01/2026 is the name of a column, but reads as a date. If the file has no column names, its first row is missing. Add a line with names above it, and choose those',
  ]);
  // Years can be names of amounts, and names can have digits.
  writeFileSync(file, 'id,date 1,7\n1,05/01/2026,7\n');
  expect(await warningsOf(named('date 1', 'id'))).toEqual([]);
});

test('a blank date is called blank, also where the mapping fills it with a text', () => {
  const reasonsOf = (attempted_at: Rule, when: string) => {
    const given = { dataset: 'payments', source: 'till', currency: 'EUR', fields: { ...fields, attempted_at } };
    const reader = new NumberRowReader('payments', numbersMappings.payments.parse(given), 'UTC');
    return reader.read({ id: '1', when, amount: '1', status: 'paid', brand: 'x' });
  };
  const time: Rule = { join: ['when', { constant: '10:00' }], with: ' ' };
  const dated: Rule = { date: time, format: 'YYYY-MM-DD HH:MM' };
  for (const [rule, why] of [
    [time, 'isn’t a date: "10:00"'],
    [dated, 'isn’t a date in the format YYYY-MM-DD HH:MM: "10:00"'],
    [{ first: ['when', { constant: 'none' }] }, 'isn’t a date: "none"'],
  ] as const) {
    const reason = `is blank, and what the mapping gives instead ${why}`;
    expect(reasonsOf(rule, '')).toEqual([{ column: 'when', reason, field: 'attempted_at' }]);
  }
  expect(reasonsOf('when', '')).toMatchObject([{ column: 'when', reason: 'is blank, but Attempted is required' }]);
  expect(reasonsOf(time, 'soon')).toMatchObject([{ column: 'when', reason: 'isn’t a date: "soon 10:00"' }]);
});

test('a total at the end is counted and named as left out', async () => {
  const report = await FaultReport.open(undefined);
  const counts = await importing(['total-1,2026-01-05 10:00,5,paid,x', 'Total,,5,,'], { report, isDryRun: true });
  expect(counts).toMatchObject({ rows: 2, inserted: 1, refused: 0, leftOut: 1 });
  expect(report.groups).toMatchObject([
    { kind: 'leftOut', reason: 'looks like a total, not a row', line: 3, count: 1 },
  ]);
});

test('amounts with three digits after every dot are imported with a warning', async () => {
  const report = await FaultReport.open(undefined);
  const lines = ['10.000', '300', '2.500', '1.250'].map((amount, index) => row(index, { amount }));
  expect(await importing(lines, { report, isDryRun: true })).toMatchObject({ inserted: 4, refused: 0 });
  expect(report.groups).toMatchObject([{ kind: 'warning', column: 'amount', count: 3, line: 2, value: '10.000' }]);
  const decimals = await FaultReport.open(undefined);
  await importing([...lines, row(9, { amount: '1.5' })], { report: decimals, isDryRun: true });
  expect(decimals.groups).toEqual([]);
});

test('what an order has only on its first line is named, and is on all of them if the mapping fills it down', async () => {
  const given = {
    ...{ dataset: 'payments', source: 'till', currency: 'EUR' },
    fields: { ...fields, external_id: { join: ['id', { occurrence: ['id'] }], with: '-' } },
  };
  // A refused row isn't counted.
  const lines = [row(1), ...['2', '3', '4', 'x'].map((amount) => row(1, { brand: '', amount }))];
  const brands = async () => (await fresh.database.pool.query('select distinct brand from payments order by 1')).rows;
  const report = await FaultReport.open(undefined);
  await importing(lines, { mapping: numbersMappings.payments.parse(given), report });
  expect(report.groups[0]).toMatchObject({ kind: 'warning', column: 'brand', count: 3, line: 3 });
  expect(await brands()).toEqual([{ brand: 'visa' }, { brand: null }]);
  const filled = numbersMappings.payments.parse({ ...given, fill: { by: 'id', columns: ['brand'] } });
  const again = await FaultReport.open(undefined);
  expect(await importing(lines, { mapping: filled, report: again, isKnownFile: true })).toMatchObject({
    updated: 3,
    refused: 1,
  });
  expect(await brands()).toEqual([{ brand: 'visa' }]);
  expect(again.groups).toMatchObject([{ kind: 'refused', column: 'amount' }]);
});

test('rows that another source has are named; other dates, other ids and the same source are none', async () => {
  const lines = Array.from({ length: 60 }, (_, id) => row(id));
  await importing(lines);
  const other = { ...mapping, source: 'part' };
  const warningsOf = async (given: readonly string[], used: NumbersMapping) => {
    const report = await FaultReport.open(undefined);
    await importing(given, { report, mapping: used, isDryRun: true });
    return report.groups;
  };
  expect(await warningsOf(lines, mapping)).toEqual([]);
  expect(
    await warningsOf(
      Array.from({ length: 60 }, (_, id) => row(id, { when: '2026-01-06' })),
      other,
    ),
  ).toEqual([]);
  expect(
    await warningsOf(
      Array.from({ length: 60 }, (_, id) => row(id + 58)),
      other,
    ),
  ).toEqual([]);
  const reason = expect.stringContaining('already exists in the source “till” for 9 of 50 rows checked');
  expect(
    await warningsOf(
      Array.from({ length: 50 }, (_, id) => row(id + 51)),
      other,
    ),
  ).toMatchObject([{ kind: 'warning', column: 'ID in the source', reason, count: 9, line: 0 }]);
  expect(await warningsOf([row(1)], other)).toMatchObject([{ count: 1 }]);
  // A sample says that the ids are the same ones. Then all rows count, also those with another date.
  const moved = Array.from({ length: 60 }, (_, id) => row(id, id % 4 ? { when: '2026-01-06' } : {}));
  const all = expect.stringContaining('for all 60 rows checked');
  expect(await warningsOf(moved, other)).toMatchObject([{ reason: all, count: 60 }]);
});

test('NDJSON is read with the digits that stand in it', async () => {
  const file = join(folder, 'rows.ndjson');
  writeFileSync(file, '{"id":1,"when":"2026-01-05","amount":0.30000000000000004,"status":"paid"}\n');
  const { rows } = await openNumbersFile(file, mapping);
  const report = await FaultReport.open(undefined);
  const job = { database: fresh.database, dataset: 'payments', mapping, report, zone: 'UTC', isDryRun: false } as const;
  expect(await importNumbers({ ...job, rows })).toMatchObject({ inserted: 1 });
  const stored = await fresh.database.pool.query('select amount, texts from payments');
  expect(stored.rows).toEqual([{ amount: '3000', texts: { amount: '0.30000000000000004' } }]);
});

describe('rows that do not fit', () => {
  test('each is told with line, column and reason, and the good ones are kept', async () => {
    const path = join(folder, 'report.csv');
    const format = { kind: 'csv', delimiter: ',', quote: '"' } as const;
    const report = await FaultReport.open(path, { format, columns: header.split(',') });
    const bad: [string, string][] = [
      [row(2, { when: '' }), 'when is blank, but Attempted is required'],
      [row(2, { when: '31/12/2025' }), 'when isn’t a date: "31/12/2025". Choose “A date”'],
      [row(2, { amount: '1.2.3' }), 'amount isn’t an amount: "1.2.3"'],
      [row(2, { amount: '1e15' }), 'amount is too large an amount: "1e15"'],
      [row(2, { status: 'Payed' }), 'status has "Payed", which isn’t a valid Status. Use paid, pending'],
      [row(2, { brand: 'a\0b' }), 'brand contains NUL, which can’t be stored'],
      [row(2, { brand: 'x'.repeat(501) }), 'brand is longer than 500 characters'],
      [row(1), 'Exact copy: has the ID of line 2: "1"'],
      [row(1, { amount: '9' }), 'ID in the source has the ID of line 2: "1"'],
      ['2,2026-01-05', 'has 2 fields, the header has 5'],
    ];
    const good = [row(1), row(3, { brand: '=HYPERLINK("x")' })];
    const imported = await importing([good[0]!, ...bad.map(([line]) => line), good[1]!], { report });
    await report.close();
    expect(imported).toEqual({ rows: 12, inserted: 2, updated: 0, unchanged: 0, refused: 10, leftOut: 0 });
    for (const [index, [line, reason]] of bad.entries()) {
      expect(faultLine(report.first[index]!)).toContain(`line ${index + 3}: ${reason}`);
      if (!line.includes('\0')) expect(readFileSync(path, 'utf8')).toContain(line);
    }
    const { rows } = await fresh.database.pool.query(
      'select external_id, amount, brand, currency from payments order by 1',
    );
    expect(rows).toEqual([
      { external_id: '1', amount: '12500', brand: 'visa', currency: 'EUR' },
      { external_id: '3', amount: '12500', brand: '=HYPERLINK("x")', currency: 'EUR' },
    ]);
  });

  test('one that repeats an id is refused again until its id changes, for it would replace the other row', async () => {
    const path = join(folder, 'repeated.csv');
    const columns = header.split(',');
    const format = { kind: 'csv', delimiter: ',', quote: '"' } as const;
    const refusedOf = async (file: string) => {
      const { rows } = await openNumbersFile(file, mapping);
      const report = await FaultReport.open(path, { format, columns });
      const job = { database: fresh.database, dataset: 'payments', mapping, report, zone: 'UTC' } as const;
      const counts = await importNumbers({ ...job, rows, isDryRun: false });
      await report.close();
      return counts;
    };
    const file = join(folder, 'refused.csv');
    writeFileSync(file, [header, row(1), row(1, { amount: '9' })].join('\n'));
    expect(await refusedOf(file)).toMatchObject({ inserted: 1, refused: 1 });
    for (const reason of ['line 2', 'another row']) {
      const refused = readFileSync(path, 'utf8');
      expect(refused).toContain(`has the ID of ${reason}`);
      writeFileSync(file, refused);
      expect(await refusedOf(file)).toMatchObject({ inserted: 0, updated: 0, refused: 1 });
    }
    // The reason can be edited: it doesn't say whether the id is another one.
    const repeated = readFileSync(path, 'utf8');
    for (const edited of [repeated.replaceAll('""1""', '""2""'), repeated.replace(/has the ID of [^,]+/, 'done"')]) {
      writeFileSync(file, edited);
      expect(await refusedOf(file)).toMatchObject({ inserted: 0, updated: 0, refused: 1 });
    }
    writeFileSync(file, repeated.replaceAll(/(?<=",|"")1(?=,|"")/g, '2'));
    expect(await refusedOf(file)).toMatchObject({ inserted: 1, refused: 0 });
    expect(await totals()).toMatchObject({ rows: 2, amount: '102500' });
  });

  test('a status in other letters is the same status', async () => {
    const report = await FaultReport.open(undefined);
    expect(await importing([row(1, { status: 'Paid' }), row(2, { status: ' PENDING ' })], { report })).toMatchObject({
      inserted: 2,
    });
    const { rows } = await fresh.database.pool.query('select status from payments order by external_id');
    expect(rows.map(({ status }) => status)).toEqual(['paid', 'pending']);
  });

  test('a reason that several values have names none of them, and one example', async () => {
    const report = await FaultReport.open(undefined);
    const bad = ['Mobile Shower Units', 'Victory Drones', 'Victory Drones'].map((status, id) => row(id, { status }));
    await importing([...bad, row(7, { brand: 'x'.repeat(501) }), row(8, { brand: 'x'.repeat(502) })], { report });
    expect(report.groups).toMatchObject([
      {
        count: 3,
        reason: expect.stringMatching(/^has …, which isn’t a valid Status\. Use paid/),
        value: 'Mobile Shower Units',
      },
      { count: 2, reason: 'is longer than 500 characters', line: 5 },
    ]);
    const same = await FaultReport.open(undefined);
    await importing([bad[1]!, bad[2]!], { report: same });
    expect(same.groups).toMatchObject([{ count: 2, reason: expect.stringContaining('"Victory Drones"') }]);
  });

  test('twenty thousand of them take no more memory than twenty', async () => {
    const report = await FaultReport.open(undefined);
    const lines = Array.from({ length: 20_000 }, (_, index) => row(index, { amount: 'x', when: 'y' }));
    expect(await importing(lines, { report })).toMatchObject({ rows: 20_000, inserted: 0, refused: 20_000 });
    expect(report).toMatchObject({ rows: 20_000, faults: 40_000 });
    expect(report.first).toHaveLength(100);
  });
});

const many = Array.from({ length: 5_000 }, (_, index) => row(index, { amount: `${index}.00005` }));

test('the same file twice changes nothing, a corrected row replaces the old one, a dry run writes nothing', async () => {
  expect(await importing(many, { isDryRun: true })).toMatchObject({ inserted: 5_000, unchanged: 0 });
  expect(await totals()).toMatchObject({ rows: 0 });
  expect(await importing(many)).toMatchObject({ inserted: 5_000, updated: 0, unchanged: 0 });
  const before = await totals();
  expect(await importing(many)).toMatchObject({ inserted: 0, updated: 0, unchanged: 5_000 });
  expect(await totals()).toEqual(before);
  const { rows } = await fresh.database.pool.query(`select amount, texts from payments where external_id = '1'`);
  expect(rows).toEqual([{ amount: '10000', texts: { amount: '1.00005' } }]);
  expect(await importing([row(1, { amount: '3' })])).toMatchObject({ inserted: 0, updated: 1, unchanged: 0 });
  expect((await totals()).rolled).toBe(String(BigInt(before.rolled) + 20_000n));
  const other = { ...mapping, source: 'other-till' };
  expect(await importing(many, { mapping: other })).toMatchObject({ inserted: 5_000 });
});

/** From now on, each update of the statistics of payments fails, which is logged. */
async function failingStatistics(owner: pg.Client) {
  await owner.query(`
    create function no_analyze(amount bigint) returns bigint immutable language plpgsql as
      $$ begin if current_query() like 'analyze%' then raise 'the disk is slow'; end if; return amount; end $$;
    create index no_analyze on payments (no_analyze(amount))`);
  const failed: unknown[] = [];
  return { failed, log: { warn: (fault: unknown) => failed.push(fault) } };
}

test('a vacuum that locks the table, or statistics that can’t be read, end no import', async () => {
  const owner = new pg.Client({ connectionString: fresh.url });
  await owner.connect();
  onTestFinished(() => owner.end());
  await owner.query('begin; lock table payments in share update exclusive mode');
  expect(await importing(many)).toMatchObject({ inserted: 5_000 });
  await owner.query('rollback');
  const { failed, log } = await failingStatistics(owner);
  expect(await importing(many, { mapping: { ...mapping, source: 'second-till' }, log })).toMatchObject({
    inserted: 5_000,
  });
  await owner.query('drop function no_analyze cascade');
  expect(failed).toHaveLength(2);
});

test('statistics are updated only for many new rows beside those that are there', async () => {
  const owner = new pg.Client({ connectionString: fresh.url });
  await owner.connect();
  onTestFinished(() => owner.end());
  await importing(many);
  await owner.query(`
    insert into payments overriding system value
    select r.* from (select * from payments limit 1) p, generate_series(1, 60000) i,
      jsonb_populate_record(null::payments, to_jsonb(p) || jsonb_build_object('id', -i, 'source', 'old', 'external_id', i)) r`);
  await owner.query('analyze payments');
  const { failed, log } = await failingStatistics(owner);
  await importing(many, { mapping: { ...mapping, source: 'second-till' }, log });
  await owner.query('drop function no_analyze cascade');
  expect(failed).toEqual([]);
});

test('killed half-way and run again, the totals are those of one run', async () => {
  await importing(many);
  const once = await totals();
  await fresh.database.pool.query('truncate payments, payments_daily, payments_totals');
  await expect(importing(many, { cut: 4_200 })).rejects.toThrow('killed');
  expect((await totals()).rows).toBeLessThan(5_000);
  await importing(many);
  expect(await totals()).toEqual(once);
});

test('occurrence numbers count every row of the file, also one that does not fit', async () => {
  const numbered = numbersMappings.payments.parse({
    ...mapping,
    currency: 'EUR',
    fields: { ...fields, external_id: { join: ['brand', { occurrence: ['brand'] }], with: '#' } },
  });
  const lines = [row(1), row(2, { brand: 'amex' }), row(3, { amount: 'x' }), row(4), row(5, { brand: 'amex' })];
  await importing(lines, { mapping: numbered });
  const ids = async () =>
    (await fresh.database.pool.query('select external_id as id from payments order by 1')).rows.map(({ id }) => id);
  expect(await ids()).toEqual(['amex#1', 'amex#2', 'visa#1', 'visa#3']);
  await importing(lines.with(2, row(3)), { mapping: numbered });
  expect(await ids()).toEqual(['amex#1', 'amex#2', 'visa#1', 'visa#2', 'visa#3']);
});

test('a mapping lacks nothing that the dataset needs', () => {
  const { amount: _, ...less } = fields;
  const reasons = (given: object) =>
    numbersMappings.payments.safeParse(given).error?.issues.map(({ path }) => path.join('.'));
  expect(reasons({ ...mapping, currency: 'EUR', fields: less })).toEqual(['fields.amount']);
  expect(reasons({ dataset: 'payments', source: 'till', fields })).toEqual(['currency']);
  expect(reasons({ ...mapping, dataset: 'orders' })).toContain('dataset');
  expect(reasons({ ...mapping, zone: 'Mars' })).toEqual(['zone']);
});

test('a date without a time is that day in the company’s calendar, whatever the zone of the source', async () => {
  const zoned = { dataset: 'payments', source: 'till', currency: 'EUR', zone: 'Europe/London' };
  const days = async () =>
    (await fresh.database.pool.query('select day, hour from payments order by external_id')).rows;
  const lines = [row(1, { when: '2020-06-01' }), row(2, { when: '2020-06-30' }), row(3, { when: '2020-07-01 12:30' })];
  const expected = [
    { day: '2020-06-01', hour: null },
    { day: '2020-06-30', hour: null },
    { day: '2020-07-01', hour: 11 },
  ];
  await importing(lines, { mapping: numbersMappings.payments.parse({ ...zoned, fields }) });
  expect(await days()).toEqual(expected);
  // Date rules give the same, with a zone on the mapping or on the rule.
  const iso = { date: 'when', format: 'ISO', zone: 'Europe/London' };
  const ruled = numbersMappings.payments.parse({ ...zoned, fields: { ...fields, attempted_at: iso } });
  expect(await importing(lines, { mapping: ruled })).toMatchObject({ unchanged: 3 });
  const rule = { date: 'when', format: 'YYYY-MM-DD', zone: 'Asia/Tokyo' };
  const formatted = numbersMappings.payments.parse({ ...zoned, fields: { ...fields, attempted_at: rule } });
  expect(await importing(lines.slice(0, 2), { mapping: formatted })).toMatchObject({ unchanged: 2 });
});

test('equal faults are one group with their count and first line', async () => {
  const report = await FaultReport.open(undefined);
  const lines = [row(1), row(2, { amount: 'x' }), row(3, { amount: 'y' }), row(4, { amount: '' })];
  expect(await importing(lines, { report })).toMatchObject({ inserted: 1, refused: 3 });
  expect(report.groups).toEqual([
    {
      ...{ kind: 'refused', column: 'amount', reason: 'isn’t an amount: …', value: 'x' },
      count: 2,
      line: 3,
      values: ['x', 'y'],
    },
    { ...{ kind: 'refused', column: 'amount', reason: 'is blank', value: null }, count: 1, line: 5, values: [] },
  ]);
});

test('rows that a rule of the mapping leaves out are counted apart, by reason', async () => {
  const rules = [
    { column: 'brand', has: ['test', ''], reason: 'Test payments' },
    { column: 'status', lacks: ['paid', 'failed'], reason: 'Other states' },
    { column: 'amount', below: 0, reason: 'Fees' },
  ];
  const leaving = numbersMappings.payments.parse({ ...mapping, currency: 'EUR', leaveOut: rules });
  const report = await FaultReport.open(undefined);
  const lines = [
    row(1),
    row(2, { brand: 'test' }),
    row(3, { brand: '' }),
    row(4, { status: 'odd' }),
    row(5, { amount: 'x' }),
    ...['-1.50', '(1.234)', '€ 2-', '0', '-0.00'].map((amount, index) => row(6 + index, { amount })),
  ];
  const imported = await importing(lines, { mapping: leaving, report });
  expect(imported).toMatchObject({ rows: 10, inserted: 3, refused: 1, leftOut: 6 });
  expect(report.groups.filter(({ kind }) => kind === 'leftOut')).toEqual([
    { kind: 'leftOut', column: 'amount', reason: 'Fees', count: 3, line: 7, value: '-1.50', values: [] },
    { kind: 'leftOut', column: 'brand', reason: 'Test payments', count: 2, line: 3, value: 'test', values: [] },
    { kind: 'leftOut', column: 'status', reason: 'Other states', count: 1, line: 5, value: 'odd', values: [] },
  ]);
  const both = { column: 'brand', has: ['a'], lacks: ['b'], reason: 'x' };
  expect(numbersMappings.payments.safeParse({ ...mapping, currency: 'EUR', leaveOut: [both] }).success).toBe(false);
});

test('refused rows are a file that is corrected and imported as it is, with the numbers of repeated rows', async () => {
  const numbered = numbersMappings.payments.parse({
    ...mapping,
    currency: 'EUR',
    fields: { ...fields, external_id: { join: ['brand', { occurrence: ['brand'] }], with: '#' } },
  });
  const format = { kind: 'csv', delimiter: ',', quote: '"' } as const;
  const path = join(folder, 'refused.csv');
  const report = await FaultReport.open(path, { format, columns: header.split(',') });
  const lines = [row(1), row(2, { amount: 'bad' }), row(3, { brand: '=1+1', amount: 'bad' }), row(4)];
  expect(await importing(lines, { mapping: numbered, report })).toMatchObject({ inserted: 2, refused: 2 });
  await report.close();
  const [first, ...refused] = readFileSync(path, 'utf8').trim().split('\r\n');
  expect(first).toBe(`refused_because,${header}`);
  // Nothing in it runs as a formula in a spreadsheet.
  expect(refused[1]).toContain(",'=1+1");
  writeFileSync(path, [first, ...refused].join('\r\n').replace(/,bad,/g, ',7,'));
  const { rows } = await openNumbersFile(path, numbered);
  const job = {
    database: fresh.database,
    dataset: 'payments',
    mapping: numbered,
    zone: 'UTC',
    isDryRun: false,
  } as const;
  const again = { ...job, report: await FaultReport.open(undefined), rows };
  expect(await importNumbers(again)).toMatchObject({ inserted: 2, updated: 0, refused: 0 });
  const stored = await fresh.database.pool.query('select external_id as id, amount from payments order by 1');
  expect(stored.rows.map(({ id }) => id)).toEqual(['=1+1#1', 'visa#1', 'visa#2', 'visa#3']);
});

/** The id is all of a gift's columns, as in files without an id. */
const alike = numbersMappings.payments.parse({
  ...mapping,
  currency: 'EUR',
  fields: {
    ...{ ...fields, order_ref: 'brand' },
    external_id: { join: ['when', 'amount', { occurrence: ['when', 'amount'] }], with: '/' },
  },
});

/** Imports the lines, and then their refused rows as `correct` leaves them. */
async function correcting(lines: readonly string[], correct: (text: string) => string, mapping = alike) {
  const path = join(folder, 'refused.csv');
  const format = { kind: 'csv', delimiter: ',', quote: '"' } as const;
  const report = await FaultReport.open(path, { format, columns: header.split(',') });
  await importing(lines, { mapping, report });
  await report.close();
  writeFileSync(path, correct(readFileSync(path, 'utf8')));
  return async () => {
    const { rows } = await openNumbersFile(path, mapping);
    const again = await FaultReport.open(undefined);
    const job = { database: fresh.database, dataset: 'payments', zone: 'UTC', isDryRun: false } as const;
    const counts = await importNumbers({ ...job, mapping, rows, report: again });
    return [counts.inserted, counts.updated, counts.unchanged, counts.refused];
  };
}

test.each([
  ['a date of its id', '2026-13-05', '2026-01-05'],
  ['an amount of its id', 'bad', '1.25'],
])('a corrected row with %s is none of the rows that are like it, and stays itself', async (_what, wrong, right) => {
  const odd = wrong === 'bad' ? row(3, { amount: wrong }) : row(3, { when: wrong });
  const again = await correcting([row(1), row(2), odd], (text) => text.replace(`,${wrong},`, `,${right},`));
  expect(await again()).toEqual([1, 0, 0, 0]);
  expect(await totals()).toMatchObject({ rows: 3, amount: '37500', counted: 3 });
  expect(await again()).toEqual([0, 0, 1, 0]);
  const path = join(folder, 'refused.csv');
  writeFileSync(path, readFileSync(path, 'utf8').replace(`,${right},`, right === '1.25' ? ',3,' : ',2026-01-06,'));
  expect(await again()).toEqual([0, 1, 0, 0]);
});

test('a corrected row that had no id, and one that had too few cells, are none of the rows like them', async () => {
  const dated = { date: 'when', format: 'YYYY-MM-DD' };
  const external_id = { join: [dated, 'amount', { occurrence: ['when', 'amount'] }], with: '/' };
  const mapping = { ...alike, fields: { ...alike.fields, external_id } };
  const short = '5,2026-01-05,1.25';
  const again = await correcting(
    [row(1), row(4, { when: '2026-13-05' }), short],
    (text) => `${text.replace(',2026-13-05,', ',2026-01-05,').trimEnd()},paid,visa\r\n`,
    mapping,
  );
  expect(await again()).toEqual([2, 0, 0, 0]);
  expect(await again()).toEqual([0, 0, 2, 0]);
});

test('numbered rows that an earlier import of another file had are named', async () => {
  const warningsOf = async (lines: readonly string[], more: More = {}) => {
    const report = await FaultReport.open(undefined);
    await importing(lines, { mapping: alike, report, ...more });
    // The rows of that day that a file lacks are of no field.
    const groups = report.groups.filter(({ column }) => column !== '');
    return groups.map(({ column, count, reason }) => [column, count, reason.slice(0, 65)]);
  };
  const met = (count: number) => [
    ['ID in the source', count, 'matches a row of an earlier import, so it counts as that row. If '],
  ];
  expect(await warningsOf([row(1), row(2)])).toEqual([]);
  const part = [row(3), row(4, { amount: '5' })];
  expect(await warningsOf(part, { isDryRun: true })).toEqual(met(1));
  expect(await warningsOf(part)).toEqual(met(1));
  expect(await warningsOf(part, { isKnownFile: true })).toEqual([]);
  // A newer export of the same rows and one more.
  const newer = [...part, row(5, { amount: '9' })];
  expect(await warningsOf(newer)).toEqual([]);
  // Another file of these days, whose rows happen to have the same values and numbers.
  const others = newer.map((line) => line.replace('visa', 'mc'));
  expect(await warningsOf([...others, row(6, { amount: '11' })], { isDryRun: true })).toEqual(met(3));
  expect(await warningsOf([row(1)], { mapping })).toEqual([]);
  expect(await warningsOf([row(1)], { mapping })).toEqual([]);
  // Other ids refuse copies.
  const copy = row(7, { amount: '70' });
  expect(await warningsOf([copy, copy, row(8, { amount: '70' })])).toEqual([
    ['ID in the source', 1, 'counts 1 row that is identical to an earlier line. If it’s a copy'],
  ]);
});

test('a refunded order without a refunded amount is imported with a warning, or as refunded in full', async () => {
  const fieldsOfOrders = {
    ...{ external_id: 'id', product: { constant: 'connect' }, order_ref: 'id', occurred_at: 'when' },
    ...{ gross: 'amount', status: 'status' },
  };
  const orders = { dataset: 'orders', source: 'shop', currency: 'EUR', fields: fieldsOfOrders };
  const read = (given: object) => {
    const reader = new NumberRowReader('orders', numbersMappings.orders.parse(given), 'UTC');
    const values = { id: '1', when: '2026-01-05', amount: '9.50', status: 'refunded' };
    return { read: reader.read(values) as NumberRow, warnings: reader.warnings };
  };
  expect(read(orders).warnings).toEqual([{ column: 'Refunded', reason: expect.stringContaining('counts as a sale') }]);
  expect(read({ ...orders, refunds: 'full' })).toMatchObject({ warnings: [], read: { values: { refunded: 95_000n } } });
});

test('a gift of a series is recurring, unless the file says so itself', () => {
  const gift = {
    ...{ external_id: 'id', cause: { constant: 'free-a-girl' }, donated_at: 'when', amount: 'amount' },
    ...{ status: { constant: 'completed' }, recurring_ref: 'series' },
  };
  const recurring = (fields: object, row: object) => {
    const given = { dataset: 'donations', source: 'bank', currency: 'EUR', fields };
    const reader = new NumberRowReader('donations', numbersMappings.donations.parse(given), 'UTC');
    return (reader.read({ id: '1', when: '2026-01-05', amount: '9', ...row }) as NumberRow).values.recurring;
  };
  expect([recurring(gift, { series: 'S-1' }), recurring(gift, { series: '' })]).toEqual([true, false]);
  expect(recurring({ ...gift, recurring: 'again' }, { series: 'S-1', again: 'no' })).toBe(false);
  const { recurring_ref: _, ...alone } = gift;
  expect(recurring(alone, {})).toBeUndefined();
});

test('a written number, a sign of a currency and a required value say what to do, by the names of the screens', () => {
  const all = { ...fields, currency: 'cur' };
  const given = numbersMappings.payments.parse({ dataset: 'payments', source: 'till', fields: all });
  const reader = new NumberRowReader('payments', given, 'UTC');
  const faultsOf = (more: object) =>
    (reader.read({ id: '1', when: '2026-01-05', amount: '1', status: 'paid', cur: 'EUR', ...more }) as Fault[]).map(
      ({ field, column, reason }) => [field, column, reason],
    );
  for (const amount of ['10,000', 'R$ 5', '1.234,50 €'])
    expect(faultsOf({ amount })).toEqual([
      ['amount', 'amount', `isn’t an amount: "${amount}". Choose “A number as text”`],
    ]);
  expect(faultsOf({ when: '1517065554' })[0]?.[2]).toBe(
    'isn’t a date: "1517065554". If it counts from 1970, choose “A date” and the format epoch',
  );
  expect(faultsOf({ when: '03/14/2025 09:15 AM CST' })[0]?.[2]).toBe(
    'isn’t a date: "03/14/2025 09:15 AM CST". CST can be US Central, China or Cuba time. Choose the time zone, and write [CST] in the format',
  );
  expect(faultsOf({ amount: 'soon' })).toEqual([['amount', 'amount', 'isn’t an amount: "soon"']]);
  expect(faultsOf({ cur: 'R$' })).toEqual([
    ['currency', 'cur', 'isn’t a currency: "R$". Replace it with a code like BRL'],
  ]);
  expect(faultsOf({ cur: 'Dollar' })).toEqual([
    ['currency', 'cur', 'isn’t a currency: "DOLLAR". Replace it with a code like USD'],
  ]);
  expect(faultsOf({ id: '' })).toEqual([['order_ref', 'id', 'is blank, but Order is required']]);
});

test('a sign that a person types for all rows is its currency, unless several countries have one', () => {
  const read = (currency: string) => {
    const given = { dataset: 'payments', source: 'till', currency, fields };
    const reader = new NumberRowReader('payments', numbersMappings.payments.parse(given), 'UTC');
    return reader.read({ id: '1', when: '2026-01-05', amount: '1', status: 'paid' });
  };
  expect(read('£')).toMatchObject({ values: { currency: 'GBP' } });
  expect(read('us$')).toMatchObject({ values: { currency: 'USD' } });
  expect(read('$')).toMatchObject([{ reason: 'isn’t a currency: "$". Replace it with a code like USD' }]);
});

test.each([
  ['EUR', ['eur', 'Euro', 'EURO', ' euros ', 'євро']],
  ['USD', ['US Dollar', 'US-Dollar', 'dólar estadounidense']],
  ['UAH', ['hryvnia', 'Ukrainian Hryvnia', 'грн']],
  ['GBP', ['British Pound', 'livre sterling']],
  ['TOKEN', ['token']],
  ['GOLD', ['Gold']],
])('%s is also written %j', (code, texts) => {
  const given = { dataset: 'payments', source: 'till', fields: { ...fields, currency: 'cur' } };
  const reader = new NumberRowReader('payments', numbersMappings.payments.parse(given), 'UTC');
  for (const cur of texts)
    expect(reader.read({ id: '1', when: '2026-01-05', amount: '1', status: 'paid', cur })).toMatchObject({
      values: { currency: code },
    });
});

test.each([
  ['US', ['US', 'usa', 'U.S.', 'United States of America', ' Vereinigte Staaten ']],
  [
    'GB',
    ['GB', 'UK', 'GBR', 'U.K.', 'Great Britain', 'united kingdom', 'Royaume-Uni', 'Großbritannien', 'Gran Bretana'],
  ],
  ['CI', ['Côte d’Ivoire', "Cote d'Ivoire", 'Ivory Coast']],
  ['NO', ['NO', 'no', 'Norway']],
  ['No.', ['No.']],
  ['N.A.', ['N.A.']],
  ['Atlantis', ['Atlantis']],
  ['Congo', ['Congo']],
])('the country %s is also written %j', (code, texts) => {
  const given = { dataset: 'payments', source: 'till', currency: 'EUR', fields: { ...fields, country: 'land' } };
  const reader = new NumberRowReader('payments', numbersMappings.payments.parse(given), 'UTC');
  for (const land of texts)
    expect(reader.read({ id: '1', when: '2026-01-05', amount: '1', status: 'paid', land })).toMatchObject({
      values: { country: code },
    });
});

test('what a person typed for all rows, and a replacement without a choice, say what to write or choose', () => {
  const faultsOf = (more: object, row: object = {}) => {
    const given = { dataset: 'payments', source: 'till', currency: 'EUR', fields: { ...fields, ...more } };
    const reader = new NumberRowReader('payments', numbersMappings.payments.parse(given), 'UTC');
    const read = reader.read({ id: '1', when: '2026-01-05', amount: '1', status: 'paid', ...row });
    return (read as Fault[]).map(({ reason }) => reason);
  };
  const typed = (field: string, constant: string) => faultsOf({ [field]: { constant } });
  expect(typed('attempted_at', '30/06/2014')).toEqual(['isn’t a date: "30/06/2014". Write it as 2014-06-30']);
  expect(typed('attempted_at', '5/6/2014')).toEqual(['isn’t a date: "5/6/2014". Write it like 2026-01-31']);
  expect(typed('amount', '1.234,50')).toEqual(['isn’t an amount: "1.234,50". Write it as 1234.50']);
  const status = { value: 'status', map: { paid: '', '': 'pending' } };
  expect(faultsOf({ status })).toEqual(['has the value "paid". Choose its Status']);
  expect(faultsOf({ status: { ...status, map: {} } }, { status: '' })).toEqual(['is blank']);
});

test('an import that paused until a later one from its source began writes nothing more', async () => {
  const newRun = async (): Promise<string> =>
    (
      await fresh.database.pool.query(
        `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, state, started_at, seen_at, size)
         values ('payments', 'till', 'm', 'f', false, 'running', now(), now(), 0) returning id::text`,
      )
    ).rows[0].id;
  const [paused, later] = [await newRun(), await newRun()];
  expect(await importing([row(1)], { runId: paused })).toMatchObject({ inserted: 1 });
  expect(await importing([row(1)], { runId: later })).toMatchObject({ unchanged: 1 });
  const stored = await totals();
  await expect(importing([row(2)], { runId: paused })).rejects.toThrow('A later import of the same source');
  expect(await totals()).toEqual(stored);
});

test('a wrong value of an optional field refuses its row, or is left out with a warning; required ones always do', async () => {
  const given = { ...mapping, currency: 'EUR', fields: { ...fields, fee: 'brand' } };
  const lines = [row(1, { brand: '0.5' }), row(2, { brand: 'some' }), row(3, { brand: 'x', amount: 'y' })];
  const outcome = async (more: object) => {
    const report = await FaultReport.open(undefined);
    const { inserted, refused } = await importing(lines, {
      report,
      mapping: numbersMappings.payments.parse({ ...given, ...more }),
    });
    return [inserted, refused, ...report.groups.map(({ kind, column, reason }) => `${kind} ${column} ${reason}`)];
  };
  expect(await outcome({})).toEqual([1, 2, 'refused brand isn’t an amount: …', 'refused amount isn’t an amount: "y"']);
  const warning = 'warning brand isn’t an amount: "some". The cell was left blank';
  expect(await outcome({ emptyIfWrong: ['fee'] })).toEqual([1, 1, warning, 'refused amount isn’t an amount: "y"']);
  const { rows } = await fresh.database.pool.query('select fee from payments where external_id = $1', ['2']);
  expect(rows).toEqual([{ fee: null }]);
  for (const name of ['amount', 'external_id', 'nothing', 'constructor'])
    expect(numbersMappings.payments.safeParse({ ...given, emptyIfWrong: [name] }).success).toBe(false);
});

test('all unknown values of a column are named, each once', async () => {
  const report = await FaultReport.open(undefined);
  const states = ['due', 'expired', 'due', 'void'];
  await importing(
    states.map((status, index) => row(index, { status })),
    { report, isDryRun: true },
  );
  expect(report.groups).toMatchObject([
    { column: 'status', count: 4, value: 'due', values: ['due', 'expired', 'void'] },
  ]);
  const many = await FaultReport.open(undefined);
  const lines = Array.from({ length: 30 }, (_, index) => row(index, { status: `s${index}`, when: '' }));
  await importing(lines, { report: many, isDryRun: true });
  expect(many.groups.map(({ column, values }) => [column, values.length])).toEqual([
    ['when', 0],
    ['status', 20],
  ]);
});

test('a flag may be a number with decimals, and replacing values leaves blank cells of optional fields empty', () => {
  const reading = (sla: unknown, cell: string) => {
    const rules = { external_id: 'id', opened_at: 'when', sla_met: sla };
    const given = numbersMappings.conversations.parse({ dataset: 'conversations', source: 'desk', fields: rules });
    return new NumberRowReader('conversations', given, 'UTC').read({ id: '1', when: '2026-01-05', sla: cell });
  };
  const replaced = { value: 'sla', map: { kept: 'yes', missed: 'no' } };
  expect(reading('sla', '1.0')).toMatchObject({ values: { sla_met: true } });
  expect(reading('sla', '0.00')).toMatchObject({ values: { sla_met: false } });
  expect(reading('sla', '1.5')).toMatchObject([{ reason: 'is neither true nor false: "1.5"' }]);
  expect(reading(replaced, 'kept')).toMatchObject({ values: { sla_met: true } });
  const blank = reading(replaced, '');
  expect(blank).toMatchObject({ externalId: '1' });
  expect(blank).not.toHaveProperty('values.sla_met');
  expect(reading(replaced, 'late')).toMatchObject([{ reason: 'has the value "late", which isn’t in the mapping' }]);
});

test('an id of several columns that is too long is the id’s fault, not its first column’s', () => {
  const rules = { external_id: { join: ['when', 'note'], with: ' ' }, opened_at: 'when', category: 'note' };
  const given = numbersMappings.conversations.parse({ dataset: 'conversations', source: 'desk', fields: rules });
  const reader = new NumberRowReader('conversations', given, 'UTC');
  expect(reader.read({ when: '2026-01-05', note: 'x'.repeat(300) })).toMatchObject([
    { column: 'ID in the source', reason: 'is longer than 300 characters. Choose fewer columns' },
  ]);
  expect(reader.read({ when: '2026-01-05', note: 'x'.repeat(501) })).toMatchObject([
    { column: 'note', reason: 'is longer than 500 characters' },
    { column: 'ID in the source' },
  ]);
});

test('a currency sign that became a question mark is none of a number', () => {
  const given = {
    dataset: 'payments',
    source: 'till',
    currency: 'INR',
    fields: { ...fields, amount: { number: 'amount', decimal: '.' } },
  };
  const reader = new NumberRowReader('payments', numbersMappings.payments.parse(given), 'UTC');
  const read = (amount: string) => reader.read({ id: '1', when: '2026-01-05', amount, status: 'paid' });
  for (const amount of ['? 648', '?648', '\ufffd 648.00', '648 \ufffd', '\ufffd\ufffd\ufffd648'])
    expect(read(amount)).toMatchObject({ values: { amount: 6_480_000n } });
  for (const amount of ['6?48', '648?', '??648', '?', 'x?648'])
    expect(read(amount)).toMatchObject([{ field: 'amount' }]);
});
