// SQL of the hash chain that proves the audit log, and of erasures from it.
import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../db/database.ts';

/** The newest link of the chain. Anyone with a copy can detect a changed or truncated log. */
export type ChainHead = { readonly position: string; readonly hash: string };

/** Seals up to `most` waiting rows; null when another server is already sealing. */
export async function sealRows(queries: Queries, most: number): Promise<ChainHead | null> {
  const { rows } = await queries.execute<{ position: string | null; hash: string | null }>(
    sql`select sealed_position::text as position, encode(sealed_hash, 'hex') as hash from seal_audit(${most})`,
  );
  const { position = null, hash = null } = rows[0] ?? {};
  return position === null || hash === null ? null : { position, hash };
}

/** Deletes up to `most` rows past their retention and returns how many. */
export async function retireRows(queries: Queries, now: string, most: number): Promise<number> {
  const { rows } = await queries.execute<{ gone: number }>(
    sql`select retire_audit(${now}::timestamptz, ${most}) as gone`,
  );
  return rows[0]?.gone ?? 0;
}

/**
 * The last retired link, as its audit row records it. The chain starts after it; null when nothing was
 * retired.
 */
export async function readRetired(queries: Queries): Promise<ChainHead | null> {
  const { rows } = await queries.execute<ChainHead>(sql`
    select a.after->>'position' as position, a.after->>'hash' as hash from audit_log a
    where a.action = 'auditRetired' and a.subject_id = (select (min(c.position) - 1)::text from audit_chain c)
    order by a.id desc limit 1`);
  return rows[0] ?? null;
}

export async function readHead(queries: Queries): Promise<ChainHead | null> {
  const { rows } = await queries.execute<ChainHead>(
    sql`select position::text, encode(hash, 'hex') as hash from audit_chain order by audit_chain.position desc limit 1`,
  );
  return rows[0] ?? null;
}

/** The number of unsealed rows and the age of the oldest; 0 when all are sealed. */
export async function readUnsealed(queries: Queries): Promise<{ unsealed: number; oldestUnsealedSeconds: number }> {
  const { rows } = await queries.execute<{ unsealed: number; oldestUnsealedSeconds: number }>(sql`
    select count(*)::int as unsealed, coalesce((
      select greatest(0, extract(epoch from clock_timestamp() - a.at))
      from audit_unsealed u join audit_log a on a.id = u.audit_id order by u.audit_id limit 1), 0)::float8
      as "oldestUnsealedSeconds"
    from audit_unsealed`);
  return rows[0]!;
}

/**
 * A link of the chain with the row it seals, as text. All but `position` and the hashes are null for a
 * missing row.
 */
export type ChainRow = {
  readonly position: string;
  readonly auditId: string;
  readonly valuesHash: string;
  readonly addressHash: string;
  readonly hash: string;
  readonly id: string | null;
  readonly milliseconds: string | null;
  readonly actorId: string | null;
  readonly action: string | null;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
  readonly requestId: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly valuesSalt: string | null;
  readonly address: string | null;
  readonly addressSalt: string | null;
  readonly erasedIn: string | null;
  /** What the erasure's audit row says was erased. */
  readonly erasedBy: string | null;
};

export async function readChain(queries: Queries, after: string, most: number): Promise<ChainRow[]> {
  const { rows } = await queries.execute<ChainRow>(sql`
    select c.position::text, c.audit_id::text as "auditId", encode(c.values_hash, 'hex') as "valuesHash",
      encode(c.address_hash, 'hex') as "addressHash", encode(c.hash, 'hex') as hash, a.id::text,
      (extract(epoch from a.at) * 1000)::bigint::text as milliseconds, a.actor_id::text as "actorId", a.action,
      a.subject_type as "subjectType", a.subject_id as "subjectId", a.request_id as "requestId", a.before::text,
      a.after::text, a.values_salt::text as "valuesSalt", a.address, a.address_salt::text as "addressSalt",
      a.erased_in::text as "erasedIn", e.action as "erasedBy"
    from audit_chain c left join audit_log a on a.id = c.audit_id left join audit_log e on e.id = a.erased_in
    where c.position > ${after}::bigint order by c.position limit ${most}`);
  return rows;
}

/** Counts audit rows without a link, with the age of the oldest, and queued rows that no longer exist. */
export async function readOutside(
  queries: Queries,
  now: string,
): Promise<{ count: number; oldestSeconds: number | null; gone: string | null }> {
  const { rows } = await queries.execute<{ count: number; oldestSeconds: number | null; gone: string | null }>(sql`
    select count(*)::int as count, extract(epoch from ${now}::timestamptz - min(a.at))::float8 as "oldestSeconds",
      (select min(u.audit_id)::text from audit_unsealed u where not exists (select from audit_log l where l.id = u.audit_id)) as gone
    from audit_log a where not exists (select from audit_chain c where c.audit_id = a.id)`);
  return rows[0]!;
}

export type Erasure = {
  /** The audit row that says who erased which person. */
  readonly inRow: string;
  /** The people whose addresses are erased. */
  readonly addressesOf: string;
  /** The subjects whose before and after values are erased: ids by type. */
  readonly valuesOf: readonly { readonly subjectType: string; readonly ids: readonly string[] }[];
  /** Also erases before and after values with one of these, for any subject. */
  readonly valuesWith?: readonly SearchedText[];
};

/** A text as written in JSON, and the pattern that finds it as a whole, in upper or lower case. */
type SearchedText = { readonly text: string; readonly pattern: string };

/** The text before its pattern: of a log of millions of rows, the patterns alone take ten times as long. */
function holdsAny(searched: readonly SearchedText[]): SQL {
  const values = sql`concat_ws(E'\\n', before::text, after::text)`;
  const each = searched.map(
    ({ text, pattern }) =>
      sql`case when strpos(lower(${values}), lower(${text})) > 0 then ${values} ~* ${pattern} else false end`,
  );
  return sql`(${sql.join(each, sql` or `)})`;
}

/**
 * Erases texts but keeps their hashes. The rows must be sealed already; the erasure's own row is left alone.
 */
export async function eraseTexts(
  queries: Queries,
  { inRow, addressesOf, valuesOf, valuesWith = [] }: Erasure,
): Promise<void> {
  await queries.execute(sql`select set_config('staff_dashboard.erased_in', ${inRow}, true)`);
  await queries.execute(sql`
    update audit_log set address = null, address_salt = null, erased_in = ${inRow}::bigint
    where actor_id = ${addressesOf}::bigint and address_salt is not null and id <> ${inRow}::bigint`);
  for (const { subjectType, ids } of valuesOf)
    await queries.execute(sql`
      update audit_log set before = null, after = null, values_salt = null, erased_in = ${inRow}::bigint
      where subject_type = ${subjectType} and subject_id = any(${sql.param(ids)}::text[])
        and values_salt is not null and id <> ${inRow}::bigint`);
  if (valuesWith.length > 0)
    await queries.execute(sql`
      update audit_log set before = null, after = null, values_salt = null, erased_in = ${inRow}::bigint
      where values_salt is not null and id <> ${inRow}::bigint and ${holdsAny(valuesWith)}`);
  await queries.execute(sql`select set_config('staff_dashboard.erased_in', '', true)`);
}
