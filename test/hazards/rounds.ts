// How often each race is run, and what becomes of the counts: a few rounds with every `npm test`, all with `npm run hazards`.
import { expect, type TestContext } from 'vitest';

/** What a test ran, for docs/results/hazards.json: `interleavings` orders or races, of which `violations` went wrong. */
export type Counted = { readonly hazard: string; readonly interleavings: number; readonly violations: number };

declare module 'vitest' {
  interface TaskMeta {
    hazard?: Counted;
  }
}

const isFull = process.env.HAZARDS === 'full';

export const rounds = (few: number, all: number): number => (isFull ? all : few);

/** Of chance, and the same again with HAZARDS_SEED. */
export const seed = Number(process.env.HAZARDS_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Counts what was run, and fails with the first of what went wrong. */
export function expectNone(
  { task }: TestContext,
  hazard: string,
  interleavings: number,
  violations: readonly unknown[],
): void {
  task.meta.hazard = { hazard, interleavings, violations: violations.length };
  expect(interleavings).toBeGreaterThan(0);
  expect(violations.slice(0, 5), `seed ${seed}`).toEqual([]);
}
