import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { randomRow } from '../../../test/number-fixtures.ts';
import { rounds } from '../../../test/sampling.ts';
import { applyBatch, laterRun, undoRun } from './batch.service.ts';
import type { NumberRow } from './number-row.ts';
import { rebuildRollUps } from './roll-ups.store.ts';

const zone = 'Europe/Berlin';
/** All sequences together, over the six datasets. */
const histories = rounds(60, 1_000);

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(() => fresh.drop());

/** An import of rows from a source, or undoing the sequence's nth import. */
type Step =
  | { readonly kind: 'import'; readonly source: string; readonly rows: readonly NumberRow[] }
  | { readonly kind: 'undo'; readonly of: number };

type Entry = { readonly source: string; readonly row: NumberRow; readonly run: string };

/** The expected database: the simplest implementation of an undo. */
class Reference {
  readonly rows = new Map<string, Entry>();
  readonly #before = new Map<string, Map<string, Entry | undefined>>();

  import(run: string, source: string, rows: readonly NumberRow[]): void {
    const before = new Map<string, Entry | undefined>();
    for (const row of rows) {
      const key = `${source} ${row.externalId}`;
      const stored = this.rows.get(key);
      if (stored && textOf(stored.row) === textOf(row)) continue;
      before.set(key, stored);
      this.rows.set(key, { source, row, run });
    }
    this.#before.set(run, before);
  }

  /** The latest run that blocks this one; undoes it if there is none. */
  undo(run: string): string | null {
    const before = this.#before.get(run)!;
    const others = [...before.keys()].map((key) => this.rows.get(key)!.run).filter((other) => other !== run);
    if (others.length > 0) return others.reduce((a, b) => (BigInt(a) > BigInt(b) ? a : b));
    for (const [key, entry] of before)
      if (entry) this.rows.set(key, entry);
      else this.rows.delete(key);
    this.#before.set(run, new Map());
    return null;
  }
}

const textOf = ({ values, labels, texts }: NumberRow) =>
  JSON.stringify([values, labels, texts], (_key, value) => (typeof value === 'bigint' ? `${value}n` : value));

const keptTables = (dataset: DatasetKey): string[] => [
  ...datasetOf(dataset).rollUps.map(({ name }) => `${dataset}_${name}`),
  ...(dataset === 'orders' ? ['order_headers', 'order_headers_daily'] : []),
  ...(dataset === 'donations' ? ['first_gifts'] : []),
];

const contents = async (table: string, hidden = '') =>
  (await fresh.database.pool.query(`select (to_jsonb(t)${hidden})::text as row from ${table} t order by 1`)).rows.map(
    ({ row }) => row,
  );
const rowsOf = (dataset: DatasetKey) => contents(dataset, " - 'id' - 'run_id'");

async function clear(dataset: DatasetKey): Promise<void> {
  await fresh.database.pool.query(
    `truncate ${[dataset, ...keptTables(dataset)].join()}; delete from import_changes; delete from number_states`,
  );
}

async function newRun(dataset: DatasetKey): Promise<string> {
  const { rows } = await fresh.database.pool.query(
    `insert into import_runs (dataset, source, mapping, file_name, is_dry_run, state, started_at, seen_at, size)
     values ($1, 'shop', 'm', 'f', false, 'done', now(), now(), 0) returning id::text`,
    [dataset],
  );
  return rows[0].id;
}

const apply = (dataset: DatasetKey, rows: readonly NumberRow[], source: string, runId?: string) =>
  fresh.database.transaction((queries) =>
    applyBatch(queries, dataset, rows, { zone, source, ...(runId && { runId }) }),
  );

const steps = (dataset: DatasetKey): fc.Arbitrary<Step[]> => {
  const rows = fc.uniqueArray(randomRow(dataset, { ids: 6 }), {
    maxLength: 6,
    selector: ({ externalId }) => externalId,
  });
  const importing = fc.record({
    kind: fc.constant('import' as const),
    source: fc.constantFrom('shop', 'till'),
    rows,
  });
  const undoing = fc.record({ kind: fc.constant('undo' as const), of: fc.nat({ max: 5 }) });
  return fc.array(fc.oneof(importing, undoing), { minLength: 2, maxLength: 8 });
};

test.each(datasetKeys)(
  '%s: after any imports and undos, rows and sums are what they would be without',
  async (dataset) => {
    await fc.assert(
      fc.asyncProperty(steps(dataset), async (history) => {
        await clear(dataset);
        const reference = new Reference();
        const runs: string[] = [];
        for (const step of history) {
          if (step.kind === 'import') {
            const run = await newRun(dataset);
            runs.push(run);
            await apply(dataset, step.rows, step.source, run);
            reference.import(run, step.source, step.rows);
          } else if (step.of < runs.length) {
            const run = runs[step.of]!;
            const later = await laterRun(fresh.database.drizzle, dataset, run);
            expect(later).toBe(reference.undo(run));
            if (later === null)
              await fresh.database.transaction((queries) => undoRun(queries, dataset, run, zone, () => {}));
          }
        }
        const stored = await rowsOf(dataset);
        const kept = await Promise.all(keptTables(dataset).map((table) => contents(table)));
        await rebuildRollUps(fresh.url, dataset, zone);
        expect(await Promise.all(keptTables(dataset).map((table) => contents(table)))).toEqual(kept);
        await clear(dataset);
        for (const source of ['shop', 'till'])
          await apply(
            dataset,
            [...reference.rows.values()].filter((entry) => entry.source === source).map(({ row }) => row),
            source,
          );
        expect(stored).toEqual(await rowsOf(dataset));
      }),
      { numRuns: Math.ceil(histories / datasetKeys.length) },
    );
  },
);
