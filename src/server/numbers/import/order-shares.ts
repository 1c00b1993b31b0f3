// Divides amounts of whole orders among their lines. Many exports give an order's discount and refund only once,
// so they would all count at its first line's title and SKU.
import { amountOf, type NumberRow } from '../number-row.ts';
import type { NumbersMapping } from './numbers-mapping.ts';

/** An order's lines are kept until it ends; no real one has more. */
const mostLines = 10_000;

export class OrderShares<Line extends { readonly row: NumberRow }> {
  readonly #fields: readonly string[];
  #order = '';
  #lines: Line[] = [];

  constructor({ divide = [] }: Pick<NumbersMapping, 'divide'>) {
    this.#fields = divide;
  }

  /** Call it for every row in the file's order. Returns the lines of an order that has ended. */
  take(line: Line): readonly Line[] {
    const { currency, order_ref } = line.row.values;
    if (this.#fields.length === 0 || !order_ref) return [...this.end(), line];
    const order = JSON.stringify([currency, order_ref]);
    const ended = order === this.#order && this.#lines.length < mostLines ? [] : this.end();
    this.#order = order;
    this.#lines.push(line);
    return ended;
  }

  /** The lines of the last order. */
  end(): readonly Line[] {
    const lines = this.#lines;
    this.#lines = [];
    const statuses = new Set(lines.map(({ row }) => row.values.status));
    // Some statuses don't count in sales, so an amount never moves to another one.
    const parts = [...statuses].map((status) => lines.filter(({ row }) => row.values.status === status));
    const divided = new Map(parts.flatMap((part) => divide(part, this.#fields)));
    return lines.map((line) => divided.get(line) ?? line);
  }
}

/** The rows of a whole file, or of its start. */
export function withShares(
  mapping: Pick<NumbersMapping, 'divide'>,
  rows: readonly { readonly read: NumberRow }[],
): NumberRow[] {
  const shares = new OrderShares<{ readonly row: NumberRow }>(mapping);
  return [...rows.flatMap(({ read }) => shares.take({ row: read })), ...shares.end()].map(({ row }) => row);
}

/** By positive gross. The shares add up exactly. */
function divide<Line extends { readonly row: NumberRow }>(lines: readonly Line[], fields: readonly string[]) {
  const weights = lines.map(({ row }) => amountOf(row.values.gross)).map((gross) => (gross > 0n ? gross : 0n));
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  const sums = fields.map((field) => lines.reduce((sum, { row }) => sum + amountOf(row.values[field]), 0n));
  const given = fields.flatMap((field, index) => (sums[index] === 0n ? [] : [{ field, sum: sums[index]! }]));
  if (lines.length < 2 || total === 0n || given.length === 0) return [];
  let before = 0n;
  return lines.map((line, index) => {
    const until = before + weights[index]!;
    const shares = given.map(({ field, sum }) => [field, (sum * until) / total - (sum * before) / total] as const);
    before = until;
    const texts = Object.entries(line.row.texts).filter(([field]) => !given.some((one) => one.field === field));
    const row = {
      ...line.row,
      values: { ...line.row.values, ...Object.fromEntries(shares) },
      texts: Object.fromEntries(texts),
    };
    return [line, { ...line, row }] as const;
  });
}
