// SQL of the secret addresses of calendar feeds.
import { sql } from 'drizzle-orm';
import type { Scope } from '#core/access/brands.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type CalendarFeed = {
  readonly id: string;
  readonly team: Scope | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
};

const columns = sql`id::text, team, created_at as "createdAt", last_used_at as "lastUsedAt"`;

/** The person's active feeds. */
export async function readFeeds(queries: Queries, personId: string): Promise<CalendarFeed[]> {
  const { rows } = await queries.execute<CalendarFeed>(sql`
    select ${columns} from calendar_feeds where person_id = ${personId}::bigint and revoked_at is null
    order by team nulls first`);
  return rows;
}

export type NewFeed = {
  readonly personId: string;
  readonly team: Scope | null;
  readonly hash: Buffer;
  readonly at: string;
};

/**
 * A new address for the same meetings revokes the previous one. Of two created concurrently, the later one
 * wins. Null: the person created `most` within 24 hours.
 */
export async function insertFeed(
  queries: Queries,
  { personId, team, hash, at }: NewFeed,
  most: number,
): Promise<CalendarFeed | null> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('calendar_feeds'), ${personId}::integer)`);
  const created = await queries.execute(sql`
    select from calendar_feeds
    where person_id = ${personId}::bigint and created_at > ${at}::timestamptz - interval '24 hours' limit ${most}`);
  if (created.rowCount === most) return null;
  await queries.execute(sql`
    update calendar_feeds set revoked_at = ${at}
    where person_id = ${personId}::bigint and team is not distinct from ${team} and revoked_at is null`);
  const { rows } = await queries.execute<CalendarFeed>(sql`
    insert into calendar_feeds (token_hash, person_id, team, created_at) values (${hash}, ${personId}, ${team}, ${at})
    returning ${columns}`);
  return rows[0]!;
}

/** Revokes one or all of the person's active feeds; returns the revoked ones. */
export async function revokeFeeds(
  queries: Queries,
  { id, personId, at }: { readonly id?: string | undefined; readonly personId: string; readonly at: string },
): Promise<CalendarFeed[]> {
  const one = id === undefined ? sql`` : sql`and id = ${id}`;
  const { rows } = await queries.execute<CalendarFeed>(sql`
    update calendar_feeds set revoked_at = ${at}
    where person_id = ${personId}::bigint and revoked_at is null ${one} returning ${columns}`);
  return rows;
}

export type GoodFeed = { readonly id: string; readonly personId: string; readonly team: Scope | null };

/** The active feed. */
export async function goodFeed(queries: Queries, hash: Buffer): Promise<GoodFeed | null> {
  const { rows } = await queries.execute<GoodFeed>(sql`
    select id::text, person_id::text as "personId", team from calendar_feeds
    where token_hash = ${hash} and revoked_at is null`);
  return rows[0] ?? null;
}

export async function noteUse(queries: Queries, id: string, now: string): Promise<void> {
  await queries.execute(sql`update calendar_feeds set last_used_at = ${now} where id = ${id}::bigint`);
}
