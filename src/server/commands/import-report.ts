// The import command's options and its terminal output, whatever is imported.
import { countWords, plural } from '#core/base/formats.ts';
import { isDataset } from '#core/numbers/datasets.ts';
import type { Clock } from '#server/platform/db/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { FileShape } from '#server/platform/imports/correctable-rows.ts';
import type { FaultReport, ReasonKind } from '#server/platform/imports/fault-report.ts';
import { type Progress, rowsPerSecond } from '#server/platform/imports/progress.ts';

export type ImportJob = {
  readonly dataset: string;
  readonly file: string;
  readonly mapping: string;
  readonly isDryRun: boolean;
  /** Imports the file although its rows came with another source or other ids. */
  readonly isAgain: boolean;
  readonly report: string | undefined;
  readonly source: string | undefined;
  readonly sheet: string | undefined;
  readonly encoding: string | undefined;
  readonly delimiter: string | undefined;
  readonly approver: string | undefined;
};

export type Surroundings = {
  readonly database: Database;
  readonly clock: Clock;
  readonly zone: string;
  readonly now: Temporal.Instant;
};

/** An import whose files were opened and checked; returns the number of rejected rows. */
export type PreparedImport = {
  /** The file's shape, for its report. */
  readonly shape: FileShape;
  readonly run: (around: Surroundings & { readonly report: FaultReport }) => Promise<number>;
};

/** Runs with a progress bar; the summary follows when it is gone. */
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
  return `${plural(rows, 'row')} in ${(milliseconds / 1000).toFixed(1)} s (${rowsPerSecond(rows, milliseconds)} rows/s, ${countWords(memory)} MB of memory at most)`;
}

export const dryRunLine = 'This was a dry run. Nothing was saved';

const mostShown = 20;

type Group = {
  readonly words: string;
  readonly count: number;
  readonly firstLine: number;
  readonly value?: string | null;
};

/** "6,392 × amount is blank, first on line 12", with the most frequent first. Line 0 is none. */
export function groupLines(groups: readonly Group[]): string[] {
  const shown = groups.slice(0, mostShown).map(({ words, count, firstLine, value = null }) => {
    const example = value === null || words.includes(JSON.stringify(value)) ? '' : `: ${JSON.stringify(value)}`;
    const where = firstLine > 0 ? `, first on line ${countWords(firstLine)}` : '';
    return `  ${countWords(count)} × ${words}${where}${example}`;
  });
  return groups.length > mostShown ? [...shown, `  and ${plural(groups.length - mostShown, 'more reason')}`] : shown;
}

const headings: Readonly<Record<Exclude<ReasonKind, 'refused'>, string>> = {
  leftOut: 'Left out:',
  warning: 'Imported, but check these rows:',
};

export function printFaults(
  { groups, rows }: FaultReport,
  { report, dataset }: Pick<ImportJob, 'report' | 'dataset'>,
): void {
  const print = (kind: ReasonKind, heading: string) => {
    const found = groups.filter((group) => group.kind === kind);
    const named = found.map(({ column, reason, count, line, value }) => {
      const words = [column, reason].filter(Boolean).join(' ');
      return { words, count, firstLine: line, value };
    });
    if (found.length > 0) console.error([heading, ...groupLines(named)].join('\n'));
  };
  for (const kind of ['leftOut', 'warning'] as const) print(kind, headings[kind]);
  const [them, are] = rows === 1 ? ['it', 'It is'] : ['them', 'They are'];
  // Imports of tasks are in no list.
  const offer = isDataset(dataset)
    ? `Download ${them} from the list of imports`
    : `--report FILE keeps ${them} in a file`;
  const where = report === undefined ? offer : `${are} in ${report}`;
  print('refused', `${plural(rows, 'row was', 'rows were')} refused. ${where}. Reasons:`);
}
