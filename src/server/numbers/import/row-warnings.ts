// What looks wrong about a row that is imported.
import { type DatasetKey, datasetKeys, datasetOf, fieldTitle } from '#core/numbers/datasets.ts';
import { countedSpans } from '#core/numbers/metric-value.ts';
import type { Fault } from '#server/platform/imports/import-error.ts';
import type { NumberRow, NumberValue } from '../number-row.ts';
import type { NumbersMapping } from './numbers-mapping.ts';
import type { OfOtherLines } from './order-refunds.ts';

type Values = Readonly<Record<string, NumberValue>>;

/** What sources call tickets that nobody has solved yet. */
const openStatuses = new Set(
  [
    ...['open', 'reopened', 'new', 'pending', 'in progress', 'hold', 'on hold', 'unresolved', 'active', 'assigned'],
    ...['unassigned', 'escalated', 'to do', 'backlog', 'snoozed'],
    ...['offen', 'neu', 'in bearbeitung', 'wartend', 'ouvert', 'nouveau', 'en cours', 'en attente'],
    ...['abierto', 'nuevo', 'en curso', 'en proceso', 'en progreso', 'pendiente'],
    ...['aberto', 'novo', 'em andamento', 'pendente', 'em aberto', 'nieuw', 'in behandeling', 'aperto', 'in corso'],
  ].map(plainStatus),
);

/** A status without case, spaces and signs. */
export function plainStatus(status: string): string {
  return status
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}]/gu, '');
}

/** `Waiting on customer`, `Awaiting vendor`. */
const isWaiting = (plain: string): boolean => plain.startsWith('waiting') || plain.startsWith('awaiting');

export function isOpenStatus(status: string): boolean {
  const plain = plainStatus(status);
  return openStatuses.has(plain) || isWaiting(plain);
}

const spansOf = new Map(datasetKeys.map((dataset) => [dataset, countedSpans(dataset)]));
const dayMs = 24 * 60 * 60 * 1000;

/** The field that a row gives of those that numbers read as one. */
function firstGiven(dataset: DatasetKey, name: string, values: Values): string {
  const fields = datasetOf(dataset).firstOf?.[name] ?? [name];
  return fields.find((field) => values[field]) ?? fields[0]!;
}

type TimedRow = Pick<NumberRow, 'values' | 'texts' | 'isDayOnly'>;

/**
 * Times that numbers leave out: without a time of day, or ending before they begin, which often are two dates
 * read in opposite orders.
 */
function endWarnings(dataset: DatasetKey, { values, texts, isDayOnly }: TimedRow): Fault[] {
  return spansOf.get(dataset)!.flatMap(({ from, to, title }) => {
    const ended = firstGiven(dataset, to, values);
    const [begin, end] = [values[from], values[ended]].map((value) =>
      value ? Temporal.Instant.from(String(value)).epochMilliseconds : null,
    );
    // A date without a time can be any time of that day.
    const last = end && end + (texts[ended] === undefined ? 0 : dayMs);
    if (!begin || !last) return [];
    const dayOnly = isDayOnly ? from : ended;
    if (last >= begin && (isDayOnly || texts[ended] !== undefined))
      return [{ column: fieldTitle(dataset, dayOnly), reason: `has no time of day, so ${title} leaves the row out` }];
    if (last >= begin) return [];
    const reason = `is before ${fieldTitle(dataset, from)}, so ${title} leaves the row out. Check the formats of both dates`;
    return [{ column: fieldTitle(dataset, ended), reason }];
  });
}

export const rowWarnings = (
  dataset: DatasetKey,
  row: TimedRow,
  mapping: Pick<NumbersMapping, 'fields' | 'refunds'>,
  ofOtherLines: OfOtherLines = null,
): Fault[] => [...stateWarnings(dataset, row.values, mapping, ofOtherLines), ...endWarnings(dataset, row)];

function stateWarnings(
  dataset: DatasetKey,
  values: Values,
  { fields, refunds }: Pick<NumbersMapping, 'fields' | 'refunds'>,
  ofOtherLines: OfOtherLines,
): Fault[] {
  const column = fieldTitle(dataset, 'status');
  const { status, gross = null, refunded, resolved_at, closed_at } = values;
  if (dataset === 'conversations' && typeof status === 'string' && isOpenStatus(status) && (resolved_at || closed_at)) {
    const end = resolved_at ? 'resolved' : 'closed';
    return [{ column, reason: `is open, but the row has a ${end} date, so it counts as resolved` }];
  }
  if (dataset !== 'orders') return [];
  if (status === 'completed' && fields.gross !== undefined && gross === null && !refunded)
    return [
      {
        column: fieldTitle(dataset, 'gross'),
        reason: 'is blank, so this row adds nothing to sales. Its order still counts',
      },
    ];
  if (ofOtherLines === 'full') return [{ column: fieldTitle(dataset, 'refunded'), reason: refundedTwice }];
  if (status !== 'refunded') return [];
  if (refunds === 'full')
    return ofOtherLines === 'amount' ? [{ column: fieldTitle(dataset, 'refunded'), reason: refundedElsewhere }] : [];
  if (typeof gross !== 'bigint' || gross <= 0n) return [];
  // The order's refund is on another line.
  if (refunded || ofOtherLines === 'amount')
    return [
      {
        column,
        reason:
          'is refunded, but the row has a gross amount, so it doesn’t count as an order. Use the status “completed”',
      },
    ];
  const missing = 'is blank although the status is refunded, so the row counts as a sale but not as an order';
  return [{ column: fieldTitle(dataset, 'refunded'), reason: missing }];
}

const refundedElsewhere =
  'is blank, but an earlier line of the order has a refund, so this line wasn’t treated as fully refunded. Check that the refund includes it';
const refundedTwice =
  'has an amount, but an earlier line of the order was treated as fully refunded, so both are subtracted. Clear “treat it as fully refunded”';
