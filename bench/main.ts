// `npm run bench -- [--orders 2000000] [--rounds 20] [--import-rows 200000]`: what a sales dashboard costs beside plain SQL over the
// rows, and an import beside COPY. Talks to this machine only, ends by itself, and writes docs/results/numbers-<orders>.json.
import 'temporal-polyfill/global';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startDatabase } from '../test/database-folder.ts';
import { fillOrders } from './fill-orders.ts';
import { type ImportSpeed, importSpeed } from './import-speed.ts';
import { alternating, milliseconds, type Times } from './measure.ts';
import { startServer } from './running-server.ts';
import { askApi, askRows, mustAgree, salesTiles, wholeDashboard } from './sales-dashboard.ts';

type Measured = { readonly api: Times; readonly rows: Times; readonly ratio: number };
type Result = {
  readonly at: string;
  readonly orders: number;
  readonly machine: {
    readonly cores: number;
    readonly memoryGb: number;
    readonly node: string;
    readonly postgres: string;
  };
  readonly fillSeconds: number;
  /** Milliseconds; `ratio` is how many times faster the API is. */
  readonly dashboard: Measured;
  readonly tiles: readonly (Measured & { readonly tile: string })[];
  readonly import: ImportSpeed;
};

const results = new URL('../docs/results/', import.meta.url);
const fileOf = (orders: number): URL => new URL(`numbers-${orders}.json`, results);

function numberOption(text: string, name: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is "${text}", it wants a whole number above 0`);
  return Number(text);
}

function readOptions() {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const;
  const options = { orders: text('2000000'), rounds: text('20'), 'import-rows': text('200000') };
  const { values } = parseArgs({ options });
  return {
    orders: numberOption(values.orders, 'orders'),
    rounds: numberOption(values.rounds, 'rounds'),
    importRows: numberOption(values['import-rows'], 'import-rows'),
  };
}

const measuredOf = ({ api, rows }: { api: Times; rows: Times }): Measured => ({
  api,
  rows,
  ratio: Math.round((rows.p50 / api.p50) * 10) / 10,
});

async function run({ orders, rounds, importRows }: ReturnType<typeof readOptions>): Promise<Result> {
  const database = await startDatabase('staff-bench');
  const pool = new pg.Pool({ connectionString: database.url, max: 10 });
  pool.on('error', () => {});
  try {
    console.log(`Filling ${orders.toLocaleString('en')} orders`);
    const fillSeconds = Math.round((await milliseconds(() => fillOrders(database.url, orders))) / 1_000);
    const server = await startServer(database);
    try {
      const [api, rows] = [askApi(server.url, server.token), askRows(pool)];
      mustAgree(await wholeDashboard(api), await wholeDashboard(rows));
      console.log('Both say the same; measuring');
      const dashboard = measuredOf(
        await alternating({ api: () => wholeDashboard(api), rows: () => wholeDashboard(rows) }, rounds),
      );
      const tiles = [];
      for (const tile of salesTiles) {
        const measured = await alternating({ api: () => api(tile), rows: () => rows(tile) }, Math.min(rounds, 5));
        tiles.push({ tile: `${tile.title} (${tile.kind})`, ...measuredOf(measured) });
      }
      const taken = await importSpeed(pool, database.url, database.folder, importRows);
      const { rows: version } = await pool.query<{ server_version: string }>('show server_version');
      const machine = {
        cores: availableParallelism(),
        memoryGb: Math.round(totalmem() / 1024 ** 3),
        node: process.versions.node,
        postgres: version[0]?.server_version ?? '',
      };
      return { at: new Date().toISOString(), orders, machine, fillSeconds, dashboard, tiles, import: taken };
    } finally {
      await server.stop();
    }
  } finally {
    await pool.end();
    await database.stop();
  }
}

/** The roll-ups should not care how many orders there are: each tile beside itself at two million. */
function againstSmaller({ orders, tiles }: Result): string[] {
  const smaller = fileOf(2_000_000);
  if (orders <= 2_000_000 || !existsSync(smaller)) return [];
  const before = JSON.parse(readFileSync(smaller, 'utf8')) as Result;
  return tiles.map(({ tile, api }) => {
    const known = before.tiles.find((candidate) => candidate.tile === tile);
    return `${tile.padEnd(44)} ${known ? (api.p50 / known.api.p50).toFixed(2) : 'not measured'} times its time at 2,000,000`;
  });
}

function linesOf(result: Result): string[] {
  const line = (name: string, { api, rows, ratio }: Measured) =>
    `${name.padEnd(44)} ${`${api.p50} / ${api.p99}`.padStart(18)} ${`${rows.p50} / ${rows.p99}`.padStart(20)} ${String(ratio).padStart(8)}`;
  const { importRowsPerSecond, copyRowsPerSecond, ratio } = result.import;
  return [
    `${'milliseconds, p50 / p99'.padEnd(44)} ${'API'.padStart(18)} ${'plain SQL'.padStart(20)} ${'times'.padStart(8)}`,
    line('The whole dashboard', result.dashboard),
    ...result.tiles.map((tile) => line(tile.tile, tile)),
    `Import ${importRowsPerSecond.toLocaleString('en')} rows/s, COPY ${copyRowsPerSecond.toLocaleString('en')} rows/s: ${ratio} of it`,
    ...againstSmaller(result),
  ];
}

const result = await run(readOptions());
mkdirSync(results, { recursive: true });
writeFileSync(fileOf(result.orders), `${JSON.stringify(result, null, 2)}\n`);
console.log(linesOf(result).join('\n'));
