// SQL of signing in: accounts by e-mail, wrong attempts, sessions.
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';
import { people, sessions, signInFailures } from '../db/tables.ts';

export type Account = { readonly id: string; readonly passwordHash: string | null; readonly disabled: boolean };

export async function readAccount(queries: Queries, email: string): Promise<Account | undefined> {
  const { rows } = await queries.execute<Account>(
    sql`select id::text, password_hash as "passwordHash", disabled_at is not null as disabled from people where lower(email) = lower(${email})`,
  );
  return rows[0];
}

/** Holds off other attempts on the same account until the transaction ends. */
export async function lockAttempts(queries: Queries, key: Buffer): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(${key.readBigInt64BE()}::bigint)`);
}

/** When the attempt was made that has to pass out of the window before another is allowed, or null when one is allowed now. */
export async function readBarringAttempt(
  queries: Queries,
  key: Buffer,
  since: string,
  allowed: number,
): Promise<string | null> {
  const { rows } = await queries.execute<{ at: string }>(sql`
    select at from sign_in_failures where key = ${key} and at > ${since}::timestamptz order by at desc offset ${allowed - 1} limit 1`);
  return rows[0]?.at ?? null;
}

export async function insertFailure(queries: Queries, key: Buffer, at: string): Promise<bigint> {
  const [row] = await queries.insert(signInFailures).values({ key, at }).returning({ id: signInFailures.id });
  return (row as { id: bigint }).id;
}

export async function deleteFailure(queries: Queries, id: bigint): Promise<void> {
  await queries.delete(signInFailures).where(sql`id = ${id}`);
}

export type NewSession = {
  readonly tokenHash: Buffer;
  readonly personId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly address: string;
  readonly agent: string | null;
};

export async function insertSession(queries: Queries, { personId, ...session }: NewSession): Promise<void> {
  await queries.insert(sessions).values({ ...session, personId: BigInt(personId) });
}

export async function savePasswordHash(queries: Queries, personId: string, passwordHash: string): Promise<void> {
  await queries.update(people).set({ passwordHash }).where(sql`id = ${personId}::bigint`);
}

export async function deleteEnded(queries: Queries, sessionsBefore: string, failuresBefore: string): Promise<void> {
  await queries.execute(sql`delete from sessions where expires_at < ${sessionsBefore}::timestamptz`);
  await queries.execute(sql`delete from sign_in_failures where at < ${failuresBefore}::timestamptz`);
}
