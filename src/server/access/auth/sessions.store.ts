// SQL of a person's sessions: listed, used and ended.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

export type SessionRow = {
  /** A hash of the stored hash: it identifies the session but gives no access. */
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly method: string | null;
  /** Whether it is the requesting session. */
  readonly current: boolean;
};

const sessionId = sql`encode(sha256(token_hash), 'hex')`;

/** The active sessions, newest first. */
export async function readSessions(
  queries: Queries,
  personId: string,
  { now, asking }: { now: string; asking: Buffer | null },
): Promise<SessionRow[]> {
  const { rows } = await queries.execute<SessionRow>(sql`
    select ${sessionId} as id, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", address, agent,
      method, coalesce(token_hash = ${asking}::bytea, false) as current
    from sessions where person_id = ${personId}::bigint and level = 'full' and expires_at > ${now}::timestamptz order by created_at desc, id`);
  return rows;
}

/** Which sessions end: one, all but one, or all. */
export type Ending = { readonly id?: string | undefined; readonly except?: Buffer | undefined };

/**
 * Ends active sessions and returns how many. The rows stay until cleanup, to explain to the token's user why
 * it ended. The end is set to the start, because another machine's clock may be behind.
 */
export async function endSessions(
  queries: Queries,
  personId: string,
  { now, id, except }: Ending & { now: string },
): Promise<number> {
  const one = id === undefined ? sql`` : sql`and ${sessionId} = ${id}`;
  const others = except === undefined ? sql`` : sql`and token_hash <> ${except}`;
  const { rows } = await queries.execute<{ ended: number }>(sql`
    with mine as (
        select token_hash as hash, expires_at > ${now}::timestamptz as good from sessions
        where person_id = ${personId}::bigint and expires_at > created_at ${one} ${others} for update),
      ended as (update sessions set expires_at = created_at from mine where token_hash = mine.hash)
    select count(*)::int as ended from mine where good`);
  return rows[0]?.ended ?? 0;
}

/**
 * Deletes a person's oldest sessions of the same kind as `kept` (full, or an unfinished sign-in), so `most`
 * are left. Ended ones go first. Returns how many were active.
 */
export async function deleteOldest(
  queries: Queries,
  personId: string,
  { now, kept, most }: { readonly now: string; readonly kept: Buffer; readonly most: number },
): Promise<number> {
  const { rows } = await queries.execute<{ ended: number }>(sql`
    with extra as (
        select s.token_hash from sessions s join sessions k on k.token_hash = ${kept}
        where s.person_id = ${personId}::bigint and (s.level = 'full') = (k.level = 'full') and s.token_hash <> k.token_hash
        order by s.expires_at > ${now}::timestamptz desc, s.created_at desc offset ${most - 1}),
      mine as (select token_hash as hash from sessions where token_hash in (select token_hash from extra) for update skip locked),
      gone as (delete from sessions using mine where token_hash = mine.hash returning expires_at)
    select count(*)::int as ended from gone where expires_at > ${now}::timestamptz`);
  return rows[0]?.ended ?? 0;
}

/**
 * Gives a session another token. False if it has another one already. Its challenges continue, because they
 * need the new token. A sign-in at the provider that began with the old one ends: a thief may have begun it.
 */
export async function replaceToken(queries: Queries, before: Buffer, after: Buffer): Promise<boolean> {
  await queries.execute(sql`update challenges set session_hash = ${after} where session_hash = ${before}`);
  const { rowCount } = await queries.execute(
    sql`update sessions set token_hash = ${after} where token_hash = ${before}`,
  );
  return rowCount === 1;
}

/** Deletes a person's unfinished flows: a return from the provider, a download, a sign-in step. */
export async function dropPending(queries: Queries, personId: string): Promise<void> {
  await queries.execute(
    sql`delete from sign_in_flows where person_id = ${personId}::bigint or connects = ${personId}::bigint`,
  );
  await queries.execute(sql`delete from export_tickets where person_id = ${personId}::bigint`);
  // A code revealed as right but early stays spent.
  await queries.execute(sql`
    delete from challenges where person_id = ${personId}::bigint and kind <> 'revealedStep'`);
}

/** When each session was used, by its hash in hex. */
export async function saveUses(queries: Queries, uses: ReadonlyMap<string, string>): Promise<void> {
  const hashes = sql.param([...uses.keys()].map((hash) => `\\x${hash}`));
  await queries.execute(sql`
    update sessions s set last_used_at = u.at
    from unnest(${hashes}::bytea[], ${sql.param([...uses.values()])}::timestamptz[]) as u (hash, at)
    where s.token_hash = u.hash`);
}
