// What a sales dashboard costs beside plain SQL over the rows, and each tile beside itself at two million
// orders where there are more; what an import costs beside COPY. Writes docs/results/numbers-<orders>.json and
// import-<orders>.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import pg from 'pg';
import { type DatabaseFolder, startDatabase } from '../test/database-folder.ts';
import { fillOrders } from './fill-orders.ts';
import { type ImportSpeed, importSpeed } from './import-speed.ts';
import { alternating, milliseconds, type Times } from './measure.ts';
import { startServer } from './running-server.ts';
import { askApi, askRows, mustAgree, salesTiles, wholeDashboard } from './sales-dashboard.ts';

type Measured = { readonly api: Times; readonly rows: Times; readonly ratio: number };
type Setting = {
  readonly at: string;
  readonly orders: number;
  readonly machine: {
    readonly cores: number;
    readonly memoryGb: number;
    readonly node: string;
    readonly postgres: string;
  };
  readonly fillSeconds: number;
};
type Result = Setting & {
  /** Milliseconds; `ratio` is how many times faster the API is. */
  readonly dashboard: Measured;
  /** `growth`: how many times as long as at two million orders, asked in turn. */
  readonly tiles: readonly (Measured & { readonly tile: string; readonly growth?: number })[];
};

const results = new URL('../docs/results/', import.meta.url);

export type DashboardOptions = { readonly orders: number; readonly rounds: number };
export type ImportOptions = { readonly orders: number; readonly rows: number };

const measuredOf = ({ api, rows }: { api: Times; rows: Times }): Measured => ({
  api,
  rows,
  ratio: Math.round((rows.p50 / api.p50) * 10) / 10,
});

const compared = 2_000_000;
/** Plain SQL over many rows takes its time, and an answer of the API a moment. */
const tileRounds = { rows: 5, growth: 20 };

type Filled = { readonly database: DatabaseFolder; readonly pool: pg.Pool; readonly fillSeconds: number };

/** A separate database with this many orders, for as long as the work takes. */
async function withOrders<T>(orders: number, work: (filled: Filled) => Promise<T>): Promise<T> {
  const database = await startDatabase('staff-bench');
  const pool = new pg.Pool({ connectionString: database.url, max: 10 });
  pool.on('error', () => {});
  try {
    console.log(`Filling ${orders.toLocaleString('en')} orders`);
    const fillSeconds = Math.round((await milliseconds(() => fillOrders(database.url, orders))) / 1_000);
    return await work({ database, pool, fillSeconds });
  } finally {
    await pool.end();
    await database.stop();
  }
}

type AskTile = ReturnType<typeof askApi>;

async function withApi<T>(database: DatabaseFolder, work: (api: AskTile) => Promise<T>): Promise<T> {
  const server = await startServer(database);
  try {
    return await work(askApi(server.url, server.token));
  } finally {
    await server.stop();
  }
}

type Measures = Pick<Result, 'dashboard' | 'tiles'>;

async function measure(api: AskTile, pool: pg.Pool, rounds: number, smaller?: AskTile): Promise<Measures> {
  const rows = askRows(pool);
  mustAgree(await wholeDashboard(api), await wholeDashboard(rows));
  console.log('Both say the same; measuring');
  const whole = { api: () => wholeDashboard(api), rows: () => wholeDashboard(rows) };
  const dashboard = measuredOf(await alternating(whole, rounds));
  const tiles = [];
  for (const tile of salesTiles) {
    const asked = { api: () => api(tile), rows: () => rows(tile) };
    const measured = measuredOf(await alternating(asked, Math.min(rounds, tileRounds.rows)));
    const growth = smaller && (await alternating({ api: asked.api, smaller: () => smaller(tile) }, tileRounds.growth));
    tiles.push({
      tile: `${tile.title} (${tile.kind})`,
      ...measured,
      ...(growth && { growth: Math.round((growth.api.p50 / growth.smaller.p50) * 100) / 100 }),
    });
  }
  return { dashboard, tiles };
}

async function settingOf(orders: number, { pool, fillSeconds }: Filled): Promise<Setting> {
  const { rows: version } = await pool.query<{ server_version: string }>('show server_version');
  const machine = {
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    postgres: version[0]?.server_version ?? '',
  };
  return { at: new Date().toISOString(), orders, machine, fillSeconds };
}

async function measureDashboard({ orders, rounds }: DashboardOptions): Promise<Result> {
  return withOrders(orders, async (filled) => {
    const { database, pool } = filled;
    const measured = await withApi(database, (api) =>
      orders > compared
        ? withOrders(compared, (other) => withApi(other.database, (smaller) => measure(api, pool, rounds, smaller)))
        : measure(api, pool, rounds),
    );
    return { ...(await settingOf(orders, filled)), ...measured };
  });
}

async function measureImport({ orders, rows }: ImportOptions): Promise<Setting & ImportSpeed> {
  return withOrders(orders, async (filled) => {
    const { database, pool } = filled;
    const taken = await importSpeed(pool, database.url, database.folder, rows);
    return { ...(await settingOf(orders, filled)), ...taken };
  });
}

/** The roll-ups should not care how many orders there are. */
const growthOf = ({ growth }: { growth?: number }): string =>
  growth === undefined ? '' : `   ${growth} times its time at ${compared.toLocaleString('en')}`;

function linesOf(result: Result): string[] {
  const line = (name: string, { api, rows, ratio }: Measured) =>
    `${name.padEnd(44)} ${`${api.p50} / ${api.p99}`.padStart(18)} ${`${rows.p50} / ${rows.p99}`.padStart(20)} ${String(ratio).padStart(8)}`;
  return [
    `${'milliseconds, p50 / p99'.padEnd(44)} ${'API'.padStart(18)} ${'plain SQL'.padStart(20)} ${'times'.padStart(8)}`,
    line('The whole dashboard', result.dashboard),
    ...result.tiles.map((tile) => line(tile.tile, tile) + growthOf(tile)),
  ];
}

function write(name: string, result: Setting): void {
  mkdirSync(results, { recursive: true });
  writeFileSync(new URL(`${name}-${result.orders}.json`, results), `${JSON.stringify(result, null, 2)}\n`);
}

export async function benchDashboard(options: DashboardOptions): Promise<void> {
  const result = await measureDashboard(options);
  write('numbers', result);
  console.log(linesOf(result).join('\n'));
}

export async function benchImport(options: ImportOptions): Promise<void> {
  const result = await measureImport(options);
  write('import', result);
  const [taken, copied] = [result.importRowsPerSecond, result.copyRowsPerSecond].map((rate) =>
    rate.toLocaleString('en'),
  );
  console.log(`Import ${taken} rows/s, COPY ${copied} rows/s: ${result.ratio} of it`);
}
