-- Replaced, because a dropped view loses what servers are granted; the longest index last.
CREATE OR REPLACE VIEW "public"."sprint_standings" AS (
  select sprint_id, id as task_id, owner_id, category, status, false as carried_out, status_at
    from tasks where withdrawn_at is null
  union all
  select h.sprint_id, h.task_id, t.owner_id, t.category, h.to_status, true, t.status_at
    from task_history h join tasks t on t.id = h.task_id
    where h.event = 'carriedOver' and t.withdrawn_at is null and (
      select u.event::text from task_history u
      where u.task_id = h.task_id and u.id > h.id and u.event::text in ('carriedOver', 'carryOverUndone')
      order by u.id limit 1) is distinct from 'carryOverUndone');--> statement-breakpoint
CREATE INDEX "people_team" ON "people" USING btree ("team");--> statement-breakpoint
CREATE INDEX "task_notes_author" ON "task_notes" USING btree ("author_id","at");--> statement-breakpoint
CREATE INDEX "orders_unpriced" ON "orders" USING btree ("product","currency","day") WHERE status = 'completed' and gross is null;