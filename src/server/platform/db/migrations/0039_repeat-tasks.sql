CREATE TYPE "public"."task_repeat" AS ENUM('weekly', 'twoWeekly', 'threeWeekly', 'fourWeekly', 'monthFirst', 'monthLast');--> statement-breakpoint
ALTER TYPE "public"."task_event" ADD VALUE 'repeatSet' BEFORE 'imported';--> statement-breakpoint
ALTER TYPE "public"."task_event" ADD VALUE 'repeatStopped' BEFORE 'imported';--> statement-breakpoint
ALTER TABLE "sprints" ADD COLUMN "repeated_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "repeats" "task_repeat";--> statement-breakpoint
CREATE INDEX "tasks_repeats" ON "tasks" USING btree ("sprint_id","repeats") WHERE "tasks"."repeats" is not null;