// What every admin command is: something done with the database, whose answer is printed.
import type { Recovery } from '../auth/recovery.service.ts';
import type { CommandConfig } from '../config.ts';
import type { SettingsActor } from '../settings/settings.service.ts';

/** What a command works with: the database, and who it acts as. */
export type CommandParts = Recovery &
  SettingsActor &
  Pick<CommandConfig, 'companyTimeZone' | 'dataDir' | 'filesUrl'> & { readonly url: string };

/** Gives what is printed. */
export type Act = (parts: CommandParts) => Promise<string>;
