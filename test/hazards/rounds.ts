// What becomes of the counts of a race: all rounds with `npm run hazards`, a few with `npm test`.
import { expect, type TestContext } from 'vitest';

/**
 * What a test ran, for docs/results/hazards.json: `interleavings` orders or races, of which `violations` went
 * wrong.
 */
export type Counted = { readonly hazard: string; readonly interleavings: number; readonly violations: number };

declare module 'vitest' {
  interface TaskMeta {
    hazard?: Counted;
  }
}

/** Random, and the same again with HAZARDS_SEED. */
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
