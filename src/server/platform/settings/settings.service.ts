// The current settings. Each server caches them and rereads when any server changes one.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { defaultSettings, isSetting, isSettingValue, type Settings } from '#core/admin/settings.ts';
import type { WorkCalendar } from '#core/base/working-hours.ts';
import type { Config } from '../config/config.ts';
import type { Services } from '../context.ts';
import type { Queries } from '../db/database.ts';
import type { Log } from '../db/log.ts';

export type SettingRow = {
  readonly key: string;
  /** Null if `isDefault`, but null can also be a value. */
  readonly value: unknown;
  readonly isDefault: boolean;
  readonly version: number;
  readonly changedAt: string;
};

export const settingColumns = sql.raw(
  `s.key, s.value, s.value is null as "isDefault", s.version, s.changed_at as "changedAt"`,
);

export async function readSettings(queries: Queries): Promise<SettingRow[]> {
  const { rows } = await queries.execute<SettingRow>(sql`select ${settingColumns} from settings s`);
  return rows;
}

/** Ignores stored values that the setting doesn't accept: they come from another version of the product. */
export function settingsOf(rows: readonly { key: string; value: unknown; isDefault?: boolean }[]): Settings {
  const known = rows.filter(({ key, value, isDefault }) => !isDefault && isSetting(key) && isSettingValue(key, value));
  return { ...defaultSettings, ...Object.fromEntries(known.map(({ key, value }) => [key, value])) };
}

/** What working hours are counted by. */
export const workCalendar = ({
  config,
  settings,
}: Pick<Services, 'settings'> & { readonly config: Pick<Config, 'companyTimeZone'> }): WorkCalendar => ({
  zone: config.companyTimeZone,
  holidays: settings().holidays,
});

/** Before a failed reading is repeated. */
const pauseMs = 1_000;

export type LoadedSettings = { readonly current: () => Settings; stop(): void };

export async function loadSettings({
  database,
  live,
  log,
}: Pick<Services, 'database' | 'live'> & { readonly log: Log }): Promise<LoadedSettings> {
  let current = settingsOf(await readSettings(database.drizzle));
  let stopped = false;
  const refresh = async () => {
    while (!stopped)
      try {
        current = settingsOf(await readSettings(database.drizzle));
        return;
      } catch (error) {
        log.warn({ err: error }, 'the settings could not be read again');
        await sleep(pauseMs, undefined, { ref: false });
      }
  };
  const stops = [live.on('settingsChanged', refresh), live.onGap(refresh)];
  return {
    current: () => current,
    stop: () => {
      stopped = true;
      for (const stop of stops) stop();
    },
  };
}
