// Reads permissions before and after a change.
import { sql } from 'drizzle-orm';
import { topFivePermission } from '#core/access/permissions.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type AccessRow = { id: string; role: string | null; stored: string[]; approvers: string[] };

/**
 * People whose tasks go to the default approver because they have no approver, if there is a default
 * approver.
 */
export async function withoutApproverOfTheirOwn(queries: Queries): Promise<string[]> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    select p.id::text from people p left join roles r on r.name = p.role
    where p.disabled_at is null and ${topFivePermission} = any(coalesce(r.permissions, '{}') || p.grants)
      and not exists (select from effective_approvers e where e.person_id = p.id and not e.by_default)`);
  return rows.map(({ id }) => id);
}

/** Disabled accounts aren't notified. */
export async function accessOf(queries: Queries, ids: readonly string[]): Promise<AccessRow[]> {
  const { rows } = await queries.execute<AccessRow>(sql`
    select p.id::text, p.role, coalesce(r.permissions, '{}') || p.grants as stored,
      array(select coalesce(nullif(btrim(a.first_name || ' ' || a.last_name), ''), a.email)
        from effective_approvers e join people a on a.id = e.approver_id where e.person_id = p.id order by a.id) as approvers
    from people p left join roles r on r.name = p.role
    where p.id = any(${sql.param([...ids])}::bigint[]) and p.disabled_at is null`);
  return rows;
}
