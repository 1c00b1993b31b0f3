// The audit log: who did what. An entry is written in the transaction of its change, and never changes.
import { type SQL, sql } from 'drizzle-orm';
import { displayName, type Named } from '#core/people/people.ts';
import type { RequestContext } from '../context.ts';
import type { Queries } from '../db/database.ts';
import { executePrepared } from '../db/prepared.ts';

export type AuditEntry = {
  /** What was done, as a verb in the past: `taskApproved`. */
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  /** Values before and after; never a secret. */
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
};

/** `viewer` is null when nobody is signed in, such as for a failed sign-in. */
export type Actor = Pick<RequestContext, 'clock' | 'requestId' | 'address'> & {
  readonly viewer: { readonly id: string } | null;
};

const json = (values: Record<string, unknown> | undefined): string | null => (values ? JSON.stringify(values) : null);

/**
 * The statement that inserts an entry. With `changed`, the name of a CTE, it inserts one entry per row of
 * that CTE.
 */
export function insertAudit({ viewer, clock, requestId, address }: Actor, entry: AuditEntry, changed?: SQL): SQL {
  const { action, subjectType, subjectId, before, after } = entry;
  return sql`insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, request_id, address)
    select ${clock.now().toString()}::timestamptz, ${viewer?.id ?? null}::bigint, ${action}::text, ${subjectType}::text, ${subjectId}::text,
      ${json(before)}::jsonb, ${json(after)}::jsonb, ${requestId}::text, ${address}::text${changed ? sql` from ${changed}` : sql``}`;
}

/**
 * The statement that inserts many entries. `rows` is a part of `from` with the name x and the columns
 * `subject_id` and `after`.
 */
export const insertAudits = (
  { viewer, clock, requestId, address }: Actor,
  { action, subjectType }: Pick<AuditEntry, 'action' | 'subjectType'>,
  rows: SQL,
): SQL => sql`
  insert into audit_log (at, actor_id, action, subject_type, subject_id, after, request_id, address)
  select ${clock.now().toString()}::timestamptz, ${viewer?.id ?? null}::bigint, ${action}::text, ${subjectType}::text,
    x.subject_id, x.after, ${requestId}::text, ${address}::text from ${rows}`;

/** Returns the id of the entry. */
export async function recordAudit(queries: Queries, actor: Actor, entry: AuditEntry): Promise<string> {
  const { rows } = await executePrepared<{ id: string }>(queries, sql`${insertAudit(actor, entry)} returning id::text`);
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

/** The events of one subject, newest first. */
export async function auditOf(
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
