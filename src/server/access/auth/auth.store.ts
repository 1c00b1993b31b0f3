// SQL of signing in: accounts by email, sessions.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';
import { people } from '#server/platform/db/tables.ts';
import { sessions } from './sign-in-tables.ts';

export type Account = { readonly id: string; readonly passwordHash: string | null; readonly disabled: boolean };

export async function readAccount(queries: Queries, email: string): Promise<Account | undefined> {
  const { rows } = await queries.execute<Account>(
    sql`select id::text, password_hash as "passwordHash", disabled_at is not null as disabled from people where lower(email) = lower(${email})`,
  );
  return rows[0];
}

/**
 * Locks a person who can sign in before any other row, which freezes their ways in until the transaction
 * ends. Returns false if the account is gone, disabled, or has another password now.
 */
export async function holdPerson(queries: Queries, personId: string, passwordHash?: string | null): Promise<boolean> {
  const hasPassword = passwordHash === undefined ? sql`` : sql`and password_hash = ${passwordHash}`;
  const { rows } = await queries.execute(sql`
    select from people where id = ${personId}::bigint and disabled_at is null ${hasPassword} for no key update`);
  return rows.length === 1;
}

export type NewSession = {
  readonly tokenHash: Buffer;
  readonly personId: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly address: string;
  readonly agent: string | null;
  readonly verifiedAt: string;
  readonly factorVerifiedAt: string | null;
  readonly method: string;
  readonly level: string;
};

export async function insertSession(queries: Queries, { personId, ...session }: NewSession): Promise<void> {
  await queries.insert(sessions).values({ ...session, personId: BigInt(personId) });
}

/** Links a session to its browser, which stays known when the person forgets the others. */
export async function saveSessionDevice(queries: Queries, tokenHash: Buffer, deviceHash: Buffer): Promise<void> {
  await queries.update(sessions).set({ deviceHash }).where(sql`token_hash = ${tokenHash}`);
}

export async function savePasswordHash(queries: Queries, personId: string, passwordHash: string): Promise<void> {
  await queries.update(people).set({ passwordHash }).where(sql`id = ${personId}::bigint`);
}

/** Locks the session's person until the transaction ends, to order it with signing out everywhere. */
export async function lockOwner(queries: Queries, tokenHash: Buffer): Promise<void> {
  await queries.execute(sql`
    select from people where id = (select person_id from sessions where token_hash = ${tokenHash}) for no key update`);
}

export type StoredProof = {
  readonly at: string;
  /** Whether it was made in the session, rather than by signing in. */
  readonly isConfirmed: boolean;
  readonly role: string | null;
  /** The person's permissions now, as they are stored. */
  readonly stored: readonly string[];
  /** When the person last proved it with a second factor. */
  readonly factorAt: string | null;
  readonly hasFactor: boolean;
};

/** When the session's person last proved who they are; undefined if the session or account has ended. */
export async function readProof(queries: Queries, tokenHash: Buffer, now: string): Promise<StoredProof | undefined> {
  const { rows } = await queries.execute<StoredProof>(sql`
    select coalesce(s.verified_at, s.created_at) as at, coalesce(s.verified_at > s.created_at, false) as "isConfirmed",
      s.factor_verified_at as "factorAt",
      exists (select from passkeys k where k.person_id = s.person_id)
        or exists (select from authenticators a where a.person_id = s.person_id) as "hasFactor",
      p.role, coalesce(r.permissions, '{}') || p.grants as stored
    from sessions s join people p on p.id = s.person_id left join roles r on r.name = p.role
    where s.token_hash = ${tokenHash} and s.expires_at > ${now}::timestamptz and p.disabled_at is null`);
  return rows[0];
}

/** Returns false if the session ended or has a new token. */
export async function saveProof(
  queries: Queries,
  tokenHash: Buffer,
  { at, withFactor }: { readonly at: string; readonly withFactor: boolean },
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    update sessions set verified_at = ${at}::timestamptz,
      factor_verified_at = case when ${withFactor}::boolean then ${at}::timestamptz else factor_verified_at end
    where token_hash = ${tokenHash} and expires_at > ${at}::timestamptz`);
  return rowCount === 1;
}

/** Returns false if the person has no password to change. */
export async function changePasswordHash(
  queries: Queries,
  personId: string,
  passwordHash: string,
  at: string,
): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`
    update people set password_hash = ${passwordHash}, password_changed_at = ${at}::timestamptz
    where id = ${personId}::bigint and password_hash is not null and disabled_at is null`);
  return rowCount === 1;
}

export type Reachable = {
  readonly email: string;
  readonly hasPassword: boolean;
  readonly hasPasskey: boolean;
  readonly connected: boolean;
};

/** A person who can sign in, locked until the transaction ends. */
export async function lockReachable(queries: Queries, id: string): Promise<Reachable | undefined> {
  const { rows } = await queries.execute<Reachable>(sql`
    select p.email, p.password_hash is not null as "hasPassword",
      exists (select from passkeys k where k.person_id = p.id) as "hasPasskey",
      exists (select from identities i where i.person_id = p.id) as connected
    from people p where p.id = ${id}::bigint and p.disabled_at is null for no key update of p`);
  return rows[0];
}

/** When the password was set; both null without a password. */
export async function readPasswordState(
  queries: Queries,
  personId: string,
): Promise<{ set: boolean; changedAt: string | null }> {
  const { rows } = await queries.execute<{ set: boolean; changedAt: string | null }>(sql`
    select password_hash is not null as set, password_changed_at as "changedAt" from people where id = ${personId}::bigint`);
  return rows[0] ?? { set: false, changedAt: null };
}

export async function deleteEndedSessions(queries: Queries, before: string): Promise<void> {
  await queries.execute(sql`delete from sessions where expires_at < ${before}::timestamptz`);
}
