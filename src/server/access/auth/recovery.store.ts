// SQL of the recovery commands: who is an admin, and passwords set without the old one.
import { sql } from 'drizzle-orm';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import type { Queries } from '#server/platform/db/database.ts';

/** Emails of the admins who can sign in. Nobody can become one until the transaction ends. */
export async function lockAdmins(queries: Queries, role: string): Promise<string[]> {
  await queries.execute(sql`lock table people in share row exclusive mode`);
  const { rows } = await queries.execute<{ email: string }>(sql`
    select p.email from people p where p.role = ${role} and ${sql.raw(canSignInSql('p'))} order by lower(p.email)`);
  return rows.map(({ email }) => email);
}

type NewAdmin = { readonly email: string; readonly role: string; readonly passwordHash: string; readonly at: string };

/** An existing account with this email is enabled and made admin; the rest stays. */
export async function saveAdmin(queries: Queries, { email, role, passwordHash, at }: NewAdmin): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    insert into people (email, first_name, last_name, role, password_hash, password_changed_at, created_at)
    values (${email}, '', '', ${role}, ${passwordHash}, ${at}::timestamptz, ${at}::timestamptz)
    on conflict (lower(email)) do update
      set role = excluded.role, password_hash = excluded.password_hash, password_changed_at = excluded.password_changed_at,
        disabled_at = null
    returning id::text`);
  return (rows[0] as { id: string }).id;
}

/** The person's id, or null for an unknown email. */
export async function replacePassword(
  queries: Queries,
  { email, passwordHash, at }: { email: string; passwordHash: string; at: string },
): Promise<string | null> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    update people set password_hash = ${passwordHash}, password_changed_at = ${at}::timestamptz
    where lower(email) = lower(${email}) returning id::text`);
  return rows[0]?.id ?? null;
}
