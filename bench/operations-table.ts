// What was measured of an operation, and how it is printed.
import type { Load } from './load.ts';
import type { Starts } from './starts.ts';

export type Measured = {
  readonly operation: string;
  readonly title: string;
  readonly servers: number;
  readonly target: number;
  readonly share: number;
  /** Times the limit's p99. */
  readonly p99Ratio: number;
  /**
   * The same by processor time of server and database a request, without the client: what else the machine
   * does matters less to it.
   */
  readonly shareOfProcessor: number;
  readonly limit: Costs;
  readonly product: Costs;
};

/** In milliseconds of processor time a request. */
export type Costs = Load & { readonly serverMs: number; readonly databaseMs: number };

export function lineOf({
  operation,
  title,
  servers,
  target,
  share,
  p99Ratio,
  shareOfProcessor,
  limit,
  product,
}: Measured): string {
  const cells = [
    `(${operation}) ${title}${servers > 1 ? `, ${servers} servers` : ''}`.padEnd(72),
    `${product.perSecond}/s`.padStart(11),
    `${limit.perSecond}/s`.padStart(11),
    String(share).padStart(7),
    `>= ${target}`.padStart(8),
    `${product.p50} / ${product.p99}`.padStart(16),
    `${limit.p50} / ${limit.p99}`.padStart(16),
    String(p99Ratio).padStart(7),
    `${product.serverMs} + ${product.databaseMs}`.padStart(16),
    `${limit.serverMs} + ${limit.databaseMs}`.padStart(16),
    String(shareOfProcessor).padStart(7),
  ];
  return cells.join(' ');
}

export const head = [
  'operation'.padEnd(72),
  ...['product', 'limit'].map((text) => text.padStart(11)),
  'share'.padStart(7),
  'wanted'.padStart(8),
  ...['p50 / p99 ms', "limit's"].map((text) => text.padStart(16)),
  'p99 x'.padStart(7),
  ...['server + db ms', "limit's"].map((text) => text.padStart(16)),
  'share'.padStart(7),
].join(' ');

export function linesOfStarts({ postgres, embedded, limit }: Starts): string[] {
  const line = (what: string, wanted: string, { wallMs, cpuMs }: Starts['limit']) =>
    `${what.padEnd(40)} ${wallMs} ms (${cpuMs} ms of processor time${wanted})`;
  return [
    line('Cold start on PostgreSQL', ', wanted <= 800 ms', postgres),
    line('Cold start with the embedded database', ', wanted <= 2500 ms', embedded),
    line('Cold start of the limit', '', limit),
  ];
}
