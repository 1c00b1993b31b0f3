// People around one owner and tasks in any state, for the tests of S.T.A.R.T. Tasks are written by SQL: the
// way there is tested elsewhere.
import { expect } from 'vitest';
import type { Permission } from '#core/access/permissions.ts';
import { writeHolidays } from '#core/base/holidays.ts';
import type { TaskStatus } from '#core/tasks/task-status.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { TestApp } from './app.ts';

export const staff: readonly Permission[] = ['VIEW_DASHBOARD', 'VIEW_TOP_5'];
export const approving: readonly Permission[] = [...staff, 'VIEW_TOP_5_APPROVALS'];

export type Someone = { readonly id: string; readonly token: string };
export type Team = Readonly<Record<'owner' | 'approver' | 'admin' | 'otherApprover' | 'stranger', Someone>>;

export async function someone(app: TestApp, person: Parameters<TestApp['person']>[0]): Promise<Someone> {
  const id = await app.person(person);
  return { id, token: await app.signIn(id) };
}

/** An owner with an approver; an admin; an approver of someone else; a colleague of no relation. */
export async function makeTeam(app: TestApp): Promise<Team> {
  const admin = await someone(app, { role: 'admin' });
  const approver = await someone(app, { permissions: approving, approvers: [admin.id] });
  const owner = await someone(app, { permissions: staff, approvers: [approver.id] });
  const otherApprover = await someone(app, { permissions: approving, approvers: [admin.id] });
  const stranger = await someone(app, { permissions: staff, approvers: [otherApprover.id] });
  return { owner, approver, admin, otherApprover, stranger };
}

export type PreparedTask = {
  readonly ownerId: string;
  readonly sprintId: string;
  readonly status?: TaskStatus;
  readonly title?: string;
  readonly category?: string;
  /** When it was made and came into its status. */
  readonly at?: string;
};

/** As many tasks as asked for, with the line of history that made them; gives their ids. */
export async function prepareTasks(database: Database, count: number, task: PreparedTask): Promise<string[]> {
  const {
    ownerId,
    sprintId,
    status = 'INAPPROVAL',
    title = 'A task',
    category = 'All Brands',
    at = '2026-11-16T11:00:00Z',
  } = task;
  const { rows } = await database.pool.query<{ id: string }>(
    `with made as (
       insert into tasks (owner_id, sprint_id, title, category, status, created_by, created_at, status_at)
       select $1, $2, $3, $4, $5, $1, $6, $6 from generate_series(1, $7) returning id
     ), logged as (
       insert into task_history (task_id, sprint_id, at, actor_id, actor_name, event, from_status, to_status, version)
       select id, $2, $6, $1, 'Owner', 'created', 'INAPPROVAL', 'INAPPROVAL', 1 from made)
     select id::text from made order by made.id`,
    [ownerId, sprintId, title, category, status, at, count],
  );
  return rows.map(({ id }) => id);
}

export async function prepareTask(database: Database, task: PreparedTask): Promise<string> {
  const [id] = await prepareTasks(database, 1, task);
  return id as string;
}

/** Everything that a change of the task would leave behind. */
export async function traces(database: Database, taskId: string): Promise<unknown> {
  const { rows } = await database.pool.query(
    `select to_jsonb(t) as task, (select count(*) from task_history where task_id = t.id) as history,
       (select count(*) from audit_log where subject_type = 'task' and subject_id = t.id::text) as audits,
       (select json_agg(n order by n.id) from task_notes n where n.task_id = t.id) as notes,
       (select json_agg(f order by f.id) from task_attachments f where f.task_id = t.id) as files
     from tasks t where t.id = $1`,
    [taskId],
  );
  return rows[0];
}

/** Makes these days company holidays, one a line. */
export async function takeOff(app: TestApp, admin: string, holidays: string): Promise<void> {
  const call = 'mutation ($value: String) { changeSetting(key: "holidays", value: $value) { value } }';
  expect((await app.gql(admin, call, { value: holidays })).code).toBeNull();
  await expect.poll(() => writeHolidays(app.parts.settings().holidays)).toBe(holidays);
}
