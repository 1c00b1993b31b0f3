// SQL of the audit log. Rows are added and never changed.
import { type SQL, sql } from 'drizzle-orm';
import { displayName, type Named } from '#core/people/people.ts';
import type { Queries } from '../db/database.ts';
import { executePrepared } from '../db/prepared.ts';

export type AuditRow = {
  readonly actorId: string | null;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly before?: Record<string, unknown> | undefined;
  readonly after?: Record<string, unknown> | undefined;
  readonly requestId: string;
  readonly address: string;
  readonly at: string;
};

const json = (values: Record<string, unknown> | undefined): string | null => (values ? JSON.stringify(values) : null);

/** `when`: a row of a statement before, without which nothing is written. */
export function auditStatement(row: AuditRow, when?: SQL): SQL {
  return sql`insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, request_id, address)
    select ${row.at}::timestamptz, ${row.actorId}::bigint, ${row.action}::text, ${row.subjectType}::text, ${row.subjectId}::text,
      ${json(row.before)}::jsonb, ${json(row.after)}::jsonb, ${row.requestId}::text, ${row.address}::text${when ? sql` from ${when}` : sql``}`;
}

/** Gives the row's id. */
export async function insertAudit(queries: Queries, row: AuditRow): Promise<string> {
  const { rows } = await executePrepared<{ id: string }>(queries, sql`${auditStatement(row)} returning id::text`);
  return rows[0]!.id;
}

export type AuditOfSubject = {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly actorName: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
};

export async function readAuditOf(
  queries: Queries,
  { subjectType, subjectId, limit, offset }: { subjectType: string; subjectId: string; limit: number; offset: number },
): Promise<AuditOfSubject[]> {
  const { rows } = await queries.execute<Omit<AuditOfSubject, 'actorName'> & Named & { actorId: string | null }>(sql`
    select a.id::text as id, a.at, a.action, a.before, a.after, a.actor_id::text as "actorId",
      p.email, p.first_name as "firstName", p.last_name as "lastName"
    from audit_log a left join people p on p.id = a.actor_id
    where a.subject_type = ${subjectType} and a.subject_id = ${subjectId}
    order by a.id desc limit ${limit} offset ${offset}`);
  return rows.map(({ actorId, email, firstName, lastName, ...row }) => ({
    ...row,
    actorName: actorId === null ? null : displayName({ email, firstName, lastName }),
  }));
}
