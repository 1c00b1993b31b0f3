// Compares builds of the server: each serves the same database, and each operation is asked of all of them in
// turn. The processor time of the server counts, as other work on the machine hardly changes it.
import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { startDatabase } from '../test/database-folder.ts';
import { fillEnd, fillOrders } from './fill-orders.ts';
import { load, type Next } from './load.ts';
import { percentile } from './measure.ts';
import { operationsOf } from './operation-list.ts';
import { databaseMs, processorMs } from './processor.ts';
import { limitScript, type Program, serverEnvironment, startProgram } from './programs.ts';
import { fillCompany, type Size, signEverybodyIn, zone } from './workload.ts';

export type BuildOptions = {
  /** What Node is given to run each build: `--max-semi-space-size=16 build/server/main.js`. */
  readonly builds: readonly string[];
  readonly size: Size;
  readonly orders: number;
  readonly seconds: number;
  readonly repeats: number;
  readonly only: string;
  readonly connections: number;
};

type Build = { readonly name: string; readonly program: Program };
type Cost = { readonly serverMs: number; readonly databaseMs: number; readonly p50: number };

const memoryMb = ({ pid }: Program): number =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024);

async function costOf({ program }: Build, next: Next, pool: pg.Pool, options: BuildOptions): Promise<Cost> {
  const spent = async () => [processorMs(program.pid) ?? Number.NaN, await databaseMs(pool)] as const;
  const [server, database] = await spent();
  const { requests, p50 } = await load([program.port], options.connections, options.seconds, next);
  const [serverAfter, databaseAfter] = await spent();
  return { serverMs: (serverAfter - server) / requests, databaseMs: (databaseAfter - database) / requests, p50 };
}

function printRow(operation: string, { name, program }: Build, costs: readonly Cost[]): void {
  const median = (value: (cost: Cost) => number) => percentile(costs.map(value), 0.5).toFixed(3);
  const cells = [median(({ serverMs }) => serverMs), median((cost) => cost.databaseMs), median(({ p50 }) => p50)];
  console.log(
    [operation, ...cells.map((cell) => cell.padStart(10)), `${memoryMb(program)} MB`.padStart(10), name].join(' '),
  );
}

export async function benchBuilds(options: BuildOptions): Promise<void> {
  const database = await startDatabase('staff-builds');
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {});
  const programs: Program[] = [];
  try {
    await fillCompany(database.url, Temporal.Now.instant(), options.size);
    await signEverybodyIn(database.url, options.size);
    await fillOrders(database.url, options.orders);
    const start = async (script: readonly string[], env: NodeJS.ProcessEnv): Promise<Program> => {
      const program = await startProgram(script, database.folder, env);
      programs.push(program);
      return program;
    };
    const limit = await start(limitScript, { DATABASE_URL: database.url });
    const builds: Build[] = [];
    for (const name of options.builds) {
      const script = name.split(' ');
      const program = await start(script, { ...serverEnvironment(database), COMPANY_TIME_ZONE: zone });
      builds.push({ name, program });
    }
    const year = { from: fillEnd.replace(/^\d+/, (text) => String(Number(text) - 1)), to: fillEnd };
    const world = { pool, size: options.size, orders: year };
    const operations = operationsOf(world, options.connections).filter(({ key }) => options.only.includes(key));
    console.log('op  server ms      db ms     p50 ms     memory build');
    for (const operation of operations) {
      const costs = new Map<Build, Cost[]>(builds.map((build) => [build, []]));
      const prepared = new Map<Build, Next>();
      for (let round = 0; round <= options.repeats; round += 1)
        for (const build of builds) {
          const ports = { limit: limit.port, product: build.program.port };
          // Other builds have changed the tasks since.
          const next = (operation.writes ? undefined : prepared.get(build)) ?? (await operation.prepare(ports)).product;
          prepared.set(build, next);
          const cost = await costOf(build, next, pool, options);
          // The first round warms up.
          if (round > 0) costs.get(build)?.push(cost);
        }
      for (const build of builds) printRow(operation.key, build, costs.get(build) ?? []);
    }
  } finally {
    for (const program of programs) await program.stop();
    await pool.end();
    await database.stop();
  }
}
