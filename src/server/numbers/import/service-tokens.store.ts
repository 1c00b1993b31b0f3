// SQL of the tokens that other systems send rows with.
import { sql } from 'drizzle-orm';
import type { DatasetKey } from '#core/datasets.ts';
import type { Named } from '#core/people.ts';
import type { Queries } from '../../db/database.ts';

export type ServiceToken = {
  readonly id: string;
  readonly name: string;
  readonly datasets: readonly DatasetKey[];
  readonly createdBy: string;
  readonly creator: Named;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
};

const columns = sql`id::text, name, datasets, created_by::text as "createdBy",
  (select json_build_object('firstName', first_name, 'lastName', last_name, 'email', email)
    from people where people.id = service_tokens.created_by) as creator,
  created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

export async function insertServiceToken(
  queries: Queries,
  token: Pick<ServiceToken, 'name' | 'datasets' | 'createdBy' | 'createdAt'> & { readonly hash: Buffer },
): Promise<ServiceToken> {
  const { rows } = await queries.execute<ServiceToken>(sql`
    insert into service_tokens (token_hash, name, datasets, created_by, created_at)
    values (${token.hash}, ${token.name}, ${sql.param([...token.datasets])}::text[], ${token.createdBy}, ${token.createdAt})
    returning ${columns}`);
  return rows[0]!;
}

/** Another token in the place of one that nobody has used; null when it was used or revoked. */
export async function replaceUnusedToken(queries: Queries, id: string, hash: Buffer): Promise<ServiceToken | null> {
  const { rows } = await queries.execute<ServiceToken>(sql`
    update service_tokens set token_hash = ${hash} where id = ${id} and revoked_at is null and last_used_at is null
    returning ${columns}`);
  return rows[0] ?? null;
}

/** Null when it is not there or was revoked before. */
export async function revokeServiceToken(queries: Queries, id: string, now: string): Promise<ServiceToken | null> {
  const { rows } = await queries.execute<ServiceToken>(
    sql`update service_tokens set revoked_at = ${now} where id = ${id} and revoked_at is null returning ${columns}`,
  );
  return rows[0] ?? null;
}

export async function listServiceTokens(queries: Queries): Promise<ServiceToken[]> {
  const { rows } = await queries.execute<ServiceToken>(
    sql`select ${columns} from service_tokens order by revoked_at is not null, id desc`,
  );
  return rows;
}

/** The token that is still good, noted as used. */
export async function goodServiceToken(queries: Queries, hash: Buffer, now: string): Promise<ServiceToken | null> {
  const { rows } = await queries.execute<ServiceToken>(
    sql`update service_tokens set last_used_at = ${now} where token_hash = ${hash} and revoked_at is null returning ${columns}`,
  );
  return rows[0] ?? null;
}
