// The settings as they are now. Each server keeps a copy in memory and reads it again when any server changes one.
import { defaultSettings, isSetting, isSettingValue, type Settings } from '#core/admin/settings.ts';
import type { Services } from '../context.ts';
import type { Log } from '../db/log.ts';
import { readSettings } from './settings.store.ts';

export { readSettings, type SettingRow, settingColumns } from './settings.store.ts';

/** A stored value that the setting does not know is of another version of the product, and not used. */
export function settingsOf(rows: readonly { key: string; value: unknown; isDefault?: boolean }[]): Settings {
  const known = rows.filter(({ key, value, isDefault }) => !isDefault && isSetting(key) && isSettingValue(key, value));
  return { ...defaultSettings, ...Object.fromEntries(known.map(({ key, value }) => [key, value])) };
}

export type LoadedSettings = { readonly current: () => Settings; stop(): void };

export async function loadSettings({
  database,
  live,
  log,
}: Pick<Services, 'database' | 'live'> & { readonly log: Log }): Promise<LoadedSettings> {
  let current = settingsOf(await readSettings(database.drizzle));
  const refresh = () => {
    readSettings(database.drizzle).then(
      (rows) => {
        current = settingsOf(rows);
      },
      (error) => log.warn({ err: error }, 'the settings could not be read again'),
    );
  };
  const stops = [live.on('settingsChanged', refresh), live.onGap(refresh)];
  return {
    current: () => current,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}
