// Opens the company's database for a command: the one that a running server holds, or its own until the command ends.
import type { CommandConfig } from '../config.ts';
import { type DatabaseClock, databaseClock } from '../db/clock.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { joinOrStartDatabase } from '../db/join-database.ts';
import { migrate } from '../db/migrate.ts';

/** What a command says while it works goes beside its answer. */
export const commandLog = { info() {}, warn: logLine, error: logLine };

function logLine(...parts: unknown[]): void {
  console.error(parts.at(-1));
}

export type CommandDatabase = {
  readonly url: string;
  readonly database: Database;
  readonly clock: DatabaseClock;
  close(): Promise<void>;
};

/** `what`: who holds the database meanwhile, for whoever else wants it. */
export async function openCommandDatabase(config: CommandConfig, what: string): Promise<CommandDatabase> {
  const joined = config.databaseUrl
    ? { url: config.databaseUrl, stop: async () => {} }
    : await joinOrStartDatabase({ dataDir: config.dataDir, log: commandLog, what });
  try {
    await migrate({ url: joined.url, log: commandLog });
    const database = openDatabase({ url: joined.url, poolSize: 2, log: commandLog });
    const clock = await databaseClock(database, commandLog);
    const close = async () => {
      clock.stop();
      await database.close();
      await joined.stop();
    };
    return { url: joined.url, database, clock, close };
  } catch (error) {
    await joined.stop();
    throw error;
  }
}
