// Makes changes of admins wait for each other, so that two who act at once cannot remove the last one together.
import { sql } from 'drizzle-orm';
import { adminRole } from '#core/access/access.ts';
import type { Queries } from '#server/platform/db/database.ts';

/**
 * The ids of the admins whose accounts are not disabled, locked until the transaction ends. Call it before any other row of
 * `people` is locked, then ask `lastAdminRefusal`. Always in the order of ids: two callers cannot wait for each other. Who
 * waited here sees what the other committed, so a person who is no admin any more is not among them.
 */
export async function lockAdmins(queries: Queries): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(
    sql`select id::text from people where role = ${adminRole} and disabled_at is null order by people.id for update`,
  );
  return rows.map(({ id }) => id);
}
