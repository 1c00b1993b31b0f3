// Small odd files, as systems and people export them, imported by the real engine. What each must give was
// written down without it: `test/corpus/<file>.expected.json`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { FaultReport, type ReasonGroup } from '#server/platform/imports/fault-report.ts';
import { type FreshDatabase, freshDatabase } from '../../../../test/database.ts';
import { importNumbers } from './numbers-import.service.ts';
import { numbersMappings } from './numbers-mapping.ts';
import { openNumbersFile } from './open-numbers-file.ts';

const folder = fileURLToPath(new URL('../../../../test/corpus', import.meta.url));
const ending = '.expected.json';

type Mapping = { readonly dataset?: DatasetKey; readonly fields?: object };
type Comparable = Readonly<Record<string, unknown>>;
type Expected = {
  readonly about: string;
  /** What differs from `payments`, for that dataset; the whole mapping for another one. */
  readonly mapping?: Mapping;
  /** The company's. */
  readonly zone?: string;
  readonly format?: { readonly encoding: string; readonly delimiter: string };
  /** Why the whole file is refused. */
  readonly failure?: string;
  /** Every filled column. Amounts are in the currency's unit. */
  readonly rows: readonly Comparable[];
  readonly counts?: { readonly rows: number; readonly refused: number; readonly leftOut: number };
  readonly refused?: readonly { readonly line: number; readonly column: string; readonly reason: string }[];
  readonly groups?: readonly Omit<ReasonGroup, 'value' | 'values'>[];
};

const payments = {
  external_id: 'id',
  order_ref: 'id',
  attempted_at: 'when',
  amount: 'amount',
  status: { constant: 'paid' },
  brand: 'name',
};

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());
beforeEach(() =>
  fresh.database.pool.query(
    `truncate ${datasetKeys.flatMap((key) => [key, ...datasetOf(key).rollUps.map(({ name }) => `${key}_${name}`)]).join(', ')}, number_states`,
  ),
);

const files = readdirSync(folder).filter((name) => !name.endsWith(ending));
const expectedOf = (name: string): Expected => JSON.parse(readFileSync(join(folder, name + ending), 'utf8'));

/** Null removes what `payments` has. */
function mappingOf({ dataset = 'payments', ...more }: Mapping = {}) {
  const fields = dataset === 'payments' ? { ...payments, ...more.fields } : more.fields;
  const filled = (one: object = {}) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null));
  const currency = datasetOf(dataset).currency && 'EUR';
  const given = filled({ dataset, source: 'corpus', currency, ...more, fields: filled(fields) });
  return { dataset, mapping: numbersMappings[dataset].parse(given) };
}

async function importing(name: string) {
  const { mapping: given, zone = 'UTC' } = expectedOf(name);
  const { dataset, mapping } = mappingOf(given);
  const { rows, above, encoding, format } = await openNumbersFile(join(folder, name), mapping, name);
  const report = await FaultReport.open(undefined);
  const job = { database: fresh.database, dataset, mapping, report, zone, rows, above, isDryRun: false };
  const counts = await importNumbers(job);
  return { dataset, counts, report, format: { encoding, ...format } };
}

/** The stored rows with their filled columns, comparable with those of the file of expectations. */
async function storedRows(dataset: DatasetKey): Promise<Comparable[]> {
  const { rows } = await fresh.database.pool.query(`select * from ${dataset}`);
  return rows.map((row) => comparable(dataset, row));
}

const isNothing = (value: unknown) => value === null || JSON.stringify(value) === '{}';

function comparable(dataset: DatasetKey, row: Comparable): Comparable {
  const { fields } = datasetOf(dataset);
  const filled = Object.entries(row).filter(
    ([key, value]) => !['id', 'source', 'run_id'].includes(key) && !isNothing(value),
  );
  return Object.fromEntries(
    filled.map(([key, value]) => [
      key,
      fields[key]?.type === 'instant' ? Temporal.Instant.from(String(value)).toString() : value,
    ]),
  );
}

/** An amount in ten-thousandths, by moving its point. */
function units(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return String(BigInt(whole + fraction.padEnd(4, '0')));
}

function wantedRow(dataset: DatasetKey, row: Comparable): Comparable {
  const { fields } = datasetOf(dataset);
  const stored = Object.entries(row).map(([key, value]) => [
    key,
    fields[key]?.type === 'money' ? units(String(value)) : value,
  ]);
  return comparable(dataset, Object.fromEntries(stored));
}

const byId = (rows: readonly Comparable[]) =>
  rows.toSorted((one, other) => (String(one.external_id) < String(other.external_id) ? -1 : 1));
const placeOf = ({ line, column, reason }: { line: number; column: string; reason: string }) =>
  `${String(line).padStart(6)} ${column} ${reason}`;
const byPlace = <One extends { line: number; column: string; reason: string }>(list: readonly One[]) =>
  list.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));

test('every file has its expectations, and there are enough of them', () => {
  const named = readdirSync(folder).filter((name) => name.endsWith(ending));
  expect(named.map((name) => name.slice(0, -ending.length))).toEqual(files);
  expect(files.length).toBeGreaterThanOrEqual(60);
});

const refused = files.filter((name) => expectedOf(name).failure !== undefined);
const imported = files.filter((name) => !refused.includes(name));

test.each(refused)('%s is refused in one line', async (name) => {
  const { failure, mapping } = expectedOf(name);
  const error = await importing(name).catch((reason: Error) => reason);
  expect(error).toMatchObject({ name: 'ImportError', message: expect.stringContaining(failure!) });
  expect(await storedRows(mappingOf(mapping).dataset)).toEqual([]);
});

test.each(imported)('%s gives its rows, refusals and groups, and nothing new the second time', async (name) => {
  const wanted = expectedOf(name);
  const { dataset, counts, report, format } = await importing(name);
  if (wanted.format) expect(format).toMatchObject(wanted.format);
  expect(byPlace(report.first)).toEqual(byPlace(wanted.refused!));
  expect(byPlace(report.groups.map(({ value: _, values: __, ...group }) => group))).toEqual(byPlace(wanted.groups!));
  expect(byId(await storedRows(dataset))).toEqual(byId(wanted.rows.map((row) => wantedRow(dataset, row))));
  expect(counts).toEqual({ ...wanted.counts, inserted: wanted.rows.length, updated: 0, unchanged: 0 });
  const again = await importing(name);
  expect(again.counts).toEqual({ ...wanted.counts, inserted: 0, updated: 0, unchanged: wanted.rows.length });
});
