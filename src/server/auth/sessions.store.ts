// SQL of the sessions that somebody else looks at or ends.
import { sql } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';

export type SessionRow = {
  /** A hash of what is stored: it names the session and opens nothing. */
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly address: string | null;
  readonly agent: string | null;
};

const sessionId = sql`encode(sha256(token_hash), 'hex')`;

/** The sessions that are still good, the newest first. */
export async function readSessions(queries: Queries, personId: string, now: string): Promise<SessionRow[]> {
  const { rows } = await queries.execute<SessionRow>(sql`
    select ${sessionId} as id, created_at as "createdAt", expires_at as "expiresAt", address, agent from sessions
    where person_id = ${personId}::bigint and expires_at > ${now}::timestamptz order by created_at desc, id`);
  return rows;
}

/**
 * Ends all sessions of a person that are still good, or one of them; gives how many. The rows stay until they are cleaned
 * away, so that whoever comes with such a token can be told why it is no longer good.
 */
export async function endSessions(
  queries: Queries,
  personId: string,
  { now, id }: { now: string; id?: string | undefined },
): Promise<number> {
  const one = id === undefined ? sql`` : sql`and ${sessionId} = ${id}`;
  const { rowCount } = await queries.execute(sql`
    update sessions set expires_at = ${now}::timestamptz
    where person_id = ${personId}::bigint and expires_at > ${now}::timestamptz ${one}`);
  return rowCount ?? 0;
}
