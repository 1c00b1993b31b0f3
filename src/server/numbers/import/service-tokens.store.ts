// SQL of service tokens.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { DatasetKey } from '#core/numbers/datasets.ts';
import type { Named } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type ServiceToken = {
  readonly id: string;
  readonly name: string;
  readonly datasets: readonly DatasetKey[];
  readonly createdBy: string;
  readonly creator: Named;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  readonly expiresAt: string;
  /** Whether its owner can still have one; otherwise the token is refused. */
  readonly ownerMay: boolean;
};

/** One from an earlier version is valid for a year. */
const expiry = sql`coalesce(service_tokens.expires_at, service_tokens.created_at + interval '1 year')`;
const ownerMay = sql`exists (select from people o where o.id = service_tokens.created_by and o.disabled_at is null and o.role = ${adminRole})`;

const isGood = (now: string) => sql`revoked_at is null and ${expiry} > ${now}::timestamptz and ${ownerMay}`;

const columns = sql`id::text, name, datasets, created_by::text as "createdBy",
  (select json_build_object('firstName', first_name, 'lastName', last_name, 'email', email)
    from people where people.id = service_tokens.created_by) as creator,
  created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt",
  ${expiry} as "expiresAt", ${ownerMay} as "ownerMay"`;

export async function insertServiceToken(
  queries: Queries,
  token: Pick<ServiceToken, 'name' | 'datasets' | 'createdBy' | 'createdAt' | 'expiresAt'> & { readonly hash: Buffer },
): Promise<ServiceToken> {
  const { rows } = await queries.execute<ServiceToken>(sql`
    insert into service_tokens (token_hash, name, datasets, created_by, created_at, expires_at)
    values (${token.hash}, ${token.name}, ${sql.param([...token.datasets])}::text[], ${token.createdBy}, ${token.createdAt},
      ${token.expiresAt})
    returning ${columns}`);
  return rows[0]!;
}

/** Replaces an unused token; null if it was used or revoked. */
export async function replaceUnusedToken(queries: Queries, id: string, hash: Buffer): Promise<ServiceToken | null> {
  const { rows } = await queries.execute<ServiceToken>(sql`
    update service_tokens set token_hash = ${hash} where id = ${id} and revoked_at is null and last_used_at is null
    returning ${columns}`);
  return rows[0] ?? null;
}

/** One token, a person's, or one of theirs; returns those newly revoked. */
export async function revokeServiceTokens(
  queries: Queries,
  { id, personId }: { readonly id?: string | undefined; readonly personId?: string },
  now: string,
): Promise<ServiceToken[]> {
  const one = id === undefined ? sql`` : sql`and id = ${id}`;
  const own = personId === undefined ? sql`` : sql`and created_by = ${personId}::bigint`;
  const { rows } = await queries.execute<ServiceToken>(
    sql`update service_tokens set revoked_at = ${now} where revoked_at is null ${one} ${own} returning ${columns}`,
  );
  return rows;
}

/** Everyone's, or one person's. */
export async function listServiceTokens(queries: Queries, personId?: string): Promise<ServiceToken[]> {
  const own = personId === undefined ? sql`` : sql`where created_by = ${personId}::bigint`;
  const { rows } = await queries.execute<ServiceToken>(
    sql`select ${columns} from service_tokens ${own} order by revoked_at is not null, id desc`,
  );
  return rows;
}

/** The active token, marked as used. */
export async function goodServiceToken(queries: Queries, hash: Buffer, now: string): Promise<ServiceToken | null> {
  const { rows } = await queries.execute<ServiceToken>(
    sql`update service_tokens set last_used_at = ${now} where token_hash = ${hash} and ${isGood(now)} returning ${columns}`,
  );
  return rows[0] ?? null;
}

export async function isGoodServiceToken(queries: Queries, id: string, now: string): Promise<boolean> {
  const { rows } = await queries.execute(sql`select from service_tokens where id = ${id}::bigint and ${isGood(now)}`);
  return rows.length > 0;
}
