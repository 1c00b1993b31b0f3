// SQL of the idempotency keys.
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';

export type UsedKey = { readonly requestHash: Buffer; readonly made: string };

const lockOf = (personId: string, key: string) => sql`hashtextextended(${`idempotency ${personId} ${key}`}, 0)`;

/** False while another transaction works on the same key. Locked until the end of this transaction. */
export async function tryToLockKey(queries: Queries, personId: string, key: string): Promise<boolean> {
  const { rows } = await queries.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(${lockOf(personId, key)}) as free`,
  );
  return rows[0]?.free === true;
}

/** Whether no transaction works on the key. Several callers can ask at the same time. */
export async function isKeyFree(queries: Queries, personId: string, key: string): Promise<boolean> {
  const { rows } = await queries.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${lockOf(personId, key)}) as free`,
  );
  return rows[0]?.free === true;
}

export async function readKey(queries: Queries, personId: string, key: string): Promise<UsedKey | undefined> {
  const { rows } = await queries.execute<UsedKey>(
    sql`select request_hash as "requestHash", made from idempotency_keys where person_id = ${personId} and key = ${key}`,
  );
  return rows[0];
}

export async function insertKey(
  queries: Queries,
  { personId, key, requestHash, made, at }: UsedKey & { personId: string; key: string; at: string },
): Promise<void> {
  await queries.execute(sql`
    insert into idempotency_keys (person_id, key, request_hash, made, at) values (${personId}, ${key}, ${requestHash}, ${made}, ${at})`);
}

export async function deleteKeys(queries: Queries, before: string): Promise<void> {
  await queries.execute(sql`delete from idempotency_keys where at < ${before}::timestamptz`);
}
