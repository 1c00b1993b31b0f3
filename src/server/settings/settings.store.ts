// SQL of the settings that an administrator changed.
import { sql } from 'drizzle-orm';
import type { SettingKey, Settings } from '#core/settings.ts';
import type { Queries } from '../db/database.ts';
import { settings } from '../db/tables.ts';

export function readSettings(queries: Queries): Promise<{ key: string; value: unknown }[]> {
  return queries.select({ key: settings.key, value: settings.value }).from(settings);
}

export async function saveSetting(queries: Queries, key: string, value: Settings[SettingKey]): Promise<void> {
  await queries
    .insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({ target: settings.key, set: { value, changedAt: sql`now()` } });
}
