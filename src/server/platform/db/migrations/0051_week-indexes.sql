CREATE INDEX "task_history_decisions" ON "task_history" USING btree ("sprint_id","task_id","id","event","actor_id","for_id","waited","correction") WHERE "task_history"."event" in ('approved', 'denied', 'signedOff', 'sentBack', 'undone');--> statement-breakpoint
CREATE INDEX "tasks_standing" ON "tasks" USING btree ("sprint_id","category","owner_id","status","id","created_at","carried_over","source") WHERE "tasks"."withdrawn_at" is null;--> statement-breakpoint
DROP INDEX "tasks_sprint";--> statement-breakpoint
CREATE OR REPLACE VIEW "public"."sprint_standings" AS (
  select sprint_id, id as task_id, owner_id, category, status, false as carried_out, status_at, created_at, carried_over,
      source is not null as imported
    from tasks where withdrawn_at is null
  union all
  select h.sprint_id, h.task_id, t.owner_id, t.category, h.to_status, true, t.status_at, t.created_at, t.carried_over,
      t.source is not null
    from task_history h join tasks t on t.id = h.task_id
    where h.event = 'carriedOver' and t.carried_over > 0 and t.withdrawn_at is null and (
      select u.event::text from task_history u
      where u.task_id = t.id and u.id > h.id and u.event::text in ('carriedOver', 'carryOverUndone')
      order by u.id limit 1) is distinct from 'carryOverUndone');