// Decides who can import rows of numbers, and an import's inputs. Used by the import's routes and fields, and
// by the wizard.
import * as z from 'zod/mini';
import { can, type Viewer } from '../access/access.ts';
import { callAccess, callRefusal } from '../access/call-access.ts';
import { guardOf } from '../access/routes.ts';
import { filled, filledLine, id, line, storable, text } from '../base/inputs.ts';
import { type Refusal, refuse } from '../base/refusals.ts';
import { canReadWholeDataset } from './dataset-access.ts';
import { type DatasetKey, datasetKeys, datasetOf, personDatasets } from './datasets.ts';

/**
 * The datasets whose imports the viewer works with. Imports change everyone's numbers, so they need the
 * tools' permission and user management. Totals, reports and undos show numbers, so they need all of them.
 */
export function importableDatasets(viewer: Viewer): DatasetKey[] {
  const tools = guardOf('/tools');
  const hasTools = tools.kind === 'permission' && can(viewer, tools.permission);
  if (!hasTools || callRefusal(viewer, callAccess.people) !== null) return [];
  return datasetKeys.filter((dataset) => canReadWholeDataset(viewer, dataset));
}

export const canImport = (viewer: Viewer): boolean => importableDatasets(viewer).length > 0;

type UndoableRun = {
  readonly state: string;
  readonly isDryRun: boolean;
  readonly inserted: number;
  readonly updated: number;
  readonly undoState: string | null;
  /** It changed rows or brought rows of earlier imports, and the record of that is still kept. */
  readonly hasChanges: boolean;
  /** Why the record isn't kept, or why an undo failed. */
  readonly undoReason?: string | null;
};

/**
 * Why an import can't be undone now, or null. Whether a later import brought its rows too is a question for
 * the database.
 */
export function undoRefusal(run: UndoableRun): Refusal | null {
  const { state, undoState, hasChanges, undoReason } = run;
  if (state === 'running') return refuse('STILL_USED', 'This import is still running. Stop it first');
  if (undoState === 'running') return refuse('STILL_RUNNING', 'This import is being undone');
  if (undoState === 'done') return refuse('TRANSITION_NOT_ALLOWED', 'This import was already undone');
  // An import that ran when its record was deleted has recorded only its later rows.
  if (undoState === null && undoReason) return refuse('TRANSITION_NOT_ALLOWED', undoReason);
  if (hasChanges) return null;
  const isForgotten = !run.isDryRun && run.inserted + run.updated > 0;
  return refuse(
    'TRANSITION_NOT_ALLOWED',
    isForgotten
      ? 'This import can no longer be undone. To revert it, remove its source and import the earlier files'
      : 'This import changed nothing that can be undone',
  );
}

/** A doubt that has these words is asked about before an import. */
export const otherDaysReason = 'belongs to rows of other days';

/** A count with these words is offered to be rounded. */
export const notWholeReason = 'isn’t a whole number';

/** A choice of the wizard. A reason that names it offers it. */
export const negativesChoice = 'Negative amounts are refunds';

/** The same for a field whose values differ only in capitals. */
export const lowercaseChoice = (title: string): string => `Import ${title} in lowercase`;

export const importLimits = {
  /** Bytes of a file: about ten million rows, without filling a disk at once. */
  file: 2 * 1024 ** 3,
  /** Bytes at the start of a file used for a preview. */
  sample: 64 * 1024,
  /** Bytes of a zip archive or workbook used for a preview: the start of each part. */
  zipSample: 1024 * 1024,
  /** Bytes of a Parquet file that is used whole for a preview. */
  wholeSample: 4 * 1024 * 1024,
  /** Bytes of a larger one: its end, which describes all of it, and the first pages of each column. */
  partsSample: 8 * 1024 * 1024,
  /** Those parts. */
  sampleParts: 10_000,
  /** Bytes of a workbook or Parquet file in an archive, which is read from memory. */
  zipInnerFile: 64 * 1024 * 1024,
  previewRows: 20,
  /** Faults in the answer; the report has all of them. */
  faults: 100,
  /** Reasons of refused and left-out rows in the answer, the most frequent ones. */
  reasons: 50,
  leaveOutRules: 20,
  mappingCharacters: 100_000,
  /** Rows of a source that are counted before their removal. */
  countedRows: 100_000,
  /** Rows of one customer or donor. More have a placeholder, such as `guest`. */
  personRows: 100_000,
  reference: 500,
  /** Imports on a page of their list. */
  runs: 20,
  search: 100,
  /** Saved mappings in the whole company. */
  mappings: 50,
} as const;

/** Why a file isn't imported; told before it is sent. */
export const tooLargeFile = 'is larger than 2 GB. Split it, or save it as Parquet or gzip';

const name = filledLine(100);
const dataset = z.enum(datasetKeys);
const mappingName = z
  .string()
  .check(z.regex(/^[a-z0-9][a-z0-9_-]{0,79}$/i, 'must be letters, digits, hyphens and _, up to 80'));

/** How long a service token is valid: no outside access lasts forever. */
export const defaultTokenDays = 365;
export const tokenDayChoices = [30, 90, 180, defaultTokenDays] as const;

export const serviceTokenInput = z.strictObject({
  name,
  days: z.optional(
    z
      .int()
      .check(z.minimum(1, 'must be 1 or more'), z.maximum(defaultTokenDays, `must be ${defaultTokenDays} or less`)),
  ),
  datasets: z
    .array(dataset)
    .check(z.minLength(1, 'must name at least one'), z.maxLength(datasetKeys.length, 'names one twice')),
});

const mappingText = z.string().check(z.maxLength(importLimits.mappingCharacters, 'is too long'), storable);

export const savedMappingInput = z.strictObject({
  name: mappingName,
  mapping: mappingText,
  /** What its editor saw: another one is not replaced. */
  replaces: z.optional(mappingText),
});

export const mappingNameInput = z.strictObject({ name: mappingName });

/** A page of the list of imports; `search` is in names of files and sources. */
export const importRunsInput = z.strictObject({
  after: z.optional(id),
  search: z.optional(text(importLimits.search).check(z.trim())),
});

export const retentionLimits = { least: 1, most: 240 } as const;

/** The first day that is kept: whole months before the current one. */
export const keptSince = (months: number, today: Temporal.PlainDate): Temporal.PlainDate =>
  today.with({ day: 1 }).subtract({ months });

/** Without months, all rows are kept. */
export const retentionInput = z.strictObject({
  dataset,
  months: z.optional(
    z
      .int('must be a whole number of months')
      .check(
        z.minimum(retentionLimits.least, `must be ${retentionLimits.least} or more`),
        z.maximum(retentionLimits.most, `must be ${retentionLimits.most} or less`),
      ),
  ),
});

/** A customer or donor to erase, by the exact reference in the source, with its hidden characters. */
export const referenceInput = z.strictObject({
  dataset: z.enum(personDatasets, `must be one of ${personDatasets.join(', ')}`),
  reference: filled(importLimits.reference),
});

/** What the dataset calls a person: `customer` or `donor`. */
export function personWord(dataset: DatasetKey): string {
  const { person, fields } = datasetOf(dataset);
  return person ? fields[person.field]!.title.toLowerCase() : '';
}

export const sourceRowsInput = z.strictObject({ dataset, source: filledLine(100) });

/** An import's parameters; `wait: "no"` answers before it finishes. */
export const importInput = z.strictObject({
  dataset,
  mapping: mappingName,
  dryRun: z.optional(z.enum(['1', 'true', '0', 'false'])),
  wait: z.optional(z.enum(['yes', 'no'])),
  /** `yes`: although its rows were imported with another source or other ids. */
  again: z.optional(z.enum(['yes', 'no'])),
  fileName: z.optional(line(255)),
  /** Bytes at the start of the body that are the mapping itself, which is then not read by its name. */
  mappingBytes: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'must be a number of bytes, up to 999,999'))),
});
