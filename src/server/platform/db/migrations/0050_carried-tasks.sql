CREATE INDEX "task_history_for" ON "task_history" USING btree ("for_id","at") WHERE "task_history"."for_id" is not null;--> statement-breakpoint
CREATE INDEX "tasks_carried" ON "tasks" USING btree ("owner_id") WHERE "tasks"."carried_over" > 0;--> statement-breakpoint
CREATE OR REPLACE VIEW "public"."sprint_standings" AS (
  select sprint_id, id as task_id, owner_id, category, status, false as carried_out, status_at
    from tasks where withdrawn_at is null
  union all
  select h.sprint_id, h.task_id, t.owner_id, t.category, h.to_status, true, t.status_at
    from task_history h join tasks t on t.id = h.task_id
    where h.event = 'carriedOver' and t.carried_over > 0 and t.withdrawn_at is null and (
      select u.event::text from task_history u
      where u.task_id = h.task_id and u.id > h.id and u.event::text in ('carriedOver', 'carryOverUndone')
      order by u.id limit 1) is distinct from 'carryOverUndone');