// SQL of the requests for a role, which are entries of the audit log.
import { type SQL, sql } from 'drizzle-orm';
import { displayName, type Named } from '#core/people/people.ts';
import { type RoleEvent, roleMentions } from '#core/people/role-requests.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { instantText } from '#server/platform/instant-text.ts';

const mostRoleEvents = 200;
/** More than admins would read. */
const mostOpenRoleEvents = 5_000;

const roleEvents = {
  roleAsked: 'asked',
  roleWithdrawn: 'withdrawn',
  roleDeclined: 'declined',
} as const satisfies Readonly<Record<string, RoleEvent['what']>>;

type RoleEventRow = Named &
  Omit<RoleEvent, 'by' | 'what'> & { readonly personId: string; readonly action: keyof typeof roleEvents };

/** Newest first. `which` narrows them down by `l.subject_id`. */
async function readRoleEventRows(queries: Queries, which: SQL): Promise<(RoleEvent & { personId: string })[]> {
  const { rows } = await queries.execute<RoleEventRow>(sql`
    select l.subject_id as "personId", l.after->>'role' as role, l.at, l.action, p.id::text as "byId",
      p.first_name as "firstName", p.last_name as "lastName", p.email
    from audit_log l join people p on p.id = l.actor_id
    where l.subject_type = 'person' and l.action = any(${sql.param(Object.keys(roleEvents))}::text[])
      and not exists (select from audit_log c where c.subject_type = 'person' and c.subject_id = l.subject_id
        and c.id > l.id and c.action <> all(${sql.param([...roleMentions])}::text[]) and c.after->>'role' is not null)
      and ${which}`);
  return rows.map(({ personId, role, byId, action, at, ...named }) => {
    return {
      personId,
      role,
      byId,
      what: roleEvents[action],
      at: instantText(Temporal.Instant.from(at)),
      by: displayName(named),
    };
  });
}

/** The newest requests for a role of this person, and what became of them, since they last got one. */
export const readRoleEvents = (queries: Queries, id: string): Promise<RoleEvent[]> =>
  readRoleEventRows(queries, sql`l.subject_id = ${id} order by l.id desc limit ${mostRoleEvents}`);

/** The newest of everyone, by the id of the person that each is about. */
export async function readAllRoleEvents(queries: Queries): Promise<Map<string, RoleEvent[]>> {
  const rows = await readRoleEventRows(queries, sql`true order by l.id desc limit ${mostOpenRoleEvents}`);
  return Map.groupBy(rows, ({ personId }) => personId);
}

export async function countRoleRequests(queries: Queries, by: string, since: Temporal.Instant): Promise<number> {
  const { rows } = await queries.execute<{ count: number }>(sql`
    select count(*)::int as count from audit_log
    where actor_id = ${by} and action = 'roleAsked' and at > ${since.toString()}::timestamptz`);
  return rows[0]!.count;
}
