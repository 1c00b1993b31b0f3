// What the import command is asked for, and what it says on the terminal whatever is imported.
import type { Database } from '#server/platform/db/database.ts';
import { type FaultReport, faultLine } from '#server/platform/imports/fault-report.ts';
import { type Progress, rowsPerSecond } from '#server/platform/imports/progress.ts';

export type ImportJob = {
  readonly dataset: string;
  readonly file: string;
  readonly mapping: string;
  readonly isDryRun: boolean;
  readonly report: string | undefined;
  readonly source: string | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly approver: string | undefined;
};

export type Surroundings = { readonly database: Database; readonly zone: string; readonly now: Temporal.Instant };

/** An import whose files were opened and found right; gives the number of rows that did not fit. */
export type PreparedImport = (around: Surroundings & { readonly report: FaultReport }) => Promise<number>;

export const inWords = (value: number): string => value.toLocaleString('en');

/** Runs with the bar on the terminal; the lines that sum up come after it is gone. */
export async function withProgress<Result>(
  progress: Progress,
  run: () => Promise<Result>,
  summary: (result: Result, milliseconds: number) => readonly string[],
): Promise<Result> {
  const started = performance.now();
  try {
    const result = await run();
    progress.end();
    console.log(summary(result, performance.now() - started).join('\n'));
    return result;
  } finally {
    progress.end();
  }
}

export function speedLine(rows: number, milliseconds: number): string {
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  return `${inWords(rows)} rows in ${(milliseconds / 1000).toFixed(1)} s (${rowsPerSecond(rows, milliseconds)} rows/s, ${inWords(memory)} MB of memory at most)`;
}

export const dryRunLine = 'This was a dry run. Nothing was saved';

const mostShown = 20;

export function tellFaults({ first, faults, rows }: FaultReport, { report }: Pick<ImportJob, 'report'>): void {
  if (rows === 0) return;
  const shown = first.slice(0, mostShown).map(faultLine);
  const more = faults > shown.length ? [`and ${inWords(faults - shown.length)} more`] : [];
  const where =
    report === undefined
      ? 'with --report FILE all of them are written with their rows'
      : `all of them are in ${report}`;
  console.error([`${inWords(rows)} rows did not fit, ${where}:`, ...shown, ...more].join('\n'));
}
