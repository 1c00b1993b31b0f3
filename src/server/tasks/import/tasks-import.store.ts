// SQL of imported tasks and what they need. Every function runs in the batch's transaction.
import { type SQL, sql } from 'drizzle-orm';
import { defaultSettlingHours, halfWeek } from '#core/tasks/sprint.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { insertRows, type RowOf } from '#server/platform/db/insert-rows.ts';
import * as tables from '#server/platform/db/tables.ts';
import { sprints } from '../sprints/sprint-tables.ts';
import { tasks } from '../task-tables.ts';
import { importedRole } from './imported-people.ts';
import { type StoredTask, saidFields, type TaskChangePlan } from './task-changes-plan.ts';

const textArray = (values: readonly string[]): SQL => sql`${sql.param([...values])}::text[]`;
const idArray = (values: readonly string[]): SQL => sql`${sql.param([...values])}::bigint[]`;
/** Instants in JSON in the usual format: milliseconds, UTC. */
const isoOf = (column: string): SQL =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** Serializes imports of one source, batch by batch. */
export async function lockSource(queries: Queries, source: string): Promise<void> {
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext(${`import ${source}`}))`);
}

/** The existing tasks, locked until the transaction ends. */
export async function storedTasks(
  queries: Queries,
  source: string,
  externalIds: readonly string[],
): Promise<StoredTask[]> {
  const { rows } = await queries.execute<StoredTask>(sql`
    select t.id, t.external_id as "externalId", t.version, t.owner_id as "ownerId", t.sprint_id as "sprintId", t.carried_over > 0 as "isCarriedOver",
      case when p.source = ${source} then p.external_id end as owner, s.start_at as "weekStart", s.end_at as "weekEnd",
      json_build_object(${sql.raw(saidFields.map((field) => `'${field}', t.${field}`).join(', '))}) as now,
      coalesce((select h.after from task_history h where h.task_id = t.id and h.event = 'imported' and h.after ? 'title' order by h.id desc limit 1), '{}') as said,
      (select coalesce(json_agg(json_build_object('id', n.id::text, 'author', n.author_name, 'text', n.text, 'at', ${isoOf('n.at')}, 'editedAt', ${isoOf('n.edited_at')}) order by n.id), '[]')
        from task_notes n where n.task_id = t.id) as notes,
      (select coalesce(json_agg(json_build_object('author', a.author_name, 'fileName', a.file_name, 'at', ${isoOf('a.at')}) order by a.id), '[]')
        from task_attachments a where a.task_id = t.id) as attachments,
      (select coalesce(json_agg(json_build_object('at', ${isoOf('h.at')}, 'from', h.from_status, 'to', h.to_status) order by h.id), '[]')
        from task_history h where h.task_id = t.id and h.event = 'imported' and not h.after ? 'title') as history
    from tasks t join people p on p.id = t.owner_id join sprints s on s.id = t.sprint_id
    where t.source = ${source} and t.external_id = any(${textArray(externalIds)})
    for no key update of t`);
  return rows;
}

/** The ids of the source's people by their name. */
export async function peopleByName(
  queries: Queries,
  source: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await queries.execute<{ name: string; id: string }>(
    sql`select external_id as name, id from people where source = ${source} and external_id = any(${textArray(names)})`,
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}

export type NewPerson = { externalId: string; source: string; email: string; firstName: string; lastName: string };

export async function insertPeople(
  queries: Queries,
  people: readonly NewPerson[],
  approverId: string | null,
): Promise<void> {
  if (people.length === 0) return;
  await queries.insert(tables.roles).values(importedRole).onConflictDoNothing();
  await insertRows(
    queries,
    tables.people,
    people.map((person) => ({ ...person, role: importedRole.name, grants: [] })),
  );
  if (approverId === null) return;
  const names = people.map(({ externalId }) => externalId);
  await queries.execute(sql`
    insert into approvers (person_id, approver_id)
    select id, ${approverId}::bigint from people where source = ${people[0]!.source} and external_id = any(${textArray(names)}) and id <> ${approverId}
    on conflict do nothing`);
}

/** How long a sprint settles: the setting, or the core's default. */
export async function settlingHours(queries: Queries): Promise<number> {
  const { rows } = await queries.execute<{ value: unknown }>(
    sql`select value from settings where key = 'settlingHours'`,
  );
  const value = rows[0]?.value;
  return typeof value === 'number' ? value : defaultSettlingHours;
}

/** All tables that the import writes. */
export const writtenTables = [
  'people',
  'sprints',
  'sprint_results',
  'tasks',
  'task_notes',
  'task_attachments',
  'task_history',
].map((table) => sql`${sql.identifier(table)}`);

export async function personByEmail(queries: Queries, email: string): Promise<string | null> {
  const { rows } = await queries.execute<{ id: string }>(
    sql`select id from people where lower(email) = lower(${email})`,
  );
  return rows[0]?.id ?? null;
}

/**
 * The sprints of the weeks that start at these instants, by their middle: a holiday may have moved a sprint's
 * start. Weeks without a sprint are left out.
 */
export async function sprintsOfWeeks(queries: Queries, starts: readonly string[]): Promise<Map<string, string>> {
  const middle = sql`w.wanted::timestamptz + make_interval(hours => ${halfWeek.hours})`;
  const { rows } = await queries.execute<{ wanted: string; id: string }>(sql`
    select w.wanted, s.id from unnest(${textArray(starts)}) as w(wanted)
    join sprints s on s.start_at <= ${middle} and s.end_at > ${middle}`);
  return new Map(rows.map(({ wanted, id }) => [wanted, id]));
}

export type NewWeek = { name: string; startAt: string; endAt: string; resultAt: string | null };

export async function insertSprints(queries: Queries, weeks: readonly NewWeek[]): Promise<void> {
  if (weeks.length === 0) return;
  // The same lock as the server's, which creates the current weeks.
  await queries.execute(sql`select pg_advisory_xact_lock(hashtext('sprints'))`);
  await queries
    .insert(sprints)
    .values([...weeks])
    .onConflictDoNothing({ target: sprints.startAt });
}

export async function insertTasks(
  queries: Queries,
  source: string,
  rows: readonly RowOf<typeof tasks>[],
): Promise<Map<string, string>> {
  await insertRows(queries, tasks, rows);
  const externalIds = rows.map(({ externalId }) => externalId!);
  const made = await queries.execute<{ id: string; externalId: string }>(
    sql`select id, external_id as "externalId" from tasks where source = ${source} and external_id = any(${textArray(externalIds)})`,
  );
  return new Map(made.rows.map(({ id, externalId }) => [externalId, id]));
}

export async function updateTask(
  queries: Queries,
  { stored, content, imported, changedNotes }: TaskChangePlan,
  ownerId: string | undefined,
  sprintId: string | undefined,
): Promise<void> {
  const set = [sql`version = version + 1`];
  for (const [field, value] of Object.entries(content)) set.push(sql`${sql.identifier(field)} = ${value}`);
  if (content.status !== undefined) set.push(sql`status_at = ${imported.statusAt}`, sql`left_undone_at = null`);
  if (ownerId !== undefined) set.push(sql`owner_id = ${ownerId}`);
  if (sprintId !== undefined) set.push(sql`sprint_id = ${sprintId}`);
  await queries.execute(sql`update tasks set ${sql.join(set, sql`, `)} where id = ${stored.id}`);
  for (const { id, text, editedAt } of changedNotes) {
    await queries.execute(sql`update task_notes set text = ${text}, edited_at = ${editedAt} where id = ${id}`);
  }
}

/**
 * The results of imported people in settled weeks follow the import, because the source is the record for
 * them (D39). Everyone else's results are immutable.
 */
export async function recordResults(
  queries: Queries,
  source: string,
  pairs: readonly { sprintId: string; personId: string }[],
): Promise<void> {
  const sprintIds = idArray(pairs.map(({ sprintId }) => sprintId));
  const personIds = idArray(pairs.map(({ personId }) => personId));
  await queries.execute(sql`
    insert into sprint_results (sprint_id, person_id, counts, carried_out)
    select s.id, p.id,
      (select jsonb_object_agg(k.status, (select count(*) from sprint_standings x where x.sprint_id = s.id and x.owner_id = p.id and x.status = k.status))
        from unnest(enum_range(null::task_status)) as k(status)),
      (select count(*) from sprint_standings x where x.sprint_id = s.id and x.owner_id = p.id and x.carried_out)
    from (select distinct * from unnest(${sprintIds}, ${personIds})) as pair(sprint_id, person_id)
    join sprints s on s.id = pair.sprint_id and s.result_at is not null
    join people p on p.id = pair.person_id and p.source = ${source}
    on conflict (sprint_id, person_id) do update set counts = excluded.counts, carried_out = excluded.carried_out`);
}
