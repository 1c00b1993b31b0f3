// What did not fit: the first ones for whoever waits, all of them with their rows in a CSV file.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { csvLine, csvMark } from '#core/base/csv.ts';
import { importLimits } from '#core/numbers/imports.ts';
import { type Fault, ImportError } from './import-error.ts';

export type FaultOfLine = Fault & { readonly line: number };

export class FaultReport {
  /** The first ones. */
  readonly first: FaultOfLine[] = [];
  faults = 0;
  rows = 0;
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
      if (this.first.length < importLimits.faults) this.first.push({ line, column, reason });
      const goesOn = this.#file?.write(csvLine([String(line), column, reason, text]));
      // The disk is slower than we are: wait, so that a file full of faults does not pile up in memory.
      if (goesOn === false) await once(this.#file!, 'drain');
    }
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
