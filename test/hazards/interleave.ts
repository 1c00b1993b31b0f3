// Every order in which two requests can meet: the first stops before its nth statement, the second goes as
// far as it comes, to its end or to a lock of the first, and then both go on. For n from the first statement
// to the last.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '#server/platform/db/database.ts';
import { serverRole } from '#server/platform/db/server-role.ts';
import { startTestApp, type TestApp } from '../app.ts';
import { betweenStatements } from './statements.ts';

export type Interleaved = {
  /** The statement that the first one stood before, or null where it had fewer. */
  readonly before: string | null;
  /** Whether the second one had to wait for the first. */
  readonly waited: boolean;
};

export type Interleaving = {
  /** The server whose requests are stopped. One request at a time. */
  readonly stopped: TestApp;
  run(n: number, first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<Interleaved>;
  stop(): Promise<void>;
};

/** A server beside `free`, whose statements wait where the test wants them to. */
export async function stoppedWhile(free: TestApp): Promise<Interleaving> {
  const database = openDatabase({ url: free.databaseUrl, role: serverRole, poolSize: 2, log: console });
  const ask = betweenStatements(database);
  const stopped = await startTestApp({ beside: { ...free, database } });
  // The role of the server is not told who waits.
  const impersonator = new pg.Client({ connectionString: free.databaseUrl });
  await impersonator.connect();
  const waits = async () => {
    const { rows } = await impersonator.query<{ waits: boolean }>(
      `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
    );
    return rows[0]?.waits === true;
  };
  return {
    stopped,
    async run(n, first, second) {
      const [reached, goOn] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()];
      let statements = 0;
      ask(async (sql) => {
        statements += 1;
        if (statements !== n) return undefined;
        reached.resolve(sql);
        await goOn.promise;
        return undefined;
      });
      const firstEnds = first();
      const before = await Promise.race([reached.promise, firstEnds.then(() => null)]);
      let hasEnded = false;
      const secondEnds = second().finally(() => {
        hasEnded = true;
      });
      while (!hasEnded && !(await waits())) await sleep(2);
      const waited = !hasEnded;
      goOn.resolve();
      await Promise.all([firstEnds, secondEnds]);
      ask(null);
      return { before, waited };
    },
    async stop() {
      await stopped.stop();
      await impersonator.end();
      await database.close();
    },
  };
}
