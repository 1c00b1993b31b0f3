// `staff-dashboard admin`: recovery and settings. Works next to a running server.

import { randomUUID } from 'node:crypto';
import { ownAddress } from '#core/admin/audit-log.ts';
import { readCommandConfig } from '#server/platform/config/config.ts';
import { openLiveChanges } from '#server/platform/live/live.service.ts';
import { loadSettings } from '#server/platform/settings/settings.service.ts';
import { adminCommands } from './admin-commands.ts';
import { type Command, type CommandGroup, exitCodes } from './command.ts';
import type { Act } from './command-act.ts';
import { commandLog, openCommandDatabase } from './command-database.ts';

async function perform(act: Act): ReturnType<Act> {
  const config = readCommandConfig(process.env);
  const { dataDir, filesUrl } = config;
  const log = commandLog(config);
  const { url, database, clock, close } = await openCommandDatabase(config, 'an admin command');
  try {
    const live = await openLiveChanges({ url, log, who: 'staff-dashboard admin' });
    try {
      const settings = await loadSettings({ database, live, log });
      const actor = { viewer: null, requestId: `command ${randomUUID()}`, address: ownAddress.command };
      const surroundings = { config, dataDir, filesUrl, settings: settings.current };
      return await act({ url, database, clock, live, ...surroundings, ...actor }).finally(() => settings.stop());
    } finally {
      await live.close();
    }
  } finally {
    await close();
  }
}

const entries = Object.entries(adminCommands).map(([name, { prepare, ...shape }]) => {
  const command: Command = {
    ...shape,
    async run(given) {
      const done = await perform(prepare(given));
      console.log(typeof done === 'string' ? done : done.partly);
      return typeof done === 'string' ? exitCodes.ok : exitCodes.partly;
    },
  };
  return [name, { does: shape.does, load: async () => command }] as const;
});

export const adminGroup: CommandGroup = { commands: Object.fromEntries(entries) };
