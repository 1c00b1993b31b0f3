// Imports a dataset's rows from the command line.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { countWords } from '#core/base/formats.ts';
import { type DatasetKey, datasetOf } from '#core/numbers/datasets.ts';
import { importAsRun } from '#server/numbers/import/import-runs.service.ts';
import { mustBeNewRows } from '#server/numbers/import/new-rows.ts';
import type { NumbersImported } from '#server/numbers/import/numbers-import.service.ts';
import { idRuleOf, type NumbersMapping, numbersMappings, sourceName } from '#server/numbers/import/numbers-mapping.ts';
import { openNumbersFile } from '#server/numbers/import/open-numbers-file.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { startProgress } from '#server/platform/imports/progress.ts';
import { readMapping } from '#server/platform/imports/read-mapping.ts';
import { dryRunLine, type ImportJob, type PreparedImport, speedLine, withProgress } from './import-report.ts';

type Around = Parameters<PreparedImport['run']>[0];
type NumbersJob = ImportJob & { readonly dataset: DatasetKey };

export async function prepareNumbersImport(job: NumbersJob): Promise<PreparedImport> {
  if (job.approver !== undefined) throw new ImportError('--approver is for tasks only');
  const { dataset, isDryRun } = job;
  const mapping = withOptions(await readMapping(job.mapping, numbersMappings[dataset]), job);
  const source = await openNumbersFile(job.file, mapping);
  const hash = createHash('sha256');
  await pipeline(createReadStream(job.file), hash);
  const file = { dataset, source: mapping.source, hash: hash.digest(), idRule: idRuleOf(mapping) };
  const names = { fileName: basename(job.file), mappingFile: basename(job.mapping) };
  const run = async ({ database, clock, zone, report }: Around) => {
    const remedy = '. Use the same --source and rule for the ID, or --again to import it anyway';
    if (!isDryRun && !job.isAgain)
      await mustBeNewRows(
        { database, config: { companyTimeZone: zone } },
        { ...file, mapping: names.mappingFile },
        remedy,
        () => openNumbersFile(job.file, mapping),
      );
    const progress = startProgress(source, process.stderr);
    const { rows, above, size, bytesRead } = source;
    const onProgress = (counts: NumbersImported) => progress.update(counts.rows);
    const twiceRemedy = job.isAgain ? undefined : 'Use --again to import it anyway';
    const given = {
      dataset,
      mapping,
      isDryRun,
      zone,
      report,
      rows,
      above,
      size,
      bytesRead,
      hash: file.hash,
      twiceRemedy,
      onProgress,
    };
    const work = () => importAsRun({ database, clock }, { ...given, ...names });
    const { refused } = await withProgress(progress, work, (imported, time) => summary(imported, job, time));
    return refused;
  };
  return { shape: source, run };
}

/** Command line options override the mapping. */
function withOptions(mapping: NumbersMapping, job: NumbersJob): NumbersMapping {
  const source = sourceName.safeParse(job.source ?? mapping.source);
  if (!source.success) throw new ImportError(`--source ${source.error.issues[0]!.message}`);
  const delimiter = job.delimiter === '\\t' || job.delimiter === 'tab' ? '\t' : job.delimiter;
  if (delimiter !== undefined && delimiter.length !== 1)
    throw new ImportError('--delimiter must be one character, or tab');
  return {
    ...mapping,
    source: source.data,
    encoding: job.encoding ?? mapping.encoding,
    delimiter: delimiter ?? mapping.delimiter,
    sheet: job.sheet ?? mapping.sheet,
  };
}

function summary(imported: NumbersImported, { dataset, isDryRun }: NumbersJob, milliseconds: number): string[] {
  const { rows, inserted, updated, unchanged, refused, leftOut } = imported;
  const lines = [
    speedLine(rows, milliseconds),
    `${datasetOf(dataset).title.toLowerCase()}: ${countWords(inserted)} new, ${countWords(updated)} changed, ${countWords(unchanged)} unchanged, ${countWords(refused)} refused, ${countWords(leftOut)} left out`,
  ];
  return isDryRun ? [...lines, dryRunLine] : lines;
}
