// Servers that are measured: processes of their own, on this machine only.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { builtServer } from '../scripts/build-server.ts';
import { freePort } from '../src/server/platform/db/postmaster.ts';
import type { DatabaseFolder } from '../test/database-folder.ts';
import { startOptions } from '../test/start-options.ts';

export type Program = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Milliseconds from its start to the first answered `/readyz`. */
  readonly readyMs: number;
  stop(): Promise<void>;
};

const askEveryMs = 5;
const root = fileURLToPath(new URL('..', import.meta.url));

const compileCache = join(root, 'node_modules/.cache/node');

/** What Node is told to run. */
export type Script = readonly string[];
export const limitScript: Script = [fileURLToPath(new URL('./limit-server.ts', import.meta.url))];
/** As `npm start` runs it. */
export const serverScript: Script = [...startOptions, join(builtServer(root), 'main.js')];

/**
 * A program as a separate process, once it says that it is ready. What it writes goes to a file in the
 * folder.
 */
export async function startProgram(script: Script, folder: string, env: NodeJS.ProcessEnv): Promise<Program> {
  const port = await freePort();
  const log = openSync(join(folder, `${port}.log`), 'w');
  const started = performance.now();
  const child = spawn(process.execPath, [...script], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', log, 'inherit'],
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${script.at(-1)} ended before it was ready`);
    await sleep(askEveryMs);
  }
  const readyMs = performance.now() - started;
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { url, port, pid: child.pid!, readyMs, stop };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** One for all starts: a database refuses a server with another. */
const linkSecret = randomBytes(32).toString('hex');

/** What the server is told, on the database of the benchmark. */
export const serverEnvironment = ({ url, folder }: DatabaseFolder): NodeJS.ProcessEnv => ({
  DATA_DIR: join(folder, 'server'),
  DATABASE_URL: url,
  LINK_SECRET: linkSecret,
});
