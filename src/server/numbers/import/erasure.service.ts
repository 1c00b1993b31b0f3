// Erases a customer or donor by their reference: from rows, from what undo keeps and from refused rows. Later
// imports recognize the reference by a keyed hash, and bring its rows without it.
import { plural } from '#core/base/formats.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { importLimits, personWord, referenceInput } from '#core/numbers/imports.ts';
import type { RequestContext } from '#server/platform/context.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { countPerson, erasePerson, lockDataset, type RowsOfPerson } from '../batch.service.ts';
import type { Reference } from '../erased-person.ts';
import { forgetRefused, insertErased, readHash } from './erasures.store.ts';
import type { ImportRun } from './import-runs.store.ts';
import { beginRemovalRun, type RemovalJob, type Remover, startRemovalRun } from './removal-runs.service.ts';

const readReference = (args: object): Reference => orThrow(readInput(referenceInput, args));

/** The rows that erasing the reference would change, by source. */
export async function referenceRows(
  { database }: { readonly database: Database },
  args: object,
): Promise<RowsOfPerson[]> {
  return personRows(database.drizzle, readReference(args));
}

async function personRows(queries: Queries, person: Reference): Promise<RowsOfPerson[]> {
  const found = await countPerson(queries, person, importLimits.personRows);
  if (totalOf(found) <= importLimits.personRows) return found;
  const most = plural(importLimits.personRows, 'row');
  throw new RefusalError(
    refuse('CONFLICT', `More than ${most} have this reference, so it isn’t one ${personWord(person.dataset)}’s`),
  );
}

const totalOf = (found: readonly RowsOfPerson[]) => found.reduce((sum, { rows }) => sum + rows, 0);

/** Starts erasing the reference, unless that is running; the run tells how it goes. */
export async function eraseReference(context: RequestContext, args: object): Promise<ImportRun> {
  const person = readReference(args);
  return startRemovalRun(context, await erasureJob(context, context.config.companyTimeZone, person));
}

export async function beginErasure(remover: Remover, args: object) {
  return beginRemovalRun(remover, await erasureJob(remover, remover.zone, readReference(args)));
}

/** The audit log has the hash, not the reference. */
async function erasureJob(
  { database }: Pick<Remover, 'database'>,
  zone: string,
  person: Reference,
): Promise<RemovalJob> {
  const { dataset } = person;
  const hash = await readHash(database.drizzle, dataset);
  const hashed = hash(person.reference);
  await personRows(database.drizzle, person);
  return {
    ...{ way: 'erasure', dataset, source: '', hash: Buffer.from(hashed, 'hex') },
    carryOut: async (queries, beforeStep, signal) => {
      await lockDataset(queries, dataset, signal);
      const sources = (await personRows(queries, person)).map(({ source }) => source);
      const { rows, kept, marks } = await erasePerson(queries, { ...person, zone }, hash, beforeStep, signal);
      const reports = await forgetRefused(queries, dataset);
      // Another mapping can import the reference in lowercase.
      await insertErased(queries, dataset, [hashed, hash(person.reference.toLowerCase()), ...marks]);
      const after = { dataset, reference: hashed, sources, rows, earlierRows: kept, reports };
      return { rows, action: 'referenceErased', after };
    },
  };
}
