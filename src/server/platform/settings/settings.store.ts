// SQL that reads the settings that an administrator changed.
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';

export type SettingRow = {
  readonly key: string;
  /** Where `isDefault` this is null, which is also a value. */
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
