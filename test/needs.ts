// What a test needs that a machine may lack: a program, root, shared data. `npm test` ends with a line for
// each.
import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    needs?: string;
  }
}

/** Options of a test or a suite that runs only where this is there. */
export const needs = (what: string, isThere: boolean) => ({ skip: !isThere, meta: { needs: what } });

/** For a test that finds out while it runs. */
export function skipFor({ task, skip }: TestContext, what: string): never {
  task.meta.needs = what;
  return skip();
}

export const hasProgram = (program: string, ...parameters: readonly string[]): boolean =>
  spawnSync(program, parameters, { stdio: 'ignore' }).error === undefined;
