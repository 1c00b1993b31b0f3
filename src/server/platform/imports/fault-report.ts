// Reports refused rows and rows left out on purpose: the first refused ones and all reasons with their counts
// to the caller, all refused rows to a file that can be corrected and imported again.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { importLimits } from '#core/numbers/imports.ts';
import {
  correctableHead,
  correctableRow,
  type FileShape,
  type KeptIdentity,
  noIdentity,
  reasonColumn,
  reasonText,
  textIn,
} from './correctable-rows.ts';
import { type Fault, ImportError } from './import-error.ts';
import type { Row } from './mapping-rules.ts';

export type FaultOfLine = Fault & { readonly line: number };

/** A warning's rows were imported. Left-out ones were left out on purpose, and lines around the rows are none. */
export type ReasonKind = 'refused' | 'leftOut' | 'warning';

/** Rows with the same reason. The line and value are an example: the first one's. A line of 0 names none. */
export type ReasonGroup = {
  readonly kind: ReasonKind;
  readonly column: string;
  readonly reason: string;
  readonly count: number;
  readonly line: number;
  readonly value: string | null;
  /** The first different values that the reasons of refused rows quote, or that warnings are about. */
  readonly values: readonly string[];
  /** A word by which it is found again. */
  readonly mark?: string;
};

/** For callers: the mark finds reasons in the database. */
export const withoutMarks = (reasons: readonly ReasonGroup[]): Omit<ReasonGroup, 'mark'>[] =>
  reasons.map(({ mark: _, ...shown }) => shown);

type WarningOfRows = FaultOfLine & Pick<ReasonGroup, 'count' | 'value' | 'mark'> & Partial<Pick<ReasonGroup, 'values'>>;

/** Later reasons are counted together. */
const mostGroups = 1_000;
const longestValue = 80;
const mostValues = 20;

const ndjson: FileShape = { format: { kind: 'ndjson' }, columns: null };

/** The report of the last import may be written over, but nothing that a slip names. */
async function assertNoOtherFile(path: string): Promise<void> {
  // A pipe isn't written over, and reading from it would never end.
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) return;
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1_000)).finally(() => file.close());
  if (bytesRead > 0 && !buffer.toString().includes(reasonColumn))
    throw new ImportError(
      `${path} already exists and isn’t a report of refused rows. Choose another file for the report`,
    );
}

export class FaultReport {
  /** Shown to the caller. */
  readonly first: FaultOfLine[] = [];
  faults = 0;
  rows = 0;
  /** How many refused rows are in the file. */
  kept = 0;
  leftOut = 0;
  readonly #groups = new Map<string, ReasonGroup>();
  /** Path of the file with all refused rows; undefined if none is written. */
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
    await assertNoOtherFile(path);
    const file = createWriteStream(path, { mode: 0o600 });
    // A full disk must fail the next call, not the process.
    file.on('error', () => {});
    await once(file, 'open').catch((error: Error) => {
      throw new ImportError(`Can’t write the report ${path}: ${error.message}`);
    });
    file.write(correctableHead(shape));
    return new FaultReport(path, file, shape);
  }

  /** A refused row whose content must not be kept: its reasons without what they quote. It is in no file. */
  addWithoutContent(line: number, faults: readonly Fault[], why: string): void {
    this.rows += 1;
    this.faults += faults.length;
    for (const fault of faults) {
      const reason = `${fault.reason.replace(/"(?:[^"\\]|\\.)*"/g, '"…"')}. ${why}`;
      this.#refuse({ column: fault.column, reason, line }, null);
    }
  }

  #refuse({ line, column, reason }: FaultOfLine, value: string | null): void {
    this.#count({ kind: 'refused', column, reason, line, value });
    if (this.first.length < importLimits.faults) this.first.push({ line, column, reason });
  }

  /** A refused row, with the identity it keeps; `row` is null if it couldn't be read. */
  async add(
    line: number,
    text: string,
    faults: readonly Fault[],
    row: Row | null = null,
    identity: KeptIdentity = noIdentity,
  ): Promise<void> {
    this.rows += 1;
    this.kept += 1;
    this.faults += faults.length;
    for (const fault of faults)
      this.#refuse({ line, ...fault }, wholeOf(exampleOf(fault.column, text, row), fault.reason));
    if (!this.#file) return;
    const words = reasonText(line, faults.map(faultWords).join('; '), identity);
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

  /** Rows that look wrong only together. */
  warnOf({ line, column, reason, count, value, values = [], mark }: WarningOfRows): void {
    const example = exampleOf(column, '', { [column]: value });
    const found = { kind: 'warning', column, reason, line, value: example, ...(mark && { mark }) } as const;
    this.#count(found, count, values.filter(({ length }) => length <= longestValue).slice(0, mostValues));
  }

  /** A line that is no row: above the header, or a total. */
  skip(line: number, reason: string, text: string): void {
    this.#count({ kind: 'leftOut', column: '', reason, line, value: exampleOf('', text, null) });
  }

  /** Groups reasons that differ only in quoted values and numbers, which the group's reason leaves out. */
  #count(found: Omit<ReasonGroup, 'count' | 'values'>, count = 1, given: readonly string[] = []): void {
    const alike = `${found.kind} ${faultWords(found)}`.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\d+/g, '#');
    const isRoom = this.#groups.has(alike) || this.#groups.size < mostGroups;
    const key = isRoom ? alike : found.kind;
    const group = this.#groups.get(key);
    const named = isRoom ? found : { ...found, column: '', reason: 'other reasons' };
    const isQuoted = isRoom && found.kind === 'refused' && found.reason.includes('"');
    // One that was cut matches no row.
    const own = isQuoted && found.value !== null && found.value.length <= longestValue ? [found.value] : given;
    if (group === undefined) return void this.#groups.set(key, { ...named, count, values: own });
    const isNew = own.length > 0 && group.values.length < mostValues && !group.values.includes(own[0]!);
    const reason = group.reason === named.reason ? group.reason : withoutDifferences(group.reason, named.reason);
    const values = isNew ? [...group.values, ...own] : group.values;
    this.#groups.set(key, { ...group, reason, values, count: group.count + count });
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

/** A quoted value, a number, or what is left of them. */
const detail = /("(?:[^"\\]|\\.)*"|\d+|…)/;

/** The reason without the values and numbers that differ: they would seem to be about all rows. */
function withoutDifferences(one: string, other: string): string {
  const others = other.split(detail);
  return one
    .split(detail)
    .map((part, index) => (part === others[index] ? part : '…'))
    .join('');
}

/** What the row has in the column, or the row itself if it couldn't be read. */
function exampleOf(column: string, text: string, row: Row | null): string | null {
  const found = row ? row[column] : column === '' ? text : null;
  if (found === undefined || found === null || found === '') return null;
  const value = typeof found === 'object' ? JSON.stringify(found) : String(found);
  const short = value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
  return short.replaceAll('\0', '').toWellFormed();
}

/** The text that the reason quotes if it begins with the cell: it was joined from several. */
function wholeOf(cell: string | null, reason: string): string | null {
  const [written] = /"(?:[^"\\]|\\.)*"/.exec(reason) ?? [];
  const whole = written === undefined ? null : textIn(written);
  return cell !== null && whole?.startsWith(`${cell.trim()} `) ? whole : cell;
}

const faultWords = ({ column, reason }: Fault): string => [column, reason].filter(Boolean).join(' ');

export const faultLine = (fault: FaultOfLine): string => `line ${fault.line}: ${faultWords(fault)}`;
