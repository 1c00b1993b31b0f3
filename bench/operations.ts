// The operations of a working day, signed in and with permissions checked, as a share of what a bare server
// on the same database makes of them; writes docs/results/operations-<people>-<orders>.json.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { defaultSettlingHours } from '#core/tasks/sprint.ts';
import { buildServer } from '../scripts/build-server.ts';
import { type DatabaseFolder, startDatabase } from '../test/database-folder.ts';
import { fillEnd, fillOrders } from './fill-orders.ts';
import { type Load, load, type Next } from './load.ts';
import { percentile } from './measure.ts';
import type { Operation, Side } from './operation.ts';
import { operationsOf } from './operation-list.ts';
import { type Costs, head, lineOf, linesOfStarts, type Measured } from './operations-table.ts';
import { databaseMs, processorMs } from './processor.ts';
import { limitScript, type Program, serverEnvironment, serverScript, startProgram } from './programs.ts';
import { startsOf } from './starts.ts';
import { fillCompany, type Size, signEverybodyIn, zone } from './workload.ts';

export type OperationOptions = {
  readonly size: Size;
  readonly orders: number;
  readonly seconds: number;
  readonly repeats: number;
  /** The keys of the operations. */
  readonly only: string;
  readonly starts: boolean;
};

const connections = 10;
const warmUpSeconds = 3;
const root = fileURLToPath(new URL('..', import.meta.url));
const sides = ['limit', 'product'] as const;
const median = (values: readonly number[]): number => percentile(values, 0.5);
const rounded = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits;

type Running = Readonly<Record<Side, readonly Program[]>>;

const startProduct = (database: DatabaseFolder): Promise<Program> =>
  startProgram(serverScript, database.folder, { ...serverEnvironment(database), COMPANY_TIME_ZONE: zone });

/** Starts so many servers of each side. */
async function startBoth(database: DatabaseFolder, count: number): Promise<Running> {
  const running: Record<Side, Program[]> = { limit: [], product: [] };
  for (let index = 0; index < count; index += 1) {
    running.limit.push(await startProgram(limitScript, database.folder, { DATABASE_URL: database.url }));
    running.product.push(await startProduct(database));
  }
  return running;
}

const stopBoth = async (running: Running): Promise<void> => {
  for (const side of sides) for (const program of running[side]) await program.stop();
};

async function untilNone(pool: pg.Pool, rows: string): Promise<void> {
  while ((await pool.query(`${rows} limit 1`)).rowCount !== 0) await sleep(200);
}

/** What the changes before have left to be done is done: it belongs to the one who made them. */
const settle = (pool: pg.Pool): Promise<void> => untilNone(pool, 'select from audit_unsealed');

/**
 * The first server on a company that was filled just now records two years of weeks: no memory of a server at
 * rest.
 */
async function recordWeeks(database: DatabaseFolder, pool: pg.Pool): Promise<void> {
  const first = await startProduct(database);
  // A week that settles still gets its result later: on Mondays and Tuesdays there is one.
  const settled = `end_at <= now() - interval '${defaultSettlingHours} hours'`;
  await untilNone(pool, `select from sprints where ${settled} and result_at is null`).finally(first.stop);
}

async function costly(programs: readonly Program[], pool: pg.Pool, work: () => Promise<Load>): Promise<Costs> {
  const spent = async () =>
    [programs.reduce((sum, { pid }) => sum + (processorMs(pid) ?? 0), 0), await databaseMs(pool)] as const;
  const [server, database] = await spent();
  const done = await work();
  // What goes on behind the answers belongs to them.
  await settle(pool);
  const [serverAfter, databaseAfter] = await spent();
  return {
    ...done,
    serverMs: (serverAfter - server) / done.requests,
    databaseMs: (databaseAfter - database) / done.requests,
  };
}

const middle = (loads: readonly Costs[]): Costs => ({
  perSecond: rounded(median(loads.map(({ perSecond }) => perSecond)), 1),
  p50: rounded(median(loads.map(({ p50 }) => p50))),
  p99: rounded(median(loads.map(({ p99 }) => p99))),
  requests: loads.reduce((sum, { requests }) => sum + requests, 0),
  serverMs: rounded(median(loads.map(({ serverMs }) => serverMs)), 3),
  databaseMs: rounded(median(loads.map((load) => load.databaseMs)), 3),
});

async function measure(
  operation: Operation,
  running: Running,
  pool: pg.Pool,
  { seconds, repeats }: OperationOptions,
): Promise<Measured> {
  const ports = (side: Side) => running[side].map(({ port }) => port);
  const next: Readonly<Record<Side, Next>> = await operation.prepare({
    limit: ports('limit')[0]!,
    product: ports('product')[0]!,
  });
  const loads: Record<Side, Costs[]> = { limit: [], product: [] };
  for (const side of sides) await load(ports(side), connections, Math.min(warmUpSeconds, seconds), next[side]);
  for (let repeat = 0; repeat < repeats; repeat += 1)
    for (const side of sides) {
      await settle(pool);
      const work = () => load(ports(side), connections, seconds, next[side]);
      loads[side].push(await costly(running[side], pool, work));
    }
  const [limit, product] = [middle(loads.limit), middle(loads.product)];
  const shares = loads.product.map(({ perSecond }, index) => perSecond / loads.limit[index]!.perSecond);
  const p99Ratios = loads.product.map(({ p99 }, index) => p99 / loads.limit[index]!.p99);
  return {
    operation: operation.key,
    title: operation.title,
    servers: running.product.length,
    target: operation.target,
    share: rounded(median(shares)),
    p99Ratio: rounded(median(p99Ratios)),
    shareOfProcessor: rounded((limit.serverMs + limit.databaseMs) / (product.serverMs + product.databaseMs)),
    limit,
    product,
  };
}

/** Resident memory of a process in MB. */
const memoryOf = ({ pid }: Program): number =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024);

/** Looks from time to time until it is told to stop; gives the most it saw. */
function watchMemory(program: Program): () => number {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(program));
  }, 1_000);
  return () => {
    clearInterval(timer);
    return most;
  };
}

const idleMs = 5_000;

async function measureAll(database: DatabaseFolder, pool: pg.Pool, options: OperationOptions) {
  const year = { from: fillEnd.replace(/^\d+/, (text) => String(Number(text) - 1)), to: fillEnd };
  const operations = operationsOf({ pool, size: options.size, orders: year }, connections).filter(({ key }) =>
    options.only.includes(key),
  );
  const measured: Measured[] = [];
  let memory = { idleMb: 0, loadedMb: 0 };
  for (const servers of [1, 2]) {
    const running = await startBoth(database, servers);
    await sleep(idleMs);
    const idleMb = memoryOf(running.product[0]!);
    const mostMb = watchMemory(running.product[0]!);
    try {
      for (const operation of operations) {
        measured.push(await measure(operation, running, pool, options));
        console.log(lineOf(measured.at(-1)!));
      }
    } finally {
      const loadedMb = mostMb();
      if (servers === 1) memory = { idleMb, loadedMb };
      await stopBoth(running);
    }
  }
  return { measured, memory };
}

export async function benchOperations(options: OperationOptions): Promise<void> {
  const loadBefore = loadavg()[0]!;
  await buildServer(root);
  const database = await startDatabase('staff-bench');
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {});
  try {
    console.log(`Filling ${options.size.people} people with their tasks and ${options.orders} orders`);
    await fillCompany(database.url, Temporal.Now.instant(), options.size);
    await signEverybodyIn(database.url, options.size);
    await fillOrders(database.url, options.orders);
    await recordWeeks(database, pool);
    console.log(head);
    const { measured, memory } = await measureAll(database, pool, options);
    console.log(
      `Memory of the server: idle ${memory.idleMb} MB (wanted <= 130), loaded ${memory.loadedMb} MB (wanted <= 260)`,
    );
    const starts = options.starts ? await startsOf(database, options.repeats) : null;
    if (starts) console.log(linesOfStarts(starts).join('\n'));
    const { rows } = await pool.query<{ server_version: string }>('show server_version');
    const machine = {
      cores: availableParallelism(),
      memoryGb: Math.round(totalmem() / 1024 ** 3),
      node: process.versions.node,
      postgres: rows[0]!.server_version,
      /** Of the last minute, before and after: what else the machine did. */
      load: [rounded(loadBefore, 1), rounded(loadavg()[0]!, 1)],
    };
    const { people } = options.size;
    const { seconds, repeats, orders } = options;
    const result = {
      at: new Date().toISOString(),
      machine,
      people,
      orders,
      seconds,
      repeats,
      measured,
      memory,
      starts,
    };
    const results = new URL('../docs/results/', import.meta.url);
    mkdirSync(results, { recursive: true });
    writeFileSync(new URL(`operations-${people}-${orders}.json`, results), `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await pool.end();
    await database.stop();
  }
}
