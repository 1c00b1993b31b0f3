// What a mapping makes of a file's first rows, and what looks wrong about them, for a preview.
import { setImmediate } from 'node:timers/promises';
import { dayInZone } from '#core/base/day-words.ts';
import { type DatasetKey, datasetOf, fieldTitle } from '#core/numbers/datasets.ts';
import { importLimits } from '#core/numbers/imports.ts';
import { repeatedId } from '#server/platform/imports/correctable-rows.ts';
import { decimalText } from '#server/platform/imports/decimals.ts';
import { FaultReport } from '#server/platform/imports/fault-report.ts';
import type { Fault } from '#server/platform/imports/import-error.ts';
import type { FillRule, SourceRow } from '#server/platform/imports/source-row.ts';
import type { NumberRow, NumberValue } from '../number-row.ts';
import { type BlankLater, FileDoubts } from './file-doubts.ts';
import { LaterHeaders } from './header-doubts.ts';
import { NumberRowReader } from './number-row-reader.ts';
import { type NumbersMapping, noId } from './numbers-mapping.ts';
import { withShares } from './order-shares.ts';
import { doubtsOf, type ReadRow, rowDoubts } from './preview-doubts.ts';

/** A refused row has the values that could be read. */
export type MappedRow = {
  readonly line: number;
  readonly externalId?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly labels?: object;
  readonly faults?: readonly Fault[];
  readonly leftOut?: Fault;
};

/** Lets other requests run, and stops if nobody waits for the preview. */
export async function giveTurn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

const rowsATurn = 500;

/** What the mapping makes of the first rows, and why it makes nothing of others. */
export async function outcome(
  dataset: DatasetKey,
  mapping: NumbersMapping | null,
  zone: string,
  rows: readonly SourceRow[],
  isValid: boolean,
  signal: AbortSignal | undefined,
) {
  const report = await FaultReport.open(undefined);
  const mapped: MappedRow[] = [];
  if (!mapping) return { mapped, refused: 0, reasons: report.groups, doubts: [], fill: null, good: [] };
  const reader = new NumberRowReader(dataset, mapping, zone);
  const later = new LaterHeaders();
  const fileDoubts = new FileDoubts(dataset, mapping);
  const lines = new Map<string, { readonly line: number; readonly text: string }>();
  const readRows: ReadRow[] = [];
  const places: number[] = [];
  for (const [index, { line, text, row, fault = 'can’t be read', evaluated }] of rows.entries()) {
    if (index % rowsATurn === 0) await giveTurn(signal);
    const read = row ? later.check(line, row, reader.read(row, evaluated)) : [{ column: '', reason: fault }];
    if (row && !('leftOut' in read)) fileDoubts.take(line, row);
    if ('leftOut' in read) {
      report.leaveOut(line, read.leftOut, row!);
      mapped.push({ line, leftOut: read.leftOut });
    } else if ('externalId' in read) {
      const earlier = lines.get(read.externalId);
      lines.set(read.externalId, earlier ?? { line, text });
      // An invalid mapping may have no id yet.
      if (earlier !== undefined && isValid)
        await report.add(line, text, [repeatedIdOf(dataset, read, earlier, text)], row);
      for (const warning of reader.warnings) report.warn(line, warning, row!);
      readRows.push({ row: row!, text, read });
      places.push(mapped.push(shownRow(mapping, zone, line, read)) - 1);
    } else {
      await report.add(line, text, read, row);
      if (row) mapped.push({ ...shownRow(mapping, zone, line, reader.readable), faults: read });
    }
  }
  const good = withShares(mapping, readRows);
  for (const [index, place] of places.entries())
    mapped[place] = shownRow(mapping, zone, mapped[place]!.line, good[index]!);
  const { blankLater } = fileDoubts;
  for (const doubt of [...blankLater, ...fileDoubts.others]) report.warnOf(doubt);
  return {
    mapped: mapped.slice(0, importLimits.previewRows),
    refused: report.rows,
    reasons: report.groups.slice(0, importLimits.reasons),
    fill: fillFor(blankLater),
    good,
    doubts: [
      ...doubtsOf(
        dataset,
        mapping,
        readRows.map(({ read }) => read),
      ),
      ...rowDoubts(mapping, readRows, zone),
      ...fileDoubts.ofPreview,
    ],
  };
}

const repeatedIdOf = (
  dataset: DatasetKey,
  { externalId }: NumberRow,
  earlier: { readonly line: number; readonly text: string },
  text: string,
): Fault => repeatedId(fieldTitle(dataset, 'external_id'), externalId, earlier.line, earlier.text === text);

const fillFor = (doubts: readonly BlankLater[]): FillRule | null =>
  doubts[0] ? { by: doubts[0].by, columns: doubts.map(({ column }) => column) } : null;

function shownRow({ dataset, fields }: NumbersMapping, zone: string, line: number, row: NumberRow): MappedRow {
  const hasId = fields.external_id !== noId && row.externalId !== '';
  const values = shownValues(dataset, row, zone);
  return { line, ...(hasId && { externalId: row.externalId }), values, labels: row.labels };
}

/** Money as exact decimals, and instants without a time as days. */
function shownValues(dataset: DatasetKey, row: NumberRow, zone: string): Record<string, unknown> {
  const { fields, datedBy } = datasetOf(dataset);
  const shown = (name: string, value: NumberValue): unknown => {
    if (name === datedBy && row.isDayOnly) return dayInZone(String(value), zone);
    if (fields[name]?.type === 'instant') return row.texts[name] ?? value;
    return fields[name]?.type === 'money' && typeof value === 'bigint'
      ? decimalText({ digits: value, scale: 4 })
      : value;
  };
  return Object.fromEntries(Object.entries(row.values).map(([name, value]) => [name, shown(name, value)]));
}
