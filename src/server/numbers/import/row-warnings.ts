// What looks wrong about a row that is imported.
import { type DatasetKey, fieldTitle } from '#core/numbers/datasets.ts';
import type { Fault } from '#server/platform/imports/import-error.ts';
import type { NumberValue } from '../number-row.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

type Values = Readonly<Record<string, NumberValue>>;

/** What sources call tickets that nobody has solved yet. */
const openStatuses = new Set(
  [
    ...['open', 'reopened', 'new', 'pending', 'in progress', 'on hold', 'waiting', 'unresolved'],
    ...['offen', 'neu', 'in bearbeitung', 'wartend', 'ouvert', 'nouveau', 'en cours', 'en attente'],
    ...['abierto', 'nuevo', 'en curso', 'en proceso', 'en progreso', 'pendiente'],
    ...['aberto', 'novo', 'em andamento', 'pendente', 'em aberto', 'nieuw', 'in behandeling', 'aperto', 'in corso'],
  ].map(plain),
);

function plain(status: string): string {
  return status.toLowerCase().replace(/[^\p{L}]/gu, '');
}

export function rowWarnings(
  dataset: DatasetKey,
  values: Values,
  { fields, refunds }: Pick<NumbersMapping, 'fields' | 'refunds'>,
): Fault[] {
  const column = fieldTitle(dataset, 'status');
  const { status, gross = null, refunded, resolved_at: resolvedAt } = values;
  if (dataset === 'conversations' && typeof status === 'string' && openStatuses.has(plain(status)) && resolvedAt)
    return [{ column, reason: 'is open, but the row has a resolved date. The date wins: it counts as resolved' }];
  if (dataset !== 'orders') return [];
  if (status === 'completed' && fields.gross !== undefined && gross === null && !refunded)
    return [
      {
        column: fieldTitle(dataset, 'gross'),
        reason: 'is blank: the order counts, but this row adds nothing to sales',
      },
    ];
  if (status !== 'refunded' || refunds === 'full') return [];
  if (typeof gross !== 'bigint' || gross <= 0n) return [];
  if (refunded)
    return [
      {
        column,
        reason: 'is refunded, but the row has a gross amount: it doesn’t count as an order. Use the status completed',
      },
    ];
  const missing = 'is blank although the status is refunded: the row counts as a sale, but not as an order';
  return [{ column: fieldTitle(dataset, 'refunded'), reason: missing }];
}
