// What an operation of the benchmark is.
import type pg from 'pg';
import type { Next } from './load.ts';
import type { Size } from './workload.ts';

export type Side = 'limit' | 'product';
export type Ports = Readonly<Record<Side, number>>;

export type Operation = {
  readonly key: string;
  readonly title: string;
  /** The share of the limit's throughput that is wanted. */
  readonly target: number;
  /** It changes what it was prepared with. */
  readonly writes?: true;
  /** What each connection asks, in turn, after both sides were shown to say the same. */
  prepare(ports: Ports): Promise<Readonly<Record<Side, Next>>>;
};

export type World = { readonly pool: pg.Pool; readonly size: Size; readonly orders: { from: string; to: string } };
