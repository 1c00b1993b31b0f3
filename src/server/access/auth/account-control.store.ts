// SQL of what accounts can do: their permissions, and the people they approve.
import { sql } from 'drizzle-orm';
import { heldPermissions } from '#core/access/access.ts';
import type { Holdings } from '#core/access/holdings.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { isUsedSql } from './account-events.store.ts';

type Row = {
  readonly id: string;
  readonly role: string | null;
  readonly stored: readonly string[];
  readonly approverIds: string[];
  readonly approvees: string[];
  readonly delegatedApprovees: string[];
  readonly isUsed: boolean;
  readonly hasTasks: boolean;
};

/** These people's permissions, including disabled accounts. */
export async function readHoldings(queries: Queries, ids: readonly string[]): Promise<Map<string, Holdings>> {
  const { rows } = await queries.execute<Row>(sql`
    select p.id::text, p.role, coalesce(r.permissions, '{}') || p.grants as stored,
      array(select a.approver_id::text from effective_approvers a where a.person_id = p.id) as "approverIds",
      array(select a.person_id::text from effective_approvers a where a.approver_id = p.id) as approvees,
      array(select a.person_id::text from absences w join effective_approvers a on a.approver_id = w.person_id
        where w.delegate_id = p.id and w.last_day >= current_date - 1 and a.person_id <> p.id) as "delegatedApprovees",
      ${isUsedSql} as "isUsed", exists (select from tasks t where t.owner_id = p.id) as "hasTasks"
    from people p left join roles r on r.name = p.role where p.id = any(${sql.param([...ids])}::bigint[])`);
  return new Map(
    rows.map(({ stored, ...row }) => [row.id, { ...row, permissions: heldPermissions(row.role, stored) }] as const),
  );
}
