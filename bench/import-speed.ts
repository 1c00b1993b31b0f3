// How fast rows are taken in by `npm run import`, beside PostgreSQL's own COPY of the same file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { milliseconds, percentile } from './measure.ts';

const main = fileURLToPath(new URL('../src/server/main.ts', import.meta.url));
const columns = [
  'id',
  'order_ref',
  'occurred_at',
  'customer',
  'country',
  'channel',
  'title',
  'quantity',
  'gross',
] as const;
const rounds = 3;

export type ImportSpeed = {
  readonly rows: number;
  readonly importRowsPerSecond: number;
  readonly copyRowsPerSecond: number;
  readonly ratio: number;
};

/** Each round's file has its own source, ids, orders and customers, because all rows must be new. */
async function writeRows(path: string, round: number, count: number): Promise<void> {
  const file = createWriteStream(path, { mode: 0o644 });
  file.write(`${columns.join(',')}\n`);
  for (let row = 1; row <= count; row += 1) {
    const at = new Date(Date.UTC(2026, 0, 1) + row * 60_000).toISOString();
    const [order, customer] = [`R${round}-${row >> 1}`, `R${round}-${row % 5_000}`];
    const id = (round - 1) * count + row;
    const line = `${id},${order},${at},${customer},NL,web,Title ${row % 500},${1 + (row % 3)},${(row % 9_000) / 100 + 5}\n`;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

function writeMapping(path: string, round: number): void {
  const fields = {
    external_id: 'id',
    product: { constant: 'connect' },
    order_ref: 'order_ref',
    occurred_at: 'occurred_at',
    customer_ref: 'customer',
    country: 'country',
    channel: 'channel',
    title: 'title',
    quantity: 'quantity',
    gross: 'gross',
    status: { constant: 'completed' },
  };
  writeFileSync(path, JSON.stringify({ dataset: 'orders', source: `speed-${round}`, currency: 'CHF', fields }));
}

async function runImport(url: string, file: string, mapping: string): Promise<void> {
  const child = spawn(process.execPath, [main, 'import', 'orders', file, '--mapping', mapping], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The import ended with ${code}`);
}

/** Copies the file into a table with a key and nothing else. */
async function copy(pool: pg.Pool, file: string): Promise<void> {
  await pool.query(`drop table if exists bench_copy; create table bench_copy (id bigint primary key, order_ref text, occurred_at timestamptz,
    customer text, country text, channel text, title text, quantity bigint, gross numeric(18, 4))`);
  const client = await pool.connect();
  try {
    await pipeline(
      createReadStream(file),
      client.query(copyFrom('copy bench_copy from stdin with (format csv, header)')),
    );
  } finally {
    client.release();
  }
}

/** In turn, the median of three; the time of the command holds its start. */
export async function importSpeed(pool: pg.Pool, url: string, folder: string, rows: number): Promise<ImportSpeed> {
  const times = { command: [] as number[], copy: [] as number[] };
  for (let round = 1; round <= rounds; round += 1) {
    const [file, mapping] = [join(folder, `orders-${round}.csv`), join(folder, `mapping-${round}.json`)];
    await writeRows(file, round, rows);
    writeMapping(mapping, round);
    times.copy.push(await milliseconds(() => copy(pool, file)));
    times.command.push(await milliseconds(() => runImport(url, file, mapping)));
  }
  const perSecond = (values: readonly number[]): number => Math.round((rows * 1_000) / percentile(values, 0.5));
  const [importRowsPerSecond, copyRowsPerSecond] = [perSecond(times.command), perSecond(times.copy)];
  const ratio = Math.round((importRowsPerSecond / copyRowsPerSecond) * 1_000) / 1_000;
  return { rows, importRowsPerSecond, copyRowsPerSecond, ratio };
}
