// Counting tasks by status in SQL, with the core's keys.
import { type SQL, sql } from 'drizzle-orm';
import { taskStatusKeys } from '#core/tasks/task-status.ts';

/** `{"TODO": 2, …}` of the grouped rows, one key per status. `column` is the status. */
export function countsByStatus(column: string): SQL {
  const counts = taskStatusKeys.map((key) => `'${key}', count(*) filter (where ${column} = '${key}')`);
  return sql.raw(`json_build_object(${counts.join(', ')})`);
}
