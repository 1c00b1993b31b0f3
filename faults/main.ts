// `npm run faults -- [--only F1,F4] [--full] [--count N] [--seed N]`: what the product does when a process,
// the database, a disk, a clock or a caller fails it. Talks to this machine only, ends by itself, and exits
// with 1 where something did not hold. A run that counted at least as far as the one in docs/results/ takes
// its place there.
import 'temporal-polyfill/global';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { everyFault } from './every-fault.ts';
import { CannotRun, type Fault, type Outcome } from './fault.ts';

const results = new URL('../docs/results/', import.meta.url);
const root = new URL('..', import.meta.url);

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} is "${text}", it wants a whole number above 0`);
  return Number(text);
}

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { only: text, count: text, seed: text, full: { type: 'boolean', default: false } },
  });
  const only = values.only?.split(',') ?? everyFault.map(({ id }) => id);
  const unknown = only.filter((id) => !everyFault.some((fault) => fault.id === id));
  if (unknown.length > 0)
    throw new Error(`--only ${unknown.join(',')}: there are ${everyFault.map(({ id }) => id).join(' ')}`);
  return {
    asked: everyFault.filter(({ id }) => only.includes(id)),
    full: values.full,
    count: wholeNumber(values.count, 'count'),
    seed: wholeNumber(values.seed, 'seed') ?? Math.ceil(Math.random() * 1_000_000),
  };
}

type Tried = {
  readonly fault: Fault;
  readonly count: number;
  readonly seconds: number;
  readonly outcome?: Outcome;
  readonly skipped?: string;
};

async function tryOut(fault: Fault, count: number, seed: number): Promise<Tried> {
  const started = performance.now();
  const say = (line: string) => console.log(`${fault.id} ${line}`);
  say(`${fault.title}: ${count} ${fault.unit}`);
  const seconds = () => Math.round((performance.now() - started) / 1_000);
  try {
    const outcome = await fault.run({ count, seed, say });
    return { fault, count, seconds: seconds(), outcome };
  } catch (error) {
    if (error instanceof CannotRun) return { fault, count, seconds: seconds(), skipped: error.message };
    const failures = [`could not be tried to its end: ${(error as Error).stack}`];
    return { fault, count, seconds: seconds(), outcome: { figures: {}, failures } };
  }
}

/** No failure in n trials: with 95 % certainty fewer than 3 in n fail (the rule of three). */
const certainty = ({ fault, count, outcome }: Tried): string | undefined =>
  fault.trials && count > 3 && outcome?.failures.length === 0
    ? `< ${Number((300 / count).toPrecision(2))} % at 95%`
    : undefined;

function commit(): string {
  const git = (...asked: string[]) => execFileSync('git', asked, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', 'src') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
}

function keep(tried: Tried, seed: number): void {
  const { fault, count, seconds, outcome } = tried;
  if (!outcome) return;
  const file = new URL(`faults-${fault.id}.json`, results);
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { count: number }) : undefined;
  if (kept && kept.count > count) return;
  const result = {
    at: new Date().toISOString(),
    commit: commit(),
    fault: fault.id,
    title: fault.title,
    machine: {
      cores: availableParallelism(),
      processor: cpus()[0]?.model ?? '',
      memoryGb: Math.round(totalmem() / 1024 ** 3),
      node: process.versions.node,
    },
    seed,
    count,
    unit: fault.unit,
    seconds,
    figures: outcome.figures,
    failures: outcome.failures,
    probabilityOfFailure: certainty(tried),
  };
  mkdirSync(results, { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}

function linesOf(tried: Tried): string[] {
  const { fault, count, seconds, outcome, skipped } = tried;
  const verdict = skipped ? `skipped: ${skipped}` : outcome?.failures.length ? 'FAILED' : 'held';
  const chance = certainty(tried);
  return [
    `${fault.id.padEnd(4)} ${verdict}  ${fault.title}, ${count} ${fault.unit}${chance ? ` (fails ${chance})` : ''}, ${seconds} s`,
    ...Object.entries(outcome?.figures ?? {}).map(([name, value]) => `       ${name}: ${value}`),
    ...(outcome?.failures ?? []).map((failure) => `     ✗ ${failure}`),
  ];
}

const { asked, full, count, seed } = readOptions();
console.log(`seed ${seed}`);
const all: Tried[] = [];
for (const fault of asked) {
  const tried = await tryOut(fault, count ?? (full ? fault.counts.full : fault.counts.short), seed);
  keep(tried, seed);
  all.push(tried);
}
console.log(`\n${all.flatMap(linesOf).join('\n')}`);
// What a scenario left open must not keep this from ending.
process.exit(all.some(({ outcome }) => outcome?.failures.length) ? 1 : 0);
