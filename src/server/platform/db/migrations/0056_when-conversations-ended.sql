DROP INDEX "conversations_resolved";--> statement-breakpoint
CREATE INDEX "conversations_ended" ON "conversations" USING btree (coalesce(conversations."resolved_at", conversations."closed_at"));