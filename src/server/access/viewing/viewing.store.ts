// SQL of viewing as someone else.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';

export type Subject =
  | { readonly kind: 'person'; readonly id: string }
  | { readonly kind: 'role'; readonly id: string; readonly name: string; readonly permissions: readonly string[] };

export type RunningViewing = { readonly subject: Subject; readonly endsAt: string };

type SubjectRow = {
  person_id: string | null;
  role_id: string | null;
  name: string | null;
  permissions: string[] | null;
};

function subjectOf({ person_id, role_id, name, permissions }: SubjectRow): Subject {
  if (person_id !== null) return { kind: 'person', id: person_id };
  return { kind: 'role', id: role_id as string, name: name as string, permissions: permissions as string[] };
}

/** The subject this person views as, and until when; null if it ended or isn't theirs. */
export async function readViewing(
  queries: Queries,
  id: string,
  impersonatorId: string,
  now: string,
): Promise<RunningViewing | null> {
  const { rows } = await queries.execute<SubjectRow & { ends_at: string }>(sql`
    select v.person_id::text, r.id::text as role_id, r.name, r.permissions, v.ends_at
    from viewings v left join roles r on r.id = v.role_id
    where v.id = ${id}::bigint and v.looker_id = ${impersonatorId}::bigint and v.ends_at > ${now}::timestamptz`);
  return rows[0] ? { subject: subjectOf(rows[0]), endsAt: rows[0].ends_at } : null;
}

export async function readRole(queries: Queries, name: string): Promise<Extract<Subject, { kind: 'role' }> | null> {
  const { rows } = await queries.execute<{ id: string; name: string; permissions: string[] }>(
    sql`select id::text, name, permissions from roles where name = ${name}`,
  );
  return rows[0] ? { kind: 'role', ...rows[0] } : null;
}

export async function readRoleNames(queries: Queries): Promise<string[]> {
  const { rows } = await queries.execute<{ name: string }>(sql`select name from roles order by lower(name)`);
  return rows.map(({ name }) => name);
}

/** Ended ones can go: the audit log has them. */
export async function insertViewing(
  queries: Queries,
  { subject, ...viewing }: { impersonatorId: string; subject: Subject; startedAt: string; endsAt: string },
): Promise<string> {
  const { rows } = await queries.execute<{ id: string }>(sql`
    with ended as (delete from viewings where ends_at <= ${viewing.startedAt}::timestamptz)
    insert into viewings (looker_id, person_id, role_id, started_at, ends_at)
    values (${viewing.impersonatorId}::bigint, ${subject.kind === 'person' ? subject.id : null}::bigint,
      ${subject.kind === 'role' ? subject.id : null}::bigint, ${viewing.startedAt}::timestamptz, ${viewing.endsAt}::timestamptz)
    returning id::text`);
  return (rows[0] as { id: string }).id;
}

/** The subject of the ended viewing, or null if it had ended before. */
export async function deleteViewing(
  queries: Queries,
  id: string,
  impersonatorId: string,
  now: string,
): Promise<Subject | null> {
  const { rows } = await queries.execute<SubjectRow>(sql`
    with ended as (
      delete from viewings where id = ${id}::bigint and looker_id = ${impersonatorId}::bigint returning person_id, role_id, ends_at)
    select e.person_id::text, r.id::text as role_id, r.name, r.permissions
    from ended e left join roles r on r.id = e.role_id where e.ends_at > ${now}::timestamptz`);
  return rows[0] ? subjectOf(rows[0]) : null;
}
