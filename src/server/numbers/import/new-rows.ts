// Refuses an import whose rows were already imported, but would not be recognized.
import { instantWithYear } from '#core/base/day-words.ts';
import { refuse } from '#core/base/refusals.ts';
import type { Services } from '#server/platform/context.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { reasonColumn } from '#server/platform/imports/correctable-rows.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import type { RowSource } from '#server/platform/imports/source-row.ts';
import * as store from './import-runs.store.ts';

/** Whether the file has only rows that an import refused: none of them was imported, whatever their ids are. */
async function hasRefusedRows(open: () => Promise<RowSource>): Promise<boolean> {
  const source = await open();
  try {
    for await (const { row } of source.rows) if (row) return Object.hasOwn(row, reasonColumn);
    return false;
  } catch (error) {
    // The import says what is wrong with the file.
    if (error instanceof ImportError) return false;
    throw error;
  } finally {
    await source.close();
  }
}

/** Under another source, or with other ids, every row would be new and every number twice as large. */
export async function mustBeNewRows(
  { database, config }: Pick<Services, 'database'> & { readonly config: { readonly companyTimeZone: string } },
  file: Pick<store.NewRun, 'dataset' | 'source' | 'hash' | 'idRule' | 'mapping'>,
  remedy: string,
  open: () => Promise<RowSource>,
): Promise<void> {
  const whenOf = ({ startedAt }: store.ImportRun) => instantWithYear(startedAt, config.companyTimeZone);
  const same = await store.readSameFile(database.drizzle, file);
  if (same) {
    const words = `This file was imported from source “${same.source}” on ${whenOf(same)}. Importing it from “${file.source}” would count its rows twice${remedy}`;
    throw new RefusalError(refuse('SAME_FILE', words));
  }
  const other = await store.readOtherIds(database.drizzle, file);
  if (!other || (await hasRefusedRows(open))) return;
  const words = `The ID is built from different columns than in the import of ${other.fileName} on ${whenOf(other)}. Rows of that import would count twice${remedy}`;
  throw new RefusalError(refuse('SAME_FILE', words));
}
