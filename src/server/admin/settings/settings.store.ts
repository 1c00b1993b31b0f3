// SQL of changing settings, and of who changed them.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';
import { type SettingRow, settingColumns } from '#server/platform/settings/settings.service.ts';

export type NamedSettingRow = SettingRow & {
  readonly changedBy: { readonly firstName: string; readonly lastName: string; readonly email: string } | null;
  /** The person's name, if the value is a person. */
  readonly person: { readonly firstName: string; readonly lastName: string; readonly email: string } | null;
};

/** With the people that they name. `personKeys`: the settings whose value is a person. */
export async function readNamedSettings(queries: Queries, personKeys: readonly string[]): Promise<NamedSettingRow[]> {
  const named = (person: string) =>
    sql.raw(
      `case when ${person}.id is not null then json_build_object('firstName', ${person}.first_name, 'lastName', ${person}.last_name, 'email', ${person}.email) end`,
    );
  const { rows } = await queries.execute<NamedSettingRow>(sql`
    select ${settingColumns}, ${named('c')} as "changedBy", ${named('p')} as person
    from settings s
    left join people c on c.id = s.changed_by
    left join people p on s.key = any(${sql.param(personKeys)}::text[]) and jsonb_typeof(s.value) = 'string'
      and p.id::text = s.value #>> '{}'`);
  return rows;
}

/** Locked until the transaction ends: of two changes of one version, one succeeds. */
export async function lockSettings(queries: Queries): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('settings'))`);
}

export async function readSettingRow(queries: Queries, key: string): Promise<SettingRow | undefined> {
  const { rows } = await queries.execute<SettingRow>(
    sql`select ${settingColumns} from settings s where s.key = ${key}`,
  );
  return rows[0];
}

type Change = {
  /** Undefined restores the default. */
  readonly value: unknown;
  readonly version: number;
  readonly by: string | null;
  readonly at: string;
};

export async function saveSetting(queries: Queries, key: string, { value, version, by, at }: Change): Promise<void> {
  const json = value === undefined ? null : JSON.stringify(value);
  await queries.execute(sql`
    insert into settings (key, value, version, changed_at, changed_by)
    values (${key}, ${json}::jsonb, ${version}, ${at}::timestamptz, ${by}::bigint)
    on conflict (key) do update set value = excluded.value, version = excluded.version,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by`);
}
