ALTER TYPE "public"."task_event" ADD VALUE 'movedToSprint' BEFORE 'withdrawn';--> statement-breakpoint
ALTER TYPE "public"."task_event" ADD VALUE 'sprintMoveUndone' BEFORE 'withdrawn';