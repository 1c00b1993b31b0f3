// The settings as they are now. Each server keeps a copy in memory and reads it again when any server changes one.
import { defaultSettings, isSetting, isSettingValue, type SettingKey, type Settings } from '#core/settings.ts';
import { recordAudit } from '../audit/audit.service.ts';
import type { RequestContext, Services } from '../context.ts';
import type { Log } from '../db/log.ts';
import type { LiveChanges } from '../live/live.service.ts';
import { readSettings, saveSetting } from './settings.store.ts';

/** A stored value that the setting does not know is of another version of the product, and not used. */
export function settingsOf(rows: readonly { key: string; value: unknown }[]): Settings {
  const known = rows.filter(({ key, value }) => isSetting(key) && isSettingValue(key, value));
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

/** Whoever changes a setting: a request of a person, or a command. */
export type SettingsActor = Pick<RequestContext, 'database' | 'clock' | 'settings' | 'requestId' | 'address'> & {
  readonly viewer: { readonly id: string } | null;
  readonly live: Pick<LiveChanges, 'publish'>;
};

/** Changes a setting for all servers. Who may is the caller's to check. */
export async function changeSetting<Key extends SettingKey>(
  context: SettingsActor,
  key: Key,
  value: Settings[Key],
): Promise<void> {
  await context.database.transaction(async (queries) => {
    await saveSetting(queries, key, value);
    await recordAudit(queries, context, {
      action: 'settingChanged',
      subjectType: 'setting',
      subjectId: key,
      before: { value: context.settings()[key] },
      after: { value },
    });
    await context.live.publish(queries, 'settingsChanged', null);
  });
}
