// `npm run admin -- setting|first-admin|reset-password ...`: what has no page yet, and the way back in. Works beside a running server.
import 'temporal-polyfill/global';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { refuse } from '#core/refusals.ts';
import { isSetting, readSetting, settings as settingsTable } from '#core/settings.ts';
import { makeFirstAdmin, type Recovery, resetPassword } from '../auth/recovery.service.ts';
import { ConfigFaults, readCommandConfig } from '../config.ts';
import { databaseClock } from '../db/clock.ts';
import { openDatabase } from '../db/database.ts';
import { isUnavailable } from '../db/database-failures.ts';
import { joinOrStartDatabase } from '../db/join-database.ts';
import { migrate } from '../db/migrate.ts';
import { orThrow, RefusalError } from '../graphql/refusal-error.ts';
import { openLiveChanges } from '../live/live.service.ts';
import { changeSetting, loadSettings, type SettingsActor } from '../settings/settings.service.ts';

const usage = `npm run admin -- setting KEY VALUE        changes a setting, for running servers too: ${Object.keys(settingsTable).join(', ')}
npm run admin -- setting KEY              shows it
npm run admin -- first-admin EMAIL        makes an admin where none can sign in, and prints the password
npm run admin -- reset-password EMAIL     gives a person a new password, prints it and ends the person's sessions

  dashboards is set like connect=metabase,who-lives=builtin`;

type Parts = Recovery & SettingsActor;
/** Gives what is printed. */
type Command = (parts: Parts) => Promise<string>;

const log = { info() {}, warn: logLine, error: logLine };

function logLine(...parts: unknown[]): void {
  console.error(parts.at(-1));
}

const wrongUse = (message: string): RefusalError => new RefusalError(refuse('BAD_INPUT', `${message}\n${usage}`));

function readCommand([name, subject, ...rest]: readonly string[]): Command {
  if (subject === undefined || rest.length > (name === 'setting' ? 1 : 0))
    throw wrongUse('What is to be done is not clear');
  if (name === 'setting') return settingCommand(subject, rest[0]);
  if (name !== 'first-admin' && name !== 'reset-password') throw wrongUse(`There is no command "${name}"`);
  const email = z.email().max(254).safeParse(subject);
  if (!email.success) throw wrongUse(`"${subject}" is not an e-mail address`);
  const act = name === 'first-admin' ? makeFirstAdmin : resetPassword;
  return async (parts) => `${email.data} signs in with the password ${await act(parts, email.data)}`;
}

function settingCommand(key: string, text: string | undefined): Command {
  if (!isSetting(key)) throw wrongUse(`There is no setting "${key}"`);
  return async (parts) => {
    const current = parts.settings();
    if (text === undefined) return `${key} is ${JSON.stringify(current[key])}`;
    const value = orThrow(readSetting(key, text, current));
    await changeSetting(parts, key, value);
    return `${key} is now ${JSON.stringify(value)}`;
  };
}

async function run(command: Command): Promise<string> {
  const config = readCommandConfig(process.env);
  const closing: (() => Promise<void> | void)[] = [];
  try {
    const joined = config.databaseUrl
      ? { url: config.databaseUrl, stop: async () => {} }
      : await joinOrStartDatabase({ dataDir: config.dataDir, log, what: 'an admin command' });
    closing.unshift(joined.stop);
    await migrate({ url: joined.url, log });
    const database = openDatabase({ url: joined.url, poolSize: 2, log });
    closing.unshift(() => database.close());
    const clock = await databaseClock(database, log);
    closing.unshift(() => clock.stop());
    const live = await openLiveChanges({ url: joined.url, log });
    closing.unshift(() => live.close());
    const settings = await loadSettings({ database, live, log });
    closing.unshift(() => settings.stop());
    const actor = { viewer: null, requestId: `command ${randomUUID()}`, address: 'command' };
    return await command({ database, clock, live, settings: settings.current, ...actor });
  } finally {
    for (const close of closing) await close();
  }
}

try {
  console.log(await run(readCommand(process.argv.slice(2))));
} catch (error) {
  const isForPeople = error instanceof RefusalError || error instanceof ConfigFaults;
  if (isForPeople) console.error((error as Error).message);
  else if (isUnavailable(error)) console.error(`The database cannot be reached: ${(error as Error).message}`);
  else console.error(error);
  process.exitCode = 1;
}
