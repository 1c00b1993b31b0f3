// Saved mappings by name, to reuse for exports of the same kind.
import { isDeepStrictEqual } from 'node:util';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { type DatasetKey, isDataset } from '#core/numbers/datasets.ts';
import { importLimits, mappingNameInput, savedMappingInput } from '#core/numbers/imports.ts';
import { assertRecentProof } from '#server/access/auth/recent-proof.ts';
import { recordAudit } from '#server/platform/audit/audit.service.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { checkMapping, parseJson } from '#server/platform/imports/read-mapping.ts';
import { mustImport, mustImportTo } from './import-access.ts';
import * as store from './import-mappings.store.ts';
import { type NumbersMapping, numbersMappings } from './numbers-mapping.ts';

const badMapping = (message: string) => new RefusalError(refuse('BAD_INPUT', message, { field: 'mapping' }));

/** The import's error messages are for people, wherever they are shown. */
export async function orRefused<Result>(work: () => Promise<Result> | Result, field = 'file'): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImportError) throw new RefusalError(refuse('BAD_INPUT', error.message, { field }));
    throw error;
  }
}

export async function saveImportMapping(context: RequestContext, args: object): Promise<store.SavedMapping> {
  const datasets = mustImport(context.viewer);
  const { name, mapping: text, replaces } = orThrow(readInput(savedMappingInput, args));
  const mapping = (await orRefused(() => parseJson(name, text), 'mapping')) as { dataset?: unknown } | null;
  const dataset = mapping?.dataset;
  if (!mapping || typeof dataset !== 'string' || !isDataset(dataset))
    throw badMapping(`The mapping ${name} has an unknown dataset`);
  mustImportTo(context.viewer, dataset);
  await orRefused(() => checkMapping(name, mapping, numbersMappings[dataset]), 'mapping');
  const saved = { name, dataset, mapping, savedAt: context.clock.now().toString() };
  await context.database.transaction(async (queries) => {
    await store.lockMappings(queries);
    const { all, visible } = await store.countOtherMappings(queries, name, datasets);
    if (all >= importLimits.mappings) {
      const advice = visible > 0 ? 'Use the name of one you no longer need' : 'Ask an admin to delete one';
      throw new RefusalError(
        refuse('BAD_INPUT', `There can be up to ${importLimits.mappings} mappings. ${advice}`, { field: 'name' }),
      );
    }
    const before = await store.savedMapping(queries, name, true);
    // Imports by its name would be refused.
    if (before && before.dataset !== dataset)
      throw new RefusalError(
        refuse('BAD_INPUT', `The mapping ${name} is for ${before.dataset}. Choose another name`, { field: 'name' }),
      );
    const changed = before && !isDeepStrictEqual(before.mapping, mapping) ? before : null;
    if (changed && replaces !== undefined && replaces !== JSON.stringify(changed.mapping))
      throw new RefusalError(refuse('CONFLICT', `The mapping ${name} has changed since you opened it`));
    // A stolen session must not decide how service tokens import, today or by a name they use later.
    if (changed || !before) await assertRecentProof(queries, context);
    await store.saveMapping(queries, saved, context.viewer.id);
    // In whole: nightly imports use it by its name, so a replaced one must be found again.
    await recordAudit(queries, context, {
      action: 'importMappingSaved',
      subjectType: 'importMapping',
      subjectId: name,
      ...(before && { before: { mapping: before.mapping } }),
      after: { mapping },
    });
  });
  return saved;
}

export async function deleteImportMapping(context: RequestContext, args: object): Promise<boolean> {
  const datasets = mustImport(context.viewer);
  const { name } = orThrow(readInput(mappingNameInput, args));
  return context.database.transaction(async (queries) => {
    await assertRecentProof(queries, context);
    const before = await store.deleteMapping(queries, name);
    if (!before || !datasets.includes(before.dataset)) throw new RefusalError(refuse('NOT_FOUND'));
    await recordAudit(queries, context, {
      action: 'importMappingDeleted',
      subjectType: 'importMapping',
      subjectId: name,
      before: { mapping: before.mapping },
    });
    return true;
  });
}

/** The mapping that came with the rows, or the saved one of this name. */
export async function mappingOf(
  services: Pick<Services, 'database'>,
  { dataset, mapping: name }: { readonly dataset: DatasetKey; readonly mapping: string },
  text: string,
): Promise<NumbersMapping> {
  if (text === '') return mappingByName(services, dataset, name);
  if (text.length > importLimits.mappingCharacters) throw badMapping('The mapping is too long');
  return orRefused(() => checkMapping(name, parseJson(name, text), numbersMappings[dataset]), 'mapping');
}

/** The saved mapping, which must be for this dataset. */
export async function mappingByName(
  { database }: Pick<Services, 'database'>,
  dataset: DatasetKey,
  name: string,
): Promise<NumbersMapping> {
  const saved = await store.savedMapping(database.drizzle, name);
  if (!saved) throw badMapping(`No saved mapping "${name}"`);
  if (saved.dataset !== dataset) throw badMapping(`The mapping ${name} is for ${saved.dataset}, not for ${dataset}`);
  return orRefused(() => checkMapping(name, saved.mapping, numbersMappings[dataset]), 'mapping');
}
