// The settings as they are now. Each server keeps a copy in memory and reads it again when any server changes one.

import { type SettingKind, writeValue } from '#core/admin/setting-kinds.ts';
import {
  changeSettingInput,
  defaultSettings,
  isSetting,
  isSettingValue,
  readSetting,
  type SettingKey,
  type Settings,
  settingKeys,
  settings,
} from '#core/admin/settings.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { staleRefusal } from '#core/base/versions.ts';
import { displayName } from '#core/people/people.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { assertProofOfRequest } from '../auth/recent-proof.ts';
import type { RequestContext, Services } from '../context.ts';
import type { Queries } from '../db/database.ts';
import type { Log } from '../db/log.ts';
import { orThrow, RefusalError } from '../graphql/refusal-error.ts';
import type { LiveChanges } from '../live/live.service.ts';
import { tellingOfDefaultApprover } from '../notices/access-notices.ts';
import { isActivePerson } from '../people/people.service.ts';
import {
  lockSettings,
  type NamedSettingRow,
  readNamedSettings,
  readSettingRow,
  readSettings,
  saveSetting,
} from './settings.store.ts';

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

const personKeys = settingKeys.filter((key) => (settings[key] as SettingKind).kind === 'person');

/** Whoever changes a setting: a request of a person, or a command. */
export type SettingsActor = Pick<RequestContext, 'database' | 'clock' | 'settings' | 'requestId' | 'address'> & {
  readonly viewer: { readonly id: string } | null;
  readonly live: Pick<LiveChanges, 'publish'>;
  /** A command has none. */
  readonly session?: Buffer | null;
};

export type SettingOptions = {
  /** Of the setting as it was read. Without one the change applies to what is there. */
  readonly version?: number | undefined;
  /** Throws where the change isn't allowed. It runs in the transaction of the change, with the settings locked. */
  readonly assertAllowed?: (queries: Queries) => Promise<void>;
};

/** Changes a setting for all servers; undefined is back to its default. Who may is the caller's to check. */
export async function changeSetting<Key extends SettingKey>(
  context: SettingsActor,
  key: Key,
  value: Settings[Key] | undefined,
  { version, assertAllowed }: SettingOptions = {},
): Promise<void> {
  await context.database.transaction(async (queries) => {
    // Who approves whom decides who sees tasks.
    if (personKeys.includes(key)) await assertProofOfRequest(queries, context);
    await lockSettings(queries);
    await assertAllowed?.(queries);
    const row = await readSettingRow(queries, key);
    const stale = staleRefusal(row?.version ?? 0, version);
    if (stale) throw new RefusalError(stale);
    if (personKeys.includes(key) && typeof value === 'string' && !(await isActivePerson(queries, value)))
      throw new RefusalError(refuse('BAD_INPUT', 'There is nobody with this id who may sign in', { field: 'value' }));
    const save = () =>
      saveSetting(queries, key, {
        value,
        version: (row?.version ?? 0) + 1,
        by: context.viewer?.id ?? null,
        at: context.clock.now().toString(),
      });
    // Whom it gives another approver is told.
    if (key === 'defaultApprover') await tellingOfDefaultApprover(context, queries, save);
    else await save();
    await recordAudit(queries, context, {
      action: 'settingChanged',
      subjectType: 'setting',
      subjectId: key,
      before: { value: settingsOf(row ? [row] : [])[key] },
      after: { value: value === undefined ? defaultSettings[key] : value },
    });
    await context.live.publish(queries, 'settingsChanged', null);
  });
}

/** A setting as the page shows it. */
export type ShownSetting = {
  readonly key: string;
  /** As `readSetting` reads it. */
  readonly value: string;
  readonly isDefault: boolean;
  readonly version: number;
  /** Null: never changed. */
  readonly changedAt: string | null;
  /** Null: by a command, or never. */
  readonly changedBy: string | null;
  /** The name of the person that the value is. */
  readonly person: string | null;
};

/** All settings in the order of the core's table. */
export async function listSettings({ database }: Pick<Services, 'database'>): Promise<ShownSetting[]> {
  const rows = await readNamedSettings(database.drizzle, personKeys);
  const current = settingsOf(rows);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return settingKeys.map((key) => shown(key, current, byKey.get(key)));
}

function shown(key: SettingKey, current: Settings, row: NamedSettingRow | undefined): ShownSetting {
  return {
    key,
    value: writeValue(settings[key], current[key]),
    isDefault: row?.isDefault ?? true,
    version: row?.version ?? 0,
    changedAt: row?.changedAt ?? null,
    changedBy: row?.changedBy ? displayName(row.changedBy) : null,
    person: row?.person ? displayName(row.person) : null,
  };
}

/** A change as it comes in: the value as text, or null for the default. */
export async function changeSettingByText(context: RequestContext, args: object): Promise<ShownSetting> {
  const { key, value: text, version } = orThrow(readInput(changeSettingInput, args));
  if (!isSetting(key)) throw new RefusalError(refuse('NOT_FOUND', 'There is no such setting', { field: 'key' }));
  const current = settingsOf(await readSettings(context.database.drizzle));
  const value = text === undefined ? undefined : orThrow(readSetting(key, text, current));
  await changeSetting(context, key, value, { version });
  const all = await listSettings(context);
  return all.find((setting) => setting.key === key) as ShownSetting;
}
