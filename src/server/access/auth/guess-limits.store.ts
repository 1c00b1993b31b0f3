// SQL of wrong guesses: one row for each lane a guess counts in.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';
import { signInFailures } from './sign-in-tables.ts';

const listOf = (keys: readonly Buffer[]) =>
  sql.join(
    keys.map((key) => sql`${key}`),
    sql`, `,
  );

/** Locks these lanes until the transaction ends, always in the same order to avoid deadlocks. */
export async function lockLanes(queries: Queries, keys: readonly Buffer[]): Promise<void> {
  const locks = keys.map((key) => key.readBigInt64BE()).sort((a, b) => (a < b ? -1 : 1));
  for (const lock of locks) await queries.execute(sql`select pg_advisory_xact_lock(${lock}::bigint)`);
}

type WrongGuesses = { readonly key: Buffer; readonly wrong: number; readonly lastAt: string };

export async function countWrongGuesses(
  queries: Queries,
  keys: readonly Buffer[],
  since: string,
): Promise<WrongGuesses[]> {
  const { rows } = await queries.execute<WrongGuesses>(sql`
    select key, count(*)::integer as wrong, max(at) as "lastAt"
    from sign_in_failures where key in (${listOf(keys)}) and at > ${since}::timestamptz group by key`);
  return rows;
}

export async function insertWrongGuesses(queries: Queries, keys: readonly Buffer[], at: string): Promise<bigint[]> {
  const rows = await queries
    .insert(signInFailures)
    .values(keys.map((key) => ({ key, at })))
    .returning({ id: signInFailures.id });
  return rows.map(({ id }) => id);
}

export async function forgetWrongGuesses(
  queries: Queries,
  ids: readonly bigint[],
  keys: readonly Buffer[],
): Promise<void> {
  await queries.execute(sql`
    delete from sign_in_failures where key in (${listOf(keys)})
    or id in (${sql.join(
      ids.map((id) => sql`${id}`),
      sql`, `,
    )})`);
}

export async function deleteWrongGuesses(queries: Queries, before: string): Promise<void> {
  await queries.execute(sql`delete from sign_in_failures where at < ${before}::timestamptz`);
}
