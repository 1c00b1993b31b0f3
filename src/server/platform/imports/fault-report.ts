// Reports refused rows and rows left out on purpose: the first refused ones and all reasons with their counts
// to the caller, all refused rows to a file that can be corrected and imported again.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { importLimits } from '#core/numbers/imports.ts';
import { correctableHead, correctableRow, type FileShape, reasonText } from './correctable-rows.ts';
import { type Fault, ImportError } from './import-error.ts';
import type { Row } from './mapping-rules.ts';

export type FaultOfLine = Fault & { readonly line: number };

/** A warning's rows were imported. Left-out ones were left out on purpose, and lines around the rows are none. */
export type ReasonKind = 'refused' | 'leftOut' | 'warning';

/** Rows with the same reason. The line and value are an example: the first one's. */
export type ReasonGroup = {
  readonly kind: ReasonKind;
  readonly column: string;
  readonly reason: string;
  readonly count: number;
  readonly line: number;
  readonly value: string | null;
};

/** Later reasons are counted together. */
const mostGroups = 1_000;
const longestValue = 80;

const ndjson: FileShape = { format: { kind: 'ndjson' }, columns: null };

export class FaultReport {
  /** Shown to the caller. */
  readonly first: FaultOfLine[] = [];
  faults = 0;
  rows = 0;
  leftOut = 0;
  readonly #groups = new Map<string, ReasonGroup>();
  /** Of the file with all refused rows; undefined if none is written. */
  readonly path: string | undefined;
  readonly #file: WriteStream | null;
  readonly #shape: FileShape;

  private constructor(path: string | undefined, file: WriteStream | null, shape: FileShape) {
    this.path = path;
    this.#file = file;
    this.#shape = shape;
  }

  /** `shape`: of the imported file. Without a path, no file is written. */
  static async open(path: string | undefined, shape = ndjson): Promise<FaultReport> {
    if (path === undefined) return new FaultReport(path, null, shape);
    const file = createWriteStream(path);
    // A full disk must fail the next call, not the process.
    file.on('error', () => {});
    await once(file, 'open').catch((error: Error) => {
      throw new ImportError(`Can’t write the report ${path}: ${error.message}`);
    });
    file.write(correctableHead(shape));
    return new FaultReport(path, file, shape);
  }

  /** A refused row, with its occurrence numbers; `row` is null if it couldn't be read. */
  async add(
    line: number,
    text: string,
    faults: readonly Fault[],
    row: Row | null = null,
    numbers: readonly number[] = [],
  ): Promise<void> {
    this.rows += 1;
    this.faults += faults.length;
    for (const { column, reason } of faults) {
      this.#count({ kind: 'refused', column, reason, line, value: exampleOf(column, text, row) });
      if (this.first.length < importLimits.faults) this.first.push({ line, column, reason });
    }
    if (!this.#file) return;
    const words = reasonText(line, faults.map(faultWords).join('; '), numbers);
    if (this.#file.errored) throw this.#file.errored;
    // The disk is slower than we are: wait, or a file full of errors piles up in memory.
    if (!this.#file.write(correctableRow(this.#shape.format, text, words))) await once(this.#file, 'drain');
  }

  /** A row that the mapping leaves out. It is in no file, because nothing about it is wrong. */
  leaveOut(line: number, { column, reason }: Fault, row: Row): void {
    this.leftOut += 1;
    this.#count({ kind: 'leftOut', column, reason, line, value: exampleOf(column, '', row) });
  }

  /** A row that is imported although something about it looks wrong. */
  warn(line: number, { column, reason }: Fault, row: Row): void {
    this.#count({ kind: 'warning', column, reason, line, value: exampleOf(column, '', row) });
  }

  /** A line that is no row: above the header, or a total. */
  skip(line: number, reason: string, text: string): void {
    this.#count({ kind: 'leftOut', column: '', reason, line, value: exampleOf('', text, null) });
  }

  /** Groups reasons that differ only in quoted values and numbers. The first one names the group. */
  #count(found: Omit<ReasonGroup, 'count'>): void {
    const alike = `${found.kind} ${faultWords(found)}`.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\d+/g, '#');
    const isRoom = this.#groups.has(alike) || this.#groups.size < mostGroups;
    const key = isRoom ? alike : found.kind;
    const group = this.#groups.get(key);
    const named = isRoom ? found : { ...found, column: '', reason: 'other reasons' };
    this.#groups.set(key, group ? { ...group, count: group.count + 1 } : { ...named, count: 1 });
  }

  /** By reason, most first. */
  get groups(): ReasonGroup[] {
    return [...this.#groups.values()].toSorted((one, other) => other.count - one.count);
  }

  async close(): Promise<void> {
    if (!this.#file) return;
    this.#file.end();
    await finished(this.#file);
  }
}

/** What the row has in the column, or the row itself if it couldn't be read. */
function exampleOf(column: string, text: string, row: Row | null): string | null {
  const found = row ? row[column] : column === '' ? text : null;
  if (found === undefined || found === null || found === '') return null;
  const value = typeof found === 'object' ? JSON.stringify(found) : String(found);
  const short = value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
  return short.replaceAll('\0', '').toWellFormed();
}

const faultWords = ({ column, reason }: Fault): string => [column, reason].filter(Boolean).join(' ');

export const faultLine = (fault: FaultOfLine): string => `line ${fault.line}: ${faultWords(fault)}`;
