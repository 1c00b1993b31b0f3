// SQL of known browsers.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

type Known = { readonly known: boolean; readonly addressKnown: boolean; readonly email: string };

export async function readKnown(
  queries: Queries,
  email: string,
  tokenHash: Buffer,
  addressKey: Buffer,
): Promise<Known> {
  const { rows } = await queries.execute<Known>(sql`
    select lower(${email}) as email, coalesce(bool_or(d.token_hash = ${tokenHash}), false) as known,
      coalesce(bool_or(d.address_key = ${addressKey}), false) as "addressKnown"
    from known_devices d join people p on p.id = d.person_id where lower(p.email) = lower(${email})`);
  return rows[0]!;
}

/** Undefined if the person never had a known browser. */
export async function readKnownOf(queries: Queries, personId: string, tokenHash: Buffer): Promise<boolean | undefined> {
  const { rows } = await queries.execute<{ known: boolean | null }>(sql`
    select coalesce(bool_or(token_hash = ${tokenHash}),
      (select false from account_events where person_id = ${personId}::bigint and detail->>'browser' is not null limit 1)
    ) as known from known_devices where person_id = ${personId}::bigint`);
  return rows[0]?.known ?? undefined;
}

export async function isKnown(queries: Queries, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await queries.execute(sql`select from known_devices where token_hash = ${tokenHash} limit 1`);
  return rows.length > 0;
}

export async function saveDevice(
  queries: Queries,
  device: { tokenHash: Buffer; personId: string; addressKey: Buffer; at: string },
): Promise<void> {
  const { tokenHash, personId, addressKey, at } = device;
  await queries.execute(sql`
    insert into known_devices (token_hash, person_id, address_key, created_at, used_at)
    values (${tokenHash}, ${personId}::bigint, ${addressKey}, ${at}::timestamptz, ${at}::timestamptz)
    on conflict (token_hash, person_id) do update set address_key = excluded.address_key, used_at = excluded.used_at`);
}

export async function deleteDevices(queries: Queries, personId: string, except: Buffer | null): Promise<void> {
  await queries.execute(sql`
    delete from known_devices where person_id = ${personId}::bigint and token_hash is distinct from ${except}::bytea`);
}

/** Deletes none for a session without a browser token: it may be the thief's. */
export async function deleteOtherDevices(queries: Queries, personId: string, session: Buffer): Promise<void> {
  await queries.execute(sql`
    delete from known_devices d using sessions s where s.token_hash = ${session} and d.person_id = ${personId}::bigint
      and d.token_hash <> s.device_hash`);
}

export async function keepNewestDevices(queries: Queries, personId: string, most: number): Promise<void> {
  await queries.execute(sql`
    delete from known_devices where person_id = ${personId}::bigint and token_hash in (
      select token_hash from known_devices where person_id = ${personId}::bigint
      order by used_at desc, created_at desc, token_hash offset ${most})`);
}

export async function deleteUnusedDevices(queries: Queries, before: string): Promise<void> {
  await queries.execute(sql`delete from known_devices where used_at < ${before}::timestamptz`);
}
