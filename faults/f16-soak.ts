// An hour of people at work: does anything grow that has no reason to?

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { hashPassword } from '#server/access/auth/passwords.ts';
import { seededRandom } from '#server/demo/random.ts';
import { makePerson } from '../test/people.ts';
import { startOptions } from '../test/start-options.ts';
import { graphql } from './calls.ts';
import type { Fault } from './fault.ts';
import { type LoadPlan, type LoadTally, mixedLoad } from './mixed-load.ts';
import { makeStaff, outsideDatabase, Product, type Staff } from './product.ts';
import { spread } from './round.ts';
import { wholeState } from './whole-state.ts';

const perSecond = 50;
/** In an hour, nobody may write more than the hourly limits let a session without a recent proof. */
const ownersFor = (minutes: number): number => Math.max(40, Math.ceil(minutes * 17));
const everyMs = 15_000;
const megabyte = 1024 * 1024;

type Sample = {
  readonly hours: number;
  readonly rss: number;
  readonly heap: number;
  readonly descriptors: number;
  readonly handles: number;
  readonly lagP99: number;
};

/** As the product starts itself, and told when to collect. */
const asStarted = [
  ...startOptions,
  '--expose-gc',
  '--import',
  fileURLToPath(new URL('./collect-on-signal.ts', import.meta.url)),
];

const metricsToken = randomBytes(32).toString('hex');

async function sample(product: Product, started: number): Promise<Sample> {
  product.server.child.kill('SIGUSR2');
  await sleep(500);
  const text = await (
    await fetch(`${product.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  ).text();
  const value = (name: string) =>
    Number(new RegExp(`^staff_dashboard_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    hours: (performance.now() - started) / 3_600_000,
    rss: value('process_resident_memory_bytes') / megabyte,
    heap: value('nodejs_heap_size_used_bytes') / megabyte,
    descriptors: value('process_open_fds'),
    handles: value('nodejs_active_handles_total'),
    lagP99: value('nodejs_eventloop_lag_p99_seconds') * 1_000,
  };
}

/** The slope of the line that fits best. */
function slope(samples: readonly Sample[], part: 'rss' | 'heap'): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [hours, values] = [mean(samples.map(({ hours }) => hours)), mean(samples.map((one) => one[part]))];
  const over = samples.reduce((sum, one) => sum + (one.hours - hours) * (one[part] - values), 0);
  const under = samples.reduce((sum, one) => sum + (one.hours - hours) ** 2, 0);
  return under === 0 ? 0 : over / under;
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;

/** What is larger in the last quarter than in the second one by more than a tenth. */
function grown(samples: readonly Sample[], part: 'rss' | 'heap' | 'descriptors' | 'handles'): string[] {
  const quarter = (at: number) =>
    samples.slice(Math.floor((samples.length * at) / 4), Math.floor((samples.length * (at + 1)) / 4));
  const [before, after] = [median(quarter(1).map((one) => one[part])), median(quarter(3).map((one) => one[part]))];
  return after > before * 1.1 + 5 ? [`${part} grew from ${before.toFixed(1)} to ${after.toFixed(1)}`] : [];
}

async function peopleOf(
  databaseUrl: string,
  url: string,
  owners: number,
): Promise<Pick<LoadPlan, 'staff' | 'accounts' | 'taskIds'>> {
  const staff: Staff = await makeStaff(databaseUrl, owners);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    const password = 'a password of the load';
    const passwordHash = await hashPassword(password);
    const accounts = Array.from({ length: 20 }, (_, at) => ({ email: `load${at}@example.test`, password }));
    for (const { email } of accounts) await makePerson(pool, { email, passwordHash });
    const taskIds: string[] = [];
    for (const { id: userId, token } of staff.owners) {
      const made = await graphql(
        url,
        { token },
        'mutation ($userId: ID!) { createTask(title: "To write on", userId: $userId) { id } }',
        { userId },
      );
      if (made.kind !== 'done') throw new Error(`No task to write on: ${JSON.stringify(made)}`);
      taskIds.push(made.body.data.createTask.id);
    }
    return { staff, accounts, taskIds };
  } finally {
    await pool.end();
  }
}

const figuresOf = (minutes: number, load: LoadTally, settled: readonly Sample[]) => ({
  'calls asked a second': perSecond,
  'calls sent a second': Number((load.sent / (minutes * 60)).toFixed(1)),
  'calls sent': load.sent,
  'calls held back, as too many had no answer yet': load.held,
  'calls asked to come again': load.later,
  'calls that failed': [...load.failed.values()].reduce((sum, count) => sum + count, 0),
  ...spread('milliseconds of a call', load.milliseconds),
  'megabytes of memory (RSS) at first': Number((settled[0]?.rss ?? 0).toFixed(1)),
  'megabytes of memory (RSS) at last': Number((settled.at(-1)?.rss ?? 0).toFixed(1)),
  'megabytes of memory (RSS) an hour': Number(slope(settled, 'rss').toFixed(2)),
  'megabytes of heap after collecting at first': Number((settled[0]?.heap ?? 0).toFixed(1)),
  'megabytes of heap after collecting at last': Number((settled.at(-1)?.heap ?? 0).toFixed(1)),
  'megabytes of heap after collecting an hour': Number(slope(settled, 'heap').toFixed(2)),
  'open descriptors, most': Math.max(...settled.map(({ descriptors }) => descriptors)),
  'active handles, most': Math.max(...settled.map(({ handles }) => handles)),
  'event loop lag p99 in milliseconds, median': Number(median(settled.map(({ lagP99 }) => lagP99)).toFixed(1)),
  'event loop lag p99 in milliseconds, most': Number(Math.max(...settled.map(({ lagP99 }) => lagP99)).toFixed(1)),
});

export const soaked: Fault = {
  id: 'F16',
  title: 'An hour of work at 50 calls a second: nothing grows that has no reason to',
  unit: 'minutes',
  trials: false,
  counts: { short: 1, full: 60 },
  async run({ count: minutes, seed, say }) {
    const database = await outsideDatabase();
    const product = new Product({ database, nodeOptions: asStarted, env: { METRICS_TOKEN: metricsToken } });
    try {
      await product.start();
      const people = await peopleOf(database.url, product.url, ownersFor(minutes));
      const started = performance.now();
      const until = started + minutes * 60_000;
      const samples: Sample[] = [];
      const watching = (async () => {
        while (performance.now() < until - 1_000) {
          await sleep(Math.min(everyMs, until - performance.now()));
          const taken = await sample(product, started).catch(() => null);
          if (taken) samples.push(taken);
          if (taken && samples.length % 20 === 0)
            say(
              `${Math.round(taken.hours * 60)} minutes: ${taken.rss.toFixed(0)} MB, heap ${taken.heap.toFixed(1)} MB, ${taken.descriptors} descriptors`,
            );
        }
      })();
      const load = await mixedLoad({ url: product.url, ...people, random: seededRandom(seed), perSecond }, until);
      await watching;
      // The first quarter warms up: caches fill, code is compiled, connections are opened.
      const settled = samples.slice(Math.floor(samples.length / 4));
      const state = await wholeState(database.url, product.dataDir);
      const failed = [...load.failed].map(([what, count]) => `${count} calls: ${what}`);
      // A disk that stalls makes some wait. More than a few are the product's own slowness.
      if (load.later > load.sent / 100) failed.push(`${load.later} calls were asked to come again`);
      const growing =
        minutes >= 10
          ? (['rss', 'heap', 'descriptors', 'handles'] as const).flatMap((part) => grown(samples, part))
          : [];
      return { figures: figuresOf(minutes, load, settled), failures: [...failed, ...growing, ...state.faults] };
    } finally {
      await product.end();
      await database.stop();
    }
  },
};
