// SQL of a person's data in all tables, and of its removal.
import { type SQL, sql } from 'drizzle-orm';
import { erasedAddress } from '#core/people/people.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { type Fate, references, writtenNames } from './references.ts';

export type PersonFound = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly disabledAt: string | null;
};

/** By email or id. */
export async function findPerson(
  queries: Queries,
  emailOrId: string,
  lock: SQL = sql``,
): Promise<PersonFound | undefined> {
  const { rows } = await queries.execute<PersonFound>(sql`
    select id::text, email, first_name as "firstName", last_name as "lastName", disabled_at::text as "disabledAt" from people
    where lower(email) = lower(${emailOrId}) or id::text = ${emailOrId} ${lock}`);
  return rows[0];
}

/** Locked until the transaction ends, so no row can name the person until then. */
export const lockPerson = (queries: Queries, id: string): Promise<PersonFound | undefined> =>
  findPerson(queries, id, sql`for update`);

const split = (reference: string): { table: SQL; column: SQL } => {
  const [table = '', column = ''] = reference.split('.');
  return { table: sql`${sql.identifier(table)}`, column: sql`${sql.identifier(column)}` };
};

const withFate = (...fates: Fate[]): string[] =>
  Object.keys(references).filter((reference) => fates.includes(references[reference]!));

/** Secrets and their hashes aren't personal data. */
const withoutSecrets = (alias: string): SQL =>
  sql`to_jsonb(${sql.raw(alias)}) - '{password_hash,token_hash,hash,secret_hash,secret,code_hash,key_hash}'::text[]`;

/** Every row that refers to the person, by `table.column`; empty ones are left out. */
export async function readEverythingOf(queries: Queries, id: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const { rows: people } = await queries.execute<{ person: unknown }>(
    sql`select ${withoutSecrets('p')} as person from people p where id = ${id}::bigint`,
  );
  found.person = people[0]?.person;
  for (const reference of withFate('kept', 'deleted')) {
    const { table, column } = split(reference);
    const { rows } = await queries.execute<{ row: unknown }>(
      sql`select ${withoutSecrets('t')} as row from ${table} t where ${column} = ${id}::bigint`,
    );
    if (rows.length > 0) found[reference] = rows.map(({ row }) => row);
  }
  return found;
}

export type FileOf = { readonly key: string; readonly fileName: string };

/** Files of the person's tasks, and those they attached elsewhere. */
export async function readFilesOf(queries: Queries, id: string): Promise<FileOf[]> {
  const { rows } = await queries.execute<FileOf>(sql`
    select f.storage_key as key, f.file_name as "fileName" from task_attachments f join tasks t on t.id = f.task_id
    where (t.owner_id = ${id}::bigint or f.author_id = ${id}::bigint) and f.storage_key is not null and f.removed_at is null order by f.id`);
  return rows;
}

/** The erased account's name: unique, and meaningless. */
export const formerColleague = (id: string) => ({
  firstName: 'Former',
  lastName: `colleague ${id}`,
  name: `Former colleague ${id}`,
  email: erasedAddress(id),
});

export async function eraseRows(queries: Queries, id: string): Promise<void> {
  for (const reference of withFate('deleted', 'fleeting')) {
    const { table, column } = split(reference);
    await queries.execute(sql`delete from ${table} where ${column} = ${id}::bigint`);
  }
  await queries.execute(sql`update tasks set repeats = null where owner_id = ${id}::bigint and repeats is not null`);
  const { firstName, lastName, name, email } = formerColleague(id);
  // The addresses and devices from which the person acted on other accounts.
  await queries.execute(sql`update account_events set address = null, agent = null where actor_id = ${id}::bigint`);
  for (const [table, idColumn, nameColumn] of writtenNames)
    await queries.execute(
      sql`update ${sql.identifier(table)} set ${sql.identifier(nameColumn)} = ${name} where ${sql.identifier(idColumn)} = ${id}::bigint`,
    );
  await queries.execute(sql`
    update people set email = ${email}, first_name = ${firstName}, last_name = ${lastName}, role = null, grants = '{}',
      password_hash = null, source = null, external_id = null
    where id = ${id}::bigint`);
}

/** All `table.column` that refer to people. */
export async function readReferences(queries: Queries): Promise<string[]> {
  const { rows } = await queries.execute<{ reference: string }>(sql`
    select c.conrelid::regclass || '.' || a.attname as reference
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'f' and c.confrelid = 'people'::regclass order by 1`);
  return rows.map(({ reference }) => reference);
}
