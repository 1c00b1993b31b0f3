// Reads permissions before and after a change.
import { sql } from 'drizzle-orm';
import { topFivePermission } from '#core/access/permissions.ts';
import type { Queries } from '#server/platform/db/database.ts';

export type AccessRow = {
  id: string;
  name: string;
  role: string | null;
  stored: string[];
  approvers: string[];
  ownApproverIds: string[];
};

const nameOf = (person: string) =>
  sql.raw(`coalesce(nullif(btrim(${person}.first_name || ' ' || ${person}.last_name), ''), ${person}.email)`);

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
    select p.id::text, ${nameOf('p')} as name, p.role, coalesce(r.permissions, '{}') || p.grants as stored,
      array(select o.approver_id::text from effective_approvers o
        where o.person_id = p.id and not o.by_default order by o.approver_id) as "ownApproverIds",
      array(select ${nameOf('a')}
        from effective_approvers e join people a on a.id = e.approver_id where e.person_id = p.id order by a.id) as approvers
    from people p left join roles r on r.name = p.role
    where p.id = any(${sql.param([...ids])}::bigint[]) and p.disabled_at is null`);
  return rows;
}
