// Times of things done in turn: machines are shared, and only what is measured side by side can be compared.

export type Times = { readonly p50: number; readonly p99: number; readonly runs: number };

/** The smallest of the values that so great a share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;

function timesOf(values: readonly number[]): Times {
  return { p50: rounded(percentile(values, 0.5)), p99: rounded(percentile(values, 0.99)), runs: values.length };
}

export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

type Contestants<Name extends string> = Readonly<Record<Name, () => Promise<unknown>>>;

/** Each in turn, as often as asked, after one round that does not count. */
export async function alternating<Name extends string>(
  contestants: Contestants<Name>,
  rounds: number,
): Promise<Record<Name, Times>> {
  const names = Object.keys(contestants) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1)
    for (const name of names) {
      const time = await milliseconds(contestants[name]);
      if (round > 0) values[name].push(time);
    }
  return Object.fromEntries(names.map((name) => [name, timesOf(values[name])])) as Record<Name, Times>;
}
