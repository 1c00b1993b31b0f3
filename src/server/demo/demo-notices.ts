// The notifications of the demo's last days: the decisions on tasks, as the server would have sent them.
import { sql } from 'drizzle-orm';
import type { NoticeFacts } from '#core/notifications/notice-facts.ts';
import { noticeOfChange } from '#core/notifications/notices.ts';
import type { TaskEventKind } from '#core/tasks/task.ts';
import { notices } from '#server/notifications/notice-tables.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { insertRows } from '#server/platform/db/insert-rows.ts';

type Row = {
  taskId: string;
  ownerId: string;
  title: string;
  by: string;
  event: TaskEventKind;
  change: string | null;
  version: number;
  at: string;
};

const toldDays = 10;
/** Older ones are read. */
const unreadHours = 30;

export async function insertDemoNotices(queries: Queries, now: Temporal.Instant): Promise<void> {
  const { rows } = await queries.execute<Row>(sql`
    select h.task_id::text as "taskId", t.owner_id::text as "ownerId", t.title, h.actor_name as by, h.event, h.change, h.version, h.at
    from task_history h join tasks t on t.id = h.task_id
    where h.at > ${now.subtract({ hours: toldDays * 24 }).toString()}::timestamptz and h.actor_id <> t.owner_id
      and t.withdrawn_at is null order by h.id`);
  const unreadSince = now.subtract({ hours: unreadHours });
  await insertRows(
    queries,
    notices,
    rows.flatMap((row) => noticeRow(row, unreadSince)),
  );
}

function noticeRow({ ownerId, event, at, ...task }: Row, unreadSince: Temporal.Instant) {
  const told = noticeOfChange(event, task);
  if (told === null) return [];
  const facts: NoticeFacts = told.facts;
  const isOld = Temporal.Instant.compare(Temporal.Instant.from(at), unreadSince) < 0;
  return [
    {
      ...{ personId: ownerId, kind: facts.kind, key: told.key, taskId: task.taskId, facts, at },
      ...{ inApp: true, readAt: isOld ? at : null },
    },
  ];
}
