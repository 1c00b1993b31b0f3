// `npm run admin -- COMMAND ...`: the way back in, and what a running product is told from outside. Works beside a running server.
import 'temporal-polyfill/global';
import { randomUUID } from 'node:crypto';
import { ConfigFaults, readCommandConfig } from '../config.ts';
import { isUnavailable } from '../db/database-failures.ts';
import { RefusalError } from '../graphql/refusal-error.ts';
import { openLiveChanges } from '../live/live.service.ts';
import { loadSettings } from '../settings/settings.service.ts';
import { readAdminCommand } from './admin-commands.ts';
import type { Act } from './command-act.ts';
import { commandLog, openCommandDatabase } from './command-database.ts';

async function run(act: Act): Promise<string> {
  const config = readCommandConfig(process.env);
  const { companyTimeZone, dataDir, filesUrl } = config;
  const { url, database, clock, close } = await openCommandDatabase(config, 'an admin command');
  try {
    const live = await openLiveChanges({ url, log: commandLog });
    const settings = await loadSettings({ database, live, log: commandLog });
    const actor = { viewer: null, requestId: `command ${randomUUID()}`, address: 'command' };
    try {
      const surroundings = { companyTimeZone, dataDir, filesUrl, settings: settings.current };
      return await act({ url, database, clock, live, ...surroundings, ...actor });
    } finally {
      settings.stop();
      await live.close();
    }
  } finally {
    await close();
  }
}

try {
  console.log(await run(readAdminCommand(process.argv.slice(2))));
} catch (error) {
  const isForPeople = error instanceof RefusalError || error instanceof ConfigFaults;
  if (isForPeople) console.error((error as Error).message);
  else if (isUnavailable(error)) console.error(`The database cannot be reached: ${(error as Error).message}`);
  else console.error(error);
  process.exitCode = 1;
}
