// Two servers on one database behind haproxy, each told to stop in turn and started again while people write:
// nobody notices.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#server/platform/db/postmaster.ts';
import { openFolder } from '../test/database-folder.ts';
import { type ServerProcess, spawnServer } from '../test/server-process.ts';
import { untilReady } from './f02-database-killed.ts';
import { CannotRun, type Fault } from './fault.ts';
import { outsideDatabase } from './product.ts';
import { runRounds, spread } from './round.ts';
import { type Tally, withoutAnswer } from './writers.ts';

/** As the configuration says. */
const lookEveryMs = 1_000;
const drainSeconds = 5;

/** What operators copy. */
export const haproxyFile = fileURLToPath(new URL('../examples/haproxy/haproxy.cfg', import.meta.url));

export async function startBalancer(servers: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
  const listen = `127.0.0.1:${await freePort()}`;
  const [first = '', second = ''] = servers.map((server) => new URL(server).host);
  const child = spawn('haproxy', ['-db', '-f', haproxyFile], {
    env: { PATH: process.env.PATH, LISTEN: listen, SERVER_1: first, SERVER_2: second },
    stdio: 'ignore',
  });
  const url = `http://${listen}`;
  await untilReady({ url });
  return { url, child };
}

/** Nobody notices: every call is done, but for one that is sent again while it is under way. */
function nothingNoticed(tally: Tally): string[] {
  const others = [...tally.later].filter(([status]) => status !== 409);
  return [...withoutAnswer(tally), ...others.map(([status, count]) => `${count} answers of ${status}`)];
}

type Running = {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<number | null>;
  readonly url: string;
};

function serverAt(port: number, env: Readonly<Record<string, string>>): Running {
  let server: ServerProcess | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      server = spawnServer({ env: { ...env, PORT: String(port) } });
      await server.listening();
    },
    stop: async () => (server ? server.stop() : null),
  };
}

export const stoppedUnderLoad: Fault = {
  id: 'F19',
  title: 'Two servers behind haproxy are stopped (SIGTERM) and started again in turn under load',
  unit: 'restarts',
  trials: true,
  counts: { short: 2, full: 100 },
  async run(asked) {
    if (spawnSync('haproxy', ['-v']).status !== 0) throw new CannotRun('haproxy');
    const database = await outsideDatabase();
    const folder = openFolder('staff-fault');
    const dataDir = join(folder, 'server');
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      LINK_SECRET: 'of two servers that are stopped in turn',
      DRAIN_SECONDS: String(drainSeconds),
    };
    const servers = [serverAt(await freePort(), env), serverAt(await freePort(), env)];
    let balancer: ChildProcess | undefined;
    try {
      for (const server of servers) await server.start();
      const started = await startBalancer(servers.map(({ url }) => url));
      balancer = started.child;
      const stops: number[] = [];
      const failures: string[] = [];
      const outcome = await runRounds({
        product: { url: started.url, databaseUrl: database.url, dataDir, folder },
        asked,
        judge: nothingNoticed,
        async strike(_random, round) {
          const server = servers[round % 2]!;
          const before = performance.now();
          const code = await server.stop();
          stops.push(performance.now() - before);
          if (code !== 0) failures.push(`round ${round}: the server ended with ${code}`);
          await server.start();
          await untilReady({ url: server.url });
          // Until the balancer has seen it.
          await sleep(2 * lookEveryMs);
          return undefined;
        },
      });
      return {
        figures: {
          ...outcome.figures,
          'drain in seconds': drainSeconds,
          ...spread('milliseconds from SIGTERM to the end', stops),
        },
        failures: [...outcome.failures, ...failures],
      };
    } finally {
      balancer?.kill('SIGKILL');
      for (const server of servers) await server.stop();
      await database.stop();
    }
  },
};
