// Opens the company's database for a command: a running server's, or its own until the command ends. Commands
// never migrate, because servers of the previous version may still run.

import { settingOf } from '#server/admin/setting-failures.ts';
import { connectAreas } from '#server/connect-areas.ts';
import type { CommandConfig, LogLevel } from '#server/platform/config/config.ts';
import { logLevels } from '#server/platform/config/config-variables.ts';
import { type DatabaseClock, databaseClock } from '#server/platform/db/clock.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { type JoinedDatabase, joinOrStartDatabase } from '#server/platform/db/join-database.ts';
import type { Log } from '#server/platform/db/log.ts';
import { assertCurrentSchema, schemaVersionAt } from '#server/platform/db/migrate.ts';
import { assertNoPooler } from '#server/platform/db/pooler.ts';

/** A command's log, separate from its result. */
export function commandLog({ logLevel }: Pick<CommandConfig, 'logLevel'>): Log {
  const from = (level: LogLevel) => (logLevels.indexOf(level) >= logLevels.indexOf(logLevel) ? logLine : () => {});
  return { info: from('info'), warn: from('warn'), error: from('error') };
}

function logLine(...parts: unknown[]): void {
  console.error(parts.at(-1));
}

export type CommandDatabase = {
  readonly url: string;
  readonly database: Database;
  readonly clock: DatabaseClock;
  close(): Promise<void>;
};

/**
 * The address of the database. `what` names the command to others that find it locked. `creates`: it may be
 * new.
 */
export async function joinCommandDatabase(
  config: CommandConfig,
  what: string,
  { creates = false } = {},
): Promise<JoinedDatabase> {
  for (const line of config.warnings) console.error(line);
  const { databaseUrl, dataDir } = config;
  if (!databaseUrl) return joinOrStartDatabase({ dataDir, log: commandLog(config), what, creates });
  await settingOf('database', assertNoPooler(databaseUrl, { sets: false }));
  return { url: databaseUrl, stop: async () => {} };
}

/** Throws SchemaMismatch unless the database has the tables of this version. */
export async function openCommandDatabase(config: CommandConfig, what: string): Promise<CommandDatabase> {
  connectAreas();
  const joined = await joinCommandDatabase(config, what);
  try {
    assertCurrentSchema(await settingOf('database', schemaVersionAt(joined.url)));
    const log = commandLog(config);
    const database = openDatabase({ url: joined.url, poolSize: 2, log });
    const clock = await databaseClock(database, log);
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
