// Imports tasks from the command line.
import { countWords } from '#core/base/formats.ts';
import { taskStatuses, taskStatusKeys } from '#core/tasks/task-status.ts';
import { ImportError } from '#server/platform/imports/import-error.ts';
import { startProgress } from '#server/platform/imports/progress.ts';
import { readMapping } from '#server/platform/imports/read-mapping.ts';
import { openRows } from '#server/platform/imports/row-source.ts';
import { importTasks, type TasksImported } from '#server/tasks/import/tasks-import.service.ts';
import { columnsOfMapping, tasksMapping } from '#server/tasks/import/tasks-mapping.ts';
import {
  dryRunLine,
  groupLines,
  type ImportJob,
  type PreparedImport,
  speedLine,
  withProgress,
} from './import-report.ts';

type Around = Parameters<PreparedImport['run']>[0];

export async function prepareTasksImport(job: ImportJob): Promise<PreparedImport> {
  const { approver, isDryRun, encoding, source: given, delimiter, sheet } = job;
  if ([given, delimiter, sheet].some((option) => option !== undefined))
    throw new ImportError('--source, --delimiter and --sheet are for numbers only');
  const mapping = await readMapping(job.mapping, tasksMapping);
  const source = await openRows(job.file, { encoding, wanted: columnsOfMapping(mapping) });
  if (source.format.kind !== 'ndjson' || source.isParquet)
    throw new ImportError(`${job.file} isn’t JSON. It looks like a table`);
  const run = async (around: Around) => {
    const progress = startProgress(source, process.stderr);
    const { rows } = source;
    const work = () => importTasks({ ...around, mapping, approver, isDryRun, rows, onProgress: progress.update });
    const { refused } = await withProgress(progress, work, (imported, time) => summary(imported, job, time));
    return refused;
  };
  return { shape: source, run };
}

function summary(imported: TasksImported, { isDryRun }: ImportJob, milliseconds: number): string[] {
  const { rows, created, changed, unchanged, refused, people, sprints, notes, attachments, moves } = imported;
  const parts = { notes, attachments, moves, people, sprints };
  const made = Object.entries(parts).map(([name, value]) => `${countWords(value)} ${name}`);
  const lines = [
    speedLine(rows, milliseconds),
    `tasks: ${countWords(created)} new, ${countWords(changed)} changed, ${countWords(unchanged)} unchanged, ${countWords(refused)} refused`,
    `new with them: ${made.join(', ')}`,
    `by status: ${taskStatusKeys.map((status) => `${taskStatuses[status].title} ${countWords(imported.byStatus[status])}`).join(', ')}`,
  ];
  if (imported.leftOut.length > 0)
    lines.push('Left out:', ...groupLines(imported.leftOut.map((found) => ({ ...found, words: found.reason }))));
  if (imported.missingColumns.length > 0)
    lines.push(`No row has these columns of the mapping: ${imported.missingColumns.join(', ')}`);
  return isDryRun ? [...lines, dryRunLine] : lines;
}
