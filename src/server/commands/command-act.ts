// An admin command: works with the database and returns what to print.
import type { Recovery } from '#server/access/auth/recovery.service.ts';
import type { SettingsActor } from '#server/admin/settings/settings.service.ts';
import type { CommandConfig } from '#server/platform/config/config.ts';

/** What a command works with: the database, and who it acts as. */
export type CommandParts = Recovery &
  SettingsActor &
  Pick<CommandConfig, 'dataDir' | 'filesUrl'> & { readonly url: string };

/** What to print when only a part could be done. The exit code says so too. */
export type Partly = { readonly partly: string };

/** Returns the text to print. */
export type Act = (parts: CommandParts) => Promise<string | Partly>;
