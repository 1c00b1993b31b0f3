ALTER TYPE "public"."task_event" ADD VALUE 'leftUndone' BEFORE 'noteAdded';--> statement-breakpoint
ALTER TYPE "public"."task_event" ADD VALUE 'carryOverUndone' BEFORE 'noteAdded';--> statement-breakpoint
ALTER TYPE "public"."task_event" ADD VALUE 'reopened' BEFORE 'noteAdded';--> statement-breakpoint
ALTER TYPE "public"."task_event" ADD VALUE 'restored' BEFORE 'noteAdded';--> statement-breakpoint
DROP VIEW "public"."sprint_standings";--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "left_undone_at" timestamp(3) with time zone;--> statement-breakpoint
CREATE VIEW "public"."sprint_standings" AS (
  select sprint_id, id as task_id, owner_id, category, status, false as carried_out from tasks where withdrawn_at is null
  union all
  select h.sprint_id, h.task_id, t.owner_id, t.category, h.to_status, true
    from task_history h join tasks t on t.id = h.task_id
    where h.event = 'carriedOver' and t.withdrawn_at is null and not exists (
      select 1 from task_history u
      where u.task_id = h.task_id and u.version = h.version + 1 and u.event::text = 'carryOverUndone'));