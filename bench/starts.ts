// How long it takes until a server answers, on a database that runs and with an embedded one, in turn with
// the bare server.
import { join } from 'node:path';
import type { DatabaseFolder } from '../test/database-folder.ts';
import { percentile } from './measure.ts';
import { processorMs } from './processor.ts';
import { limitScript, type Script, serverEnvironment, serverScript, startProgram } from './programs.ts';

/**
 * To the first answered `/readyz`. On a machine that does other things besides, the processor time says more.
 */
export type Start = { readonly wallMs: number; readonly cpuMs: number | null };
export type Starts = { readonly postgres: Start; readonly embedded: Start; readonly limit: Start };

async function startOf(script: Script, folder: string, env: NodeJS.ProcessEnv): Promise<Start> {
  const program = await startProgram(script, folder, env);
  const cpuMs = processorMs(program.pid);
  await program.stop();
  return { wallMs: Math.round(program.readyMs), cpuMs };
}

const middle = (starts: readonly Start[]): Start => ({
  wallMs: percentile(
    starts.map(({ wallMs }) => wallMs),
    0.5,
  ),
  cpuMs:
    starts[0]?.cpuMs === null
      ? null
      : percentile(
          starts.map(({ cpuMs }) => cpuMs ?? 0),
          0.5,
        ),
});

/** An earlier start, which doesn't count, creates the embedded database. */
export async function startsOf(database: DatabaseFolder, repeats: number): Promise<Starts> {
  const { folder, url } = database;
  const own = {
    DATA_DIR: join(folder, 'own'),
    ADMIN_EMAIL: 'admin@example.test',
    ADMIN_PASSWORD: 'a password of the benchmark',
  };
  await startOf(serverScript, folder, own);
  const starts = { postgres: [] as Start[], embedded: [] as Start[], limit: [] as Start[] };
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    starts.limit.push(await startOf(limitScript, folder, { DATABASE_URL: url }));
    starts.postgres.push(await startOf(serverScript, folder, serverEnvironment(database)));
    starts.embedded.push(await startOf(serverScript, folder, own));
  }
  return { postgres: middle(starts.postgres), embedded: middle(starts.embedded), limit: middle(starts.limit) };
}
