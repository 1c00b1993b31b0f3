// The embedded database is killed under a server that goes on: its first process only, or all of them, in
// turn; again with the server as the first process of a container, where it inherits what the database leaves
// behind.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../test/server-process.ts';
import { databaseProcesses, signal } from './database-processes.ts';
import { type Asked, CannotRun, type Fault, type Outcome } from './fault.ts';
import { Product } from './product.ts';
import { named, runRounds } from './round.ts';
import { type Tally, withoutAnswer } from './writers.ts';

/** Only to end what hangs: a busy machine takes its time. */
const longestRecoveryMs = 600_000;

/** Every call has an answer; while the database is away it is 503 with Retry-After, and nothing else. */
export function onlyBusy(tally: Tally): string[] {
  const { later, withoutRetryAfter } = tally;
  const faults = withoutAnswer(tally);
  const others = [...later.keys()].filter((status) => status !== 503 && status !== 409);
  if (others.length > 0) faults.push(`answers of ${others.join(', ')}`);
  if (withoutRetryAfter > 0) faults.push(`${withoutRetryAfter} answers of 503 without Retry-After`);
  return faults;
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Milliseconds until the server says that it can work; a server that has ended never will. */
export async function untilReady({ url, server }: { url: string; server?: ServerProcess }): Promise<number> {
  const started = performance.now();
  while (!(await isReady(url))) {
    if (server && server.child.exitCode !== null) throw new Error(`The server ended: ${server.output().slice(-2_000)}`);
    if (performance.now() - started > longestRecoveryMs) throw new Error('The server did not recover');
    await sleep(20);
  }
  return performance.now() - started;
}

async function killAgainAndAgain(asked: Asked, product: Product): Promise<Outcome> {
  try {
    await product.start();
    const data = join(product.dataDir, 'database');
    return await runRounds({
      product,
      asked,
      judge: onlyBusy,
      async strike(_random, round) {
        const { postmaster, others } = databaseProcesses(data);
        signal(postmaster, 'SIGKILL');
        if (round % 2 === 0) for (const pid of others) signal(pid, 'SIGKILL');
        // The server might not know yet, and still report ready.
        await sleep(50);
        const ready = await untilReady(product);
        return ready + 50;
      },
    });
  } finally {
    // Not told to stop: unshare hides that from its program.
    await product.server.kill();
    await product.end();
  }
}

const asFirstProcess = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;

function canBeFirstProcess(): boolean {
  try {
    const [program, ...parameters] = asFirstProcess;
    execFileSync(program, [...parameters, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export const databaseKilled: Fault = {
  id: 'F2',
  title: 'The embedded database is killed (SIGKILL) under the server',
  unit: 'kills',
  trials: true,
  counts: { short: 4, full: 200 },
  async run(asked) {
    if (process.platform !== 'linux') throw new CannotRun('Linux');
    const plain = await killAgainAndAgain(asked, new Product());
    if (!canBeFirstProcess())
      return { ...plain, figures: { ...plain.figures, 'as first process': 'skipped: unshare is not allowed here' } };
    const few = { ...asked, count: Math.ceil(asked.count / 10) };
    const first = named('as first process', await killAgainAndAgain(few, new Product({ under: asFirstProcess })));
    return {
      figures: { ...plain.figures, 'as first process: kills': few.count, ...first.figures },
      failures: [...plain.failures, ...first.failures],
    };
  },
};
