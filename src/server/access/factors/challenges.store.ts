// SQL of challenges, which a sign-in step or a new way in must answer. Each works once.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

/**
 * - `passkeySignIn`: one of the login page that was answered. Open ones are signed instead of stored.
 * - `passkeyProof`: by one session, as its second step or to confirm who it is.
 * - `newPasskey`, `newAuthenticator`: by one session that adds the factor.
 * - `revealedStep`: a future code that was revealed as right but early; it is spent.
 */
export type ChallengeKind = 'passkeySignIn' | 'passkeyProof' | 'newPasskey' | 'newAuthenticator' | 'revealedStep';

export type NewChallenge = {
  readonly keyHash: Buffer;
  readonly kind: ChallengeKind;
  readonly personId: string | null;
  readonly sessionHash: Buffer | null;
  readonly challenge: string;
  readonly createdAt: string;
  readonly expiresAt: string;
};

/** Returns false if there is one with this key already. */
export async function insertChallenge(queries: Queries, challenge: NewChallenge): Promise<boolean> {
  const { keyHash, kind, personId, sessionHash, createdAt, expiresAt } = challenge;
  const { rowCount } = await queries.execute(sql`
    insert into challenges (key_hash, kind, person_id, session_hash, challenge, created_at, expires_at)
    values (${keyHash}, ${kind}, ${personId}::bigint, ${sessionHash}::bytea, ${challenge.challenge},
      ${createdAt}::timestamptz, ${expiresAt}::timestamptz)
    on conflict do nothing`);
  return rowCount === 1;
}

/** A session's new challenges replace its older ones, so no other session can block it. */
export async function insertForSession(queries: Queries, challenge: NewChallenge, most: number): Promise<void> {
  const { kind, personId, sessionHash } = challenge;
  await queries.execute(sql`
    delete from challenges where key_hash in (
      select key_hash from challenges
      where person_id = ${personId}::bigint and session_hash = ${sessionHash} and kind = ${kind}
      order by created_at desc offset ${most - 1})`);
  await insertChallenge(queries, challenge);
}

export type TakenChallenge = {
  readonly personId: string | null;
  readonly sessionHash: Buffer | null;
  readonly challenge: string;
};

/** Takes it whatever the outcome: a second answer finds nothing. */
export async function takeChallenge(
  queries: Queries,
  keyHash: Buffer,
  kind: ChallengeKind,
  now: string,
): Promise<TakenChallenge | undefined> {
  const { rows } = await queries.execute<TakenChallenge>(sql`
    delete from challenges where key_hash = ${keyHash} and kind = ${kind} and expires_at > ${now}::timestamptz
    returning person_id::text as "personId", session_hash as "sessionHash", challenge`);
  return rows[0];
}

/** The open challenge, without using it up. */
export async function readChallenge(
  queries: Queries,
  keyHash: Buffer,
  kind: ChallengeKind,
  now: string,
): Promise<string | undefined> {
  const { rows } = await queries.execute<{ challenge: string }>(sql`
    select challenge from challenges where key_hash = ${keyHash} and kind = ${kind} and expires_at > ${now}::timestamptz`);
  return rows[0]?.challenge;
}

export async function deleteChallenge(queries: Queries, keyHash: Buffer): Promise<boolean> {
  const { rowCount } = await queries.execute(sql`delete from challenges where key_hash = ${keyHash}`);
  return rowCount === 1;
}

export async function deleteEndedChallenges(queries: Queries, now: string): Promise<void> {
  await queries.execute(sql`delete from challenges where expires_at <= ${now}::timestamptz`);
}
