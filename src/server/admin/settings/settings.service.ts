// Changes settings, and lists them for the settings page.

import { type SettingKind, writeValue } from '#core/admin/setting-kinds.ts';
import {
  changeSettingInput,
  type DashboardsSetting,
  defaultSettings,
  isSetting,
  readSetting,
  type SettingKey,
  type Settings,
  settingKeys,
  settings,
} from '#core/admin/settings.ts';
import { readInput } from '#core/base/inputs.ts';
import { refuse } from '#core/base/refusals.ts';
import { staleRefusal } from '#core/base/versions.ts';
import { setDefaultApproverInput } from '#core/people/approvers.ts';
import { displayName } from '#core/people/people.ts';
import { trackDefaultApprover } from '#server/access/access-changes.ts';
import { assertProofOfRequest, recordOwnChange } from '#server/access/auth/recent-proof.ts';
import { type ApproverManagement, approverManagement } from '#server/people/approvers.service.ts';
import { isActivePerson } from '#server/people/people.service.ts';
import { type AuditEntry, recordAudit } from '#server/platform/audit/audit.service.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { RequestContext, Services } from '#server/platform/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { orThrow, RefusalError } from '#server/platform/graphql/refusal-error.ts';
import type { LiveChanges } from '#server/platform/live/live.service.ts';
import { readSettings, settingsOf } from '#server/platform/settings/settings.service.ts';
import {
  lockSettings,
  type NamedSettingRow,
  readNamedSettings,
  readSettingRow,
  saveSetting,
} from './settings.store.ts';

const personKeys = settingKeys.filter((key) => (settings[key] as SettingKind).kind === 'person');

/** Who changes a setting: a person's request, or a command. */
export type SettingsActor = Pick<RequestContext, 'database' | 'clock' | 'settings' | 'requestId' | 'address'> & {
  readonly viewer: { readonly id: string } | null;
  readonly live: Pick<LiveChanges, 'publish'>;
  readonly config: Pick<Config, 'companyTimeZone'>;
  /** A command has none. */
  readonly session?: Buffer | null;
};

/**
 * Changes a setting for all servers; undefined restores its default. The caller checks the permission.
 * `knownVersion`: the version that was read. Without it, the change applies to the current state.
 */
export async function changeSetting<Key extends SettingKey>(
  context: SettingsActor,
  key: Key,
  value: Settings[Key] | undefined,
  knownVersion?: number,
): Promise<void> {
  await context.database.transaction(async (queries) => {
    // It lasts longer than a stolen session, for everyone.
    await assertProofOfRequest(queries, context);
    await lockSettings(queries);
    const row = await readSettingRow(queries, key);
    const stale = staleRefusal(row?.version ?? 0, knownVersion);
    if (stale) throw new RefusalError(stale);
    if (personKeys.includes(key) && typeof value === 'string' && !(await isActivePerson(queries, value)))
      throw new RefusalError(refuse('BAD_INPUT', 'No enabled person has this ID', { field: 'value' }));
    const save = () =>
      saveSetting(queries, key, {
        value,
        version: (row?.version ?? 0) + 1,
        by: context.viewer?.id ?? null,
        at: context.clock.now().toString(),
      });
    // Notifies people who get another approver.
    if (key === 'defaultApprover') await trackDefaultApprover(context, queries, save);
    else await save();
    await record(queries, context, {
      action: 'settingChanged',
      subjectType: 'setting',
      subjectId: key,
      before: { value: auditValue(key, settingsOf(row ? [row] : [])[key]) },
      after: { value: auditValue(key, value === undefined ? defaultSettings[key] : value) },
    });
    await context.live.publish(queries, 'settingsChanged', null);
  });
}

/** Every open page reads itself again after a change, so a person's are limited. */
const record = (queries: Queries, { session = null, viewer, ...actor }: SettingsActor, entry: AuditEntry) =>
  viewer === null
    ? recordAudit(queries, { ...actor, viewer }, entry)
    : recordOwnChange(queries, { ...actor, session, viewer }, entry);

/** Holidays are listed as lines, which are read more easily. */
const auditValue = (key: SettingKey, value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => writeValue(settings[key], [one])) : value;

/** Chooses the default approver, or nobody, overriding the environment. */
export async function setDefaultApprover(context: RequestContext, args: object): Promise<ApproverManagement> {
  const { approverId = null, version } = orThrow(readInput(setDefaultApproverInput, args));
  await changeSetting(context, 'defaultApprover', approverId, version);
  return approverManagement(context);
}

/** A setting as the page shows it. */
export type ShownSetting = {
  readonly key: string;
  /** In the form that `readSetting` parses. */
  readonly value: string;
  readonly isDefault: boolean;
  readonly version: number;
  /** Null if never changed. */
  readonly changedAt: string | null;
  /** Null if changed by a command, or never. */
  readonly changedBy: string | null;
  /** The person's name, if the value is a person. */
  readonly person: string | null;
};

/** All settings in the core's order. */
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

/** Throws for a Metabase dashboard that isn't shown yet, on a server that has no Metabase. */
export function assertMetabase(before: Settings, after: DashboardsSetting | undefined, metabase: unknown): void {
  const added = Object.entries(after ?? {}).some(
    ([name, display]) => display === 'metabase' && before.dashboards[name as keyof DashboardsSetting] !== display,
  );
  if (!added || metabase !== undefined) return;
  const words = 'First set METABASE_SITE_URL and METABASE_SECRET_KEY, and restart the servers';
  throw new RefusalError(refuse('BAD_INPUT', words, { field: 'value' }));
}

/** Changes a setting from a text; null restores the default. */
export async function changeSettingByText(context: RequestContext, args: object): Promise<ShownSetting> {
  const { key, value: text, version } = orThrow(readInput(changeSettingInput, args));
  if (!isSetting(key)) throw new RefusalError(refuse('NOT_FOUND', 'Setting not found', { field: 'key' }));
  const current = settingsOf(await readSettings(context.database.drizzle));
  const value = text === undefined ? undefined : orThrow(readSetting(key, text, current));
  if (key === 'dashboards') assertMetabase(current, value as DashboardsSetting | undefined, context.config.metabase);
  await changeSetting(context, key, value, version);
  const all = await listSettings(context);
  return all.find((setting) => setting.key === key) as ShownSetting;
}
