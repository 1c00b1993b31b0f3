// One round of a fault under load: writers write, something goes wrong at a moment of chance, they go on, and
// everything that was acknowledged is looked for.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Random, seededRandom } from '#server/demo/random.ts';
import { AcknowledgedWrites, compare } from './acknowledged-writes.ts';
import type { Asked, Outcome } from './fault.ts';
import { makeStaff, type Product, type Staff } from './product.ts';
import { wholeState } from './whole-state.ts';
import { prepareTasks, type Tally, type Task, Writers } from './writers.ts';

/** Two writers of each kind. */
const concurrentWriters = 8;
const longestRunMs = 1_000;

export type Rounds = {
  readonly product: Pick<Product, 'url' | 'databaseUrl' | 'dataDir' | 'folder'>;
  readonly asked: Asked;
  /**
   * What goes wrong; resolves when it seems to be over. Returns a duration in milliseconds, if there is one.
   */
  readonly strike: (
    random: Random,
    round: number,
    load: { staff: Staff; tasks: ReadonlyMap<string, Task> },
  ) => Promise<number | undefined>;
  /** What the answers of a round must not hold; gives faults in words. */
  readonly judge?: (tally: Tally) => readonly string[];
};

/** The middle, the slowest of a hundred, and the slowest of values in milliseconds. */
export function spread(name: string, values: readonly number[]): Record<string, number> {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { [`${name} p50`]: at(0.5), [`${name} p99`]: at(0.99), [`${name} max`]: at(1) };
}

/** The product has been started; it is left running. */
export async function runRounds({ product, asked, strike, judge = () => [] }: Rounds): Promise<Outcome> {
  const random = seededRandom(asked.seed);
  const staff = await makeStaff(product.databaseUrl, concurrentWriters);
  const url = () => product.url;
  const writes = new AcknowledgedWrites(product.folder);
  const tasks = await prepareTasks({ url, staff });
  const failures: string[] = [];
  const [struck, gaps]: [number[], number[]] = [[], []];
  let [acknowledged, doneUnanswered, later] = [0, 0, 0];
  for (let round = 1; round <= asked.count && failures.length === 0; round++) {
    const writers = new Writers({ url, databaseUrl: product.databaseUrl, staff, writes, random }, tasks);
    await sleep(random.between(0, longestRunMs));
    const measured = await strike(random, round, { staff, tasks });
    if (measured !== undefined) struck.push(measured);
    const goesOn = await writers.acknowledgedMore(concurrentWriters);
    const tally = await writers.stop();
    gaps.push(tally.longestGapMs);
    for (const count of tally.later.values()) later += count;
    if (!goesOn) failures.push(`round ${round}: nothing was acknowledged any more`);
    failures.push(...[...tally.unexpected, ...judge(tally)].map((fault) => `round ${round}: ${fault}`));
    const verdict = await comparedBy(product, writes);
    ({ acknowledged, doneUnanswered } = verdict);
    failures.push(...verdict.faults.map((fault) => `round ${round}: ${fault}`));
    if (round % 10 === 0)
      asked.say(`${round} of ${asked.count}, ${acknowledged} writes acknowledged, ${failures.length} faults`);
  }
  writes.close();
  const state = await wholeState(product.databaseUrl, product.dataDir);
  return {
    figures: {
      'acknowledged writes': acknowledged,
      'acknowledged writes lost': failures.filter((fault) => fault.endsWith('is lost')).length,
      'writes without an answer that were made': doneUnanswered,
      'answers that asked to come again': later,
      ...(struck.length > 0 ? spread('milliseconds until it was ready', struck) : {}),
      ...spread('milliseconds without an acknowledgement', gaps),
      'rows in the audit log, whole': state.auditRows,
      'files that no task names': state.filesWithoutRow,
    },
    failures: [...failures.slice(0, 20), ...state.faults],
  };
}

/** The same outcome, each figure and failure with where it was. */
export const named = (where: string, { figures, failures }: Outcome): Outcome => ({
  figures: Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${where}: ${name}`, value])),
  failures: failures.map((failure) => `${where}: ${failure}`),
});

export async function comparedBy(product: Rounds['product'], writes: AcknowledgedWrites) {
  const client = new pg.Client({ connectionString: product.databaseUrl });
  client.on('error', () => {});
  await client.connect();
  return compare(writes, client).finally(() => client.end());
}
