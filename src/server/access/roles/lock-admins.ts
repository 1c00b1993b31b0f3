// Makes changes of admins wait for each other, so that two who act at once cannot remove the last one together.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import { refuse } from '#core/base/refusals.ts';
import { canSignInSql } from '#server/platform/can-sign-in.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { RefusalError } from '#server/platform/graphql/refusal-error.ts';

/**
 * The ids of the admins who can sign in, locked until the transaction ends. Call it before any other row of `people` is locked,
 * then ask `lastAdminRefusal`. Always in the order of ids: two callers cannot wait for each other. Who waited here sees what the
 * other committed, so a person who is no admin any more is not among them.
 */
export async function lockAdmins(queries: Queries): Promise<string[]> {
  await queries.execute(
    sql`select from people where role = ${adminRole} and disabled_at is null order by people.id for update`,
  );
  // A statement that waited still sees the passkeys and identities of its beginning, so this is another one.
  const { rows } = await queries.execute<{ id: string }>(sql`
    select p.id::text from people p where p.role = ${adminRole} and ${sql.raw(canSignInSql('p'))} order by p.id`);
  return rows.map(({ id }) => id);
}

/** Runs a removal that may close somebody's last way in. Throws LAST_ADMIN where no admin could sign in afterwards. */
export async function keepAnAdmin<T>(queries: Queries, remove: () => Promise<T>): Promise<T> {
  const before = await lockAdmins(queries);
  const removed = await remove();
  if (before.length > 0 && (await lockAdmins(queries)).length === 0) throw new RefusalError(refuse('LAST_ADMIN'));
  return removed;
}
