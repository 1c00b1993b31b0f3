// How the time of a function grows, counted in processor time, in which other programs don't run.
import { expect } from 'vitest';

/** Milliseconds: the least of five calls. */
export function leastCpuTime(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const begin = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

/** A text eight times as long may take 24 times as long, where a quadratic search takes 64. */
export function expectLinear(work: (length: number) => void, length = 5_000): void {
  work(length);
  const short = Math.max(
    leastCpuTime(() => work(length)),
    0.5,
  );
  expect(leastCpuTime(() => work(8 * length)) / short).toBeLessThan(24);
}
