// SQL of the order that people give their tasks of a sprint.
import { sql } from 'drizzle-orm';
import type { Queries } from '#server/platform/db/database.ts';
import { executePrepared } from '#server/platform/db/prepared.ts';

type Week = { readonly ownerId: string; readonly sprintId: string };

/** It can name tasks that have left the sprint since. */
export async function readTaskOrder(queries: Queries, { ownerId, sprintId }: Week): Promise<string[]> {
  const { rows } = await executePrepared<{ ids: string[] }>(
    queries,
    sql`select task_ids::text[] as ids from task_orders where person_id = ${ownerId} and sprint_id = ${sprintId}`,
  );
  return rows[0]?.ids ?? [];
}

/** The person's tasks in the sprint, without withdrawn ones. */
export async function readTaskIds(queries: Queries, { ownerId, sprintId }: Week): Promise<string[]> {
  const { rows } = await executePrepared<{ id: string }>(
    queries,
    sql`select id::text from tasks where owner_id = ${ownerId} and sprint_id = ${sprintId} and withdrawn_at is null`,
  );
  return rows.map(({ id }) => id);
}

/** False if the tasks already have this order. */
export async function saveTaskOrder(
  queries: Queries,
  { ownerId, sprintId }: Week,
  taskIds: readonly string[],
): Promise<boolean> {
  const { rowCount } = await executePrepared(
    queries,
    sql`
    insert into task_orders (person_id, sprint_id, task_ids) values (${ownerId}, ${sprintId}, ${sql.param([...taskIds])}::bigint[])
    on conflict (person_id, sprint_id) do update set task_ids = excluded.task_ids
      where task_orders.task_ids <> excluded.task_ids`,
  );
  return rowCount === 1;
}
