// Removes all rows of a dataset's source. Imports of that source wait until it ends.

import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { type DatasetKey, datasetKeys } from '#core/numbers/datasets.ts';
import { importLimits, sourceRowsInput } from '#core/numbers/imports.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Database } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import {
  countSource,
  hasRows,
  readSources,
  removeRowsOfSource,
  type SourceRows,
  silentSince,
} from '../batch.service.ts';
import { importRun } from './import-runs.service.ts';
import * as store from './import-runs.store.ts';
import { beginRemovalRun, type RemovalJob, type Remover, startRemovalRun } from './removal-runs.service.ts';

export type ImportSource = { readonly dataset: DatasetKey; readonly source: string };

/** Every source that has rows. */
export async function importSources({ database }: Pick<RequestContext, 'database'>): Promise<ImportSource[]> {
  const found = await Promise.all(
    datasetKeys.map(async (dataset) =>
      (await readSources(database.drizzle, dataset)).map((source) => ({ dataset, source })),
    ),
  );
  return found.flat();
}

/** What removing the source would remove, counted as far as a page can wait. */
export function sourceRows({ database }: Pick<RequestContext, 'database'>, args: object): Promise<SourceRows> {
  const { dataset, source } = orThrow(readInput(sourceRowsInput, args));
  return countSource(database.drizzle, dataset, source, importLimits.countedRows);
}

/** Counts all rows of a source to be removed, which takes minutes if it has very many. */
export async function removableRows(
  { database }: Pick<RequestContext, 'database'>,
  { dataset, source }: ImportSource,
): Promise<number> {
  await mustHaveRows(database, { dataset, source });
  return (await countSource(database.drizzle, dataset, source)).rows;
}

async function mustHaveRows(database: Database, { dataset, source }: ImportSource): Promise<void> {
  if (await hasRows(database.drizzle, dataset, source)) return;
  throw new RefusalError(refuse('NOT_FOUND', `No rows in this dataset come from “${source}”`));
}

/** Starts removing the source's rows, unless that is running; the run tells how it goes. */
export async function removeImportSource(context: RequestContext, args: object): Promise<store.ImportRun> {
  const { dataset, source } = orThrow(readInput(sourceRowsInput, args));
  const { config, database, clock } = context;
  const job = removalJob(config.companyTimeZone, { dataset, source });
  // A removal that runs may have removed every row by now.
  const running = await store.readRunningRemoval(database.drizzle, job, silentSince(clock.now()));
  if (running !== null) return (await importRun(context, running))!;
  await mustHaveRows(database, { dataset, source });
  return startRemovalRun(context, job);
}

export function beginSourceRemoval(remover: Remover, source: ImportSource, stopping?: AbortController) {
  return beginRemovalRun(remover, removalJob(remover.zone, source), stopping);
}

const removalJob = (zone: string, { dataset, source }: ImportSource): RemovalJob => ({
  ...{ way: 'removal', dataset, source, hash: null },
  carryOut: async (queries, beforeStep, signal) => {
    const rows = await removeRowsOfSource(queries, { dataset, source, zone }, beforeStep, signal);
    return { rows, action: 'sourceRemoved', after: { dataset, source, rows } };
  },
});
