// Adds up a file's rows, so people can compare the totals with those of its source.
import { dayInZone } from '#core/base/day-words.ts';
import { type DatasetKey, datasetOf, hasHours } from '#core/numbers/datasets.ts';
import { mainAmount } from '../batch.service.ts';
import type { NumberRow } from '../number-row.ts';

/** The rows of one product or cause in one currency, of which a dataset may have neither. */
export type FileTotal = {
  readonly scope: string | null;
  readonly currency: string | null;
  readonly rows: number;
  /** The dataset's main amount in ten-thousandths as text; null if it has none. */
  readonly amount: string | null;
  /** For orders, whose refunds are separate. Older runs have none. */
  readonly refunded?: string | null;
  readonly firstDay: string;
  readonly lastDay: string;
  /** By status, because a page doesn't count all of them. Older runs have none. */
  readonly statuses?: readonly StatusTotal[];
};
export type StatusTotal = Pick<FileTotal, 'rows' | 'amount' | 'refunded'> & { readonly status: string };

type Part = { rows: number; amount: bigint; refunded: bigint };
type Sum = Part & { first: string; last: string; readonly statuses: Map<string, Part> };

/** More would be hard to read. */
const mostTotals = 50;

export class FileTotals {
  readonly #dataset: DatasetKey;
  readonly #zone: string;
  readonly #amount: string | null;
  readonly #hasStatuses: boolean;
  readonly #sums = new Map<string, Sum>();

  constructor(dataset: DatasetKey, zone: string) {
    this.#dataset = dataset;
    this.#zone = zone;
    this.#amount = mainAmount(dataset);
    // Texts of other systems could be many.
    this.#hasStatuses = Array.isArray(datasetOf(dataset).fields.status?.type);
  }

  add({ values }: NumberRow): void {
    const { scope, currency, datedBy } = datasetOf(this.#dataset);
    const valueIn = (field: string | null) => (field === null ? null : (values[field] ?? null));
    const key = JSON.stringify([valueIn(scope), valueIn(currency)]);
    const at = String(values[datedBy]);
    const amount = valueIn(this.#amount);
    const sum = this.#sums.get(key) ?? { rows: 0, amount: 0n, refunded: 0n, first: at, last: at, statuses: new Map() };
    const status = String(values.status);
    const part = sum.statuses.get(status) ?? { rows: 0, amount: 0n, refunded: 0n };
    if (this.#hasStatuses) sum.statuses.set(status, part);
    for (const one of [sum, part]) {
      one.rows += 1;
      if (typeof amount === 'bigint') one.amount += amount;
      if (typeof values.refunded === 'bigint') one.refunded += values.refunded;
    }
    // Instants are all in UTC, so their texts are in order.
    if (at < sum.first) sum.first = at;
    if (at > sum.last) sum.last = at;
    this.#sums.set(key, sum);
  }

  /** Most rows first. */
  get all(): FileTotal[] {
    const dayOf = (at: string) => (hasHours(datasetOf(this.#dataset)) ? dayInZone(at, this.#zone) : at);
    const hasRefunds = datasetOf(this.#dataset).fields.refunded !== undefined;
    const sumsOf = ({ amount, refunded }: Part) => ({
      amount: this.#amount === null ? null : String(amount),
      ...(hasRefunds && { refunded: String(refunded) }),
    });
    const all = [...this.#sums].map(([key, sum]): FileTotal => {
      const [scope, currency] = JSON.parse(key) as [string | null, string | null];
      const parts = [...sum.statuses].map(([status, part]) => ({ status, rows: part.rows, ...sumsOf(part) }));
      const statuses = parts.toSorted((one, other) => other.rows - one.rows);
      const days = { firstDay: dayOf(sum.first), lastDay: dayOf(sum.last) };
      return { scope, currency, rows: sum.rows, ...sumsOf(sum), ...days, statuses };
    });
    return all.toSorted((one, other) => other.rows - one.rows).slice(0, mostTotals);
  }
}
