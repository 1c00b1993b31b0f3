// What did not fit: the first ones for the terminal, all of them with their rows in a CSV file.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type Fault, ImportError } from './import-error.ts';

const shownOnTerminal = 20;

export class FaultReport {
  /** The first ones, as the terminal shows them. */
  readonly first: string[] = [];
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
      throw new ImportError(`The report ${path} cannot be written: ${error.message}`);
    });
    file.write('line,column,reason,row\n');
    return new FaultReport(file);
  }

  async add(line: number, text: string, faults: readonly Fault[]): Promise<void> {
    this.rows += 1;
    this.faults += faults.length;
    for (const { column, reason } of faults) {
      if (this.first.length < shownOnTerminal)
        this.first.push(`line ${line}: ${[column, reason].filter(Boolean).join(' ')}`);
      const goesOn = this.#file?.write(`${[String(line), column, reason, text].map(cell).join(',')}\n`);
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

/** Quoted where needed; what a spreadsheet would run as a formula becomes text. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
