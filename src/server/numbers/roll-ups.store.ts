// Rebuilds a dataset's roll-ups from its rows: after a zone change, or after rows were loaded by other means.

import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { type RollUp, sumColumnsOf } from '#core/numbers/dataset.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { HostClient } from '#server/platform/db/host-client.ts';
import { lockDataset } from './batch.store.ts';
import {
  column,
  keyColumnsOf,
  keyOfRow,
  list,
  name,
  names,
  rollUpTableOf,
  rowsTableOf,
  sumsOfRows,
  zonedColumns,
  zonedValue,
} from './dataset-columns.ts';
import { rebuildFirstGifts } from './first-gifts.store.ts';
import { rebuildOrderHeaders } from './order-headers.store.ts';

/**
 * Computes the days of all rows in the zone in one transaction; readers see the old numbers until it ends.
 */
export async function rebuildRollUps(url: string, dataset: DatasetKey, zone: string): Promise<void> {
  // A separate connection: reading all rows takes longer than a request can.
  const client = new HostClient({ connectionString: url, application_name: 'staff-dashboard roll-ups' });
  await client.connect();
  try {
    const queries: Queries = drizzle(client);
    await queries.transaction((transaction) => rebuild(transaction, dataset, zone));
  } finally {
    await client.end();
  }
}

async function rebuild(queries: Queries, dataset: DatasetKey, zone: string): Promise<void> {
  await lockDataset(queries, dataset);
  await queries.execute(sql`
    insert into number_states (dataset, zone, as_of) values (${dataset}, ${zone}, now())
    on conflict (dataset) do update set zone = excluded.zone`);
  await redate(queries, dataset, zone);
  for (const rollUp of datasetOf(dataset).rollUps) {
    await queries.execute(sql`delete from ${rollUpTableOf(dataset, rollUp)}`);
    await queries.execute(rollUpOf(dataset, rollUp));
  }
  if (dataset === 'orders') await rebuildOrderHeaders(queries);
  if (dataset === 'donations') await rebuildFirstGifts(queries);
}

async function redate(queries: Queries, dataset: DatasetKey, zone: string): Promise<void> {
  const zoned = zonedColumns(datasetOf(dataset));
  if (zoned.length === 0) return;
  const values = zoned.map((part) => zonedValue(datasetOf(dataset), part, 't', zone));
  const stored = zoned.map((part) => column('t', part));
  await queries.execute(sql`
    update ${rowsTableOf(dataset)} t set ${list(zoned.map((part, index) => sql`${name(part)} = ${values[index]!}`))}
    where (${list(stored)}) is distinct from (${list(values)})`);
}

function rollUpOf(dataset: DatasetKey, rollUp: RollUp): SQL {
  const sums = sumsOfRows(dataset, rollUp, 't', sql`1`).map((sum) => sql`, ${sum}::bigint`);
  return sql`
    insert into ${rollUpTableOf(dataset, rollUp)} (${names([...keyColumnsOf(rollUp), 'row_count', ...sumColumnsOf(rollUp)])})
    select ${keyOfRow(rollUp)}, count(*)${sql.join(sums, sql``)} from ${rowsTableOf(dataset)} t group by ${keyOfRow(rollUp)}`;
}
