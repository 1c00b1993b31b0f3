// How shares are written, and bonus statements as a file. Used by the page and the server's export.
import type { CsvCell } from '../base/csv.ts';
import { plural } from '../base/formats.ts';
import { percentWords } from '../base/percent.ts';
import { type BonusComponent, bonusComponents, type Share } from './bonus.ts';

/** "4 of 5, 80%". For rework, what the share is made of: "4 sign-offs, 1 send-back, 75%". */
export function shareWords(
  { key, part, whole }: Share & { readonly key: BonusComponent },
  tasks?: readonly { readonly sendBacks: number }[],
): string {
  if (whole === 0) return 'Nothing to measure';
  const counted = key === 'firstPass' ? reworkWords({ part, whole }, tasks) : `${part} of ${whole}`;
  return `${counted}, ${percentWords((part / whole) * 100)}`;
}

/** The share stays at 0 with more send-backs than sign-offs: then only the tasks say how many there were. */
function reworkWords({ part, whole }: Share, tasks?: readonly { readonly sendBacks: number }[]): string {
  const counted = part > 0 ? whole - part : tasks?.reduce((sum, { sendBacks }) => sum + sendBacks, 0);
  const sendBacks = counted === undefined ? `${whole} or more send-backs` : plural(counted, 'send-back');
  return `${plural(whole, 'sign-off')}, ${sendBacks}`;
}

export const statementHead = [
  ...['Name', 'Email', 'Sprint', 'Part', 'Counted', 'Out of', 'Held up', 'Amount', 'Currency', 'Plan version'],
  ...['Corrections', 'Result', 'Total'],
];

type RecordedStatement = {
  readonly amount: string;
  readonly currency: string;
  readonly planVersion: number;
  readonly corrections: number;
  readonly lines: readonly (Share & {
    readonly key: BonusComponent;
    readonly waived: boolean;
    readonly amount: string;
  })[];
};

/** A row for each part. Only the last has the total, because a spreadsheet sums the column. */
export function statementRows(
  { displayName, email }: { readonly displayName: string; readonly email: string | null },
  sprint: string,
  { lines, amount: total, currency, planVersion, corrections }: RecordedStatement,
): CsvCell[][] {
  return lines.map(({ key, part, whole, waived, amount }, index) => [
    ...[displayName, email, sprint, bonusComponents[key].title, part, whole, waived ? 'yes' : 'no'],
    ...[{ decimal: amount }, currency, planVersion, corrections, shareWords({ key, part, whole })],
    index === lines.length - 1 ? { decimal: total } : null,
  ]);
}
