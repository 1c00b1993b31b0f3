// Serializes changes of admins, so two concurrent ones can't remove the last admin.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { refuse } from '#core/base/refusals.ts';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

/**
 * The ids of the admins who can sign in, locked until the transaction ends. Call it before locking other rows
 * of `people`, then ask `lastAdminRefusal`. Locks in the order of ids to avoid deadlocks. A waiting caller
 * sees what the other committed.
 */
export async function lockAdmins(queries: Queries): Promise<string[]> {
  await queries.execute(
    sql`select from people where role = ${adminRole} and disabled_at is null order by people.id for update`,
  );
  // A waiting statement has an old view of passkeys and identities, so this is a separate one.
  return readAdmins(queries);
}

/** The admins who can sign in. */
export async function readAdmins(queries: Queries): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select p.id::text from people p where p.role = ${adminRole} and ${sql.raw(canSignInSql('p'))} order by p.id`);
  return rows.map(({ id }) => id);
}

/**
 * Runs a removal that may close someone's last way in. Throws LAST_ADMIN if no admin could sign in
 * afterwards.
 */
export async function keepAnAdmin<T>(queries: Queries, remove: () => Promise<T>): Promise<T> {
  const before = await lockAdmins(queries);
  const removed = await remove();
  if (before.length > 0 && (await lockAdmins(queries)).length === 0) throw new RefusalError(refuse('LAST_ADMIN'));
  return removed;
}
