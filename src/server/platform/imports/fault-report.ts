// Reports bad rows: the first ones and a count by reason to the caller, all of them to a CSV file.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { csvLine, csvMark } from '#core/base/csv.ts';
import { importLimits } from '#core/numbers/imports.ts';
import { type Fault, ImportError } from './import-error.ts';

export type FaultOfLine = Fault & { readonly line: number };

type FaultGroup = { readonly words: string; readonly count: number; readonly firstLine: number };

/** Later reasons are counted together. */
const mostGroups = 1_000;

export class FaultReport {
  /** Shown to the caller. */
  readonly first: FaultOfLine[] = [];
  faults = 0;
  rows = 0;
  readonly #groups = new Map<string, { words: string; count: number; firstLine: number }>();
  readonly #file: WriteStream | null;

  private constructor(file: WriteStream | null) {
    this.#file = file;
  }

  static async open(path: string | undefined): Promise<FaultReport> {
    if (path === undefined) return new FaultReport(null);
    const file = createWriteStream(path);
    await once(file, 'open').catch((error: Error) => {
      throw new ImportError(`Can’t write the report ${path}: ${error.message}`);
    });
    file.write(csvMark + csvLine(['line', 'column', 'reason', 'row']));
    return new FaultReport(file);
  }

  async add(line: number, text: string, faults: readonly Fault[]): Promise<void> {
    this.rows += 1;
    this.faults += faults.length;
    for (const { column, reason } of faults) {
      this.#count(line, [column, reason].filter(Boolean).join(' '));
      if (this.first.length < importLimits.faults) this.first.push({ line, column, reason });
      const goesOn = this.#file?.write(csvLine([String(line), column, reason, text]));
      // The disk is slower than we are: wait, or a file full of errors piles up in memory.
      if (goesOn === false) await once(this.#file!, 'drain');
    }
  }

  /** Groups errors that differ only in quoted values and numbers. The first one names the group. */
  #count(line: number, words: string): void {
    const alike = words.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\d+/g, '#');
    const key = this.#groups.has(alike) || this.#groups.size < mostGroups ? alike : '';
    const group = this.#groups.get(key);
    if (group) group.count += 1;
    else this.#groups.set(key, { words: key === '' ? 'other reasons' : words, count: 1, firstLine: line });
  }

  /** By reason, most first. */
  get groups(): FaultGroup[] {
    return [...this.#groups.values()].toSorted((one, other) => other.count - one.count);
  }

  async close(): Promise<void> {
    if (!this.#file) return;
    this.#file.end();
    await finished(this.#file);
  }
}

export function faultLine({ line, column, reason }: FaultOfLine): string {
  return `line ${line}: ${[column, reason].filter(Boolean).join(' ')}`;
}
