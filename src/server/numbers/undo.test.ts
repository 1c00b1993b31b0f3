import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatasetKey, datasetKeys, datasetOf } from '#core/numbers/datasets.ts';
import { type FreshDatabase, freshDatabase } from '../../../test/database.ts';
import { randomRow } from '../../../test/number-fixtures.ts';
import { rounds } from '../../../test/sampling.ts';
import { applyBatch, laterRun, previewUndo, undoRun } from './batch.service.ts';
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

/** An import of rows from a source, also with rows of the nth one; or undoing the nth. */
type Step =
  | {
      readonly kind: 'import';
      readonly source: string;
      readonly rows: readonly NumberRow[];
      readonly again: number | null;
    }
  | { readonly kind: 'undo'; readonly of: number };

type Entry = { readonly source: string; readonly row: NumberRow };
type Run = { readonly before: Map<string, Entry | undefined>; readonly brought: Set<string> };

/** The expected database: the simplest implementation of an undo. */
class Reference {
  readonly rows = new Map<string, Entry>();
  /** Imports that aren't undone, in their order. */
  readonly #runs = new Map<string, Run>();

  import(run: string, source: string, rows: readonly NumberRow[]): void {
    const before = new Map<string, Entry | undefined>();
    const brought = new Set<string>();
    for (const row of rows) {
      const key = `${source} ${row.externalId}`;
      brought.add(key);
      const stored = this.rows.get(key);
      if (stored && textOf(stored.row) === textOf(row)) continue;
      before.set(key, stored);
      this.rows.set(key, { source, row });
    }
    this.#runs.set(run, { before, brought });
  }

  /** The latest run that also brought rows which this one changed; undoes it if there is none. */
  undo(run: string): string | null {
    const { before } = this.#runs.get(run) ?? { before: new Map<string, Entry | undefined>() };
    const order = [...this.#runs.keys()];
    const later = order.slice(order.indexOf(run) + 1);
    const blocking = later.filter((other) => [...before.keys()].some((key) => this.#runs.get(other)!.brought.has(key)));
    if (blocking.length > 0) return blocking.at(-1)!;
    for (const [key, entry] of before)
      if (entry) this.rows.set(key, entry);
      else this.rows.delete(key);
    this.#runs.delete(run);
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
    `truncate ${[dataset, ...keptTables(dataset)].join()}; delete from import_runs; delete from number_states`,
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
    again: fc.option(fc.nat(), { freq: 3 }),
  });
  const undoing = fc.record({ kind: fc.constant('undo' as const), of: fc.nat() });
  return fc.array(fc.oneof(importing, undoing), { minLength: 4, maxLength: 10, size: 'max' });
};

test.each(datasetKeys)(
  '%s: after any imports and undos, rows and sums are what they would be without',
  async (dataset) => {
    await fc.assert(
      fc.asyncProperty(steps(dataset), async (history) => {
        await clear(dataset);
        const reference = new Reference();
        const runs: string[] = [];
        const files: NumberRow[][] = [];
        for (const step of history) {
          if (step.kind === 'import') {
            const run = await newRun(dataset);
            runs.push(run);
            const ids = step.rows.map(({ externalId }) => externalId);
            const rows = [
              ...step.rows,
              ...(step.again === null ? [] : (files[step.again % files.length] ?? [])).filter(
                ({ externalId }) => !ids.includes(externalId),
              ),
            ];
            files.push(rows);
            await apply(dataset, rows, step.source, run);
            reference.import(run, step.source, rows);
          } else if (runs.length > 0) {
            const run = runs[step.of % runs.length]!;
            const later = await laterRun(fresh.database.drizzle, run);
            expect(later).toBe(reference.undo(run));
            if (later !== null) continue;
            const { removed, restored } = await previewUndo(fresh.database.drizzle, dataset, run);
            const undone = fresh.database.transaction((queries) => undoRun(queries, dataset, run, zone, () => {}));
            expect(await undone).toEqual({ removed, restored });
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
