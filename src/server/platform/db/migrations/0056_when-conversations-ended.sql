CREATE INDEX "conversations_ended" ON "conversations" USING btree (coalesce(conversations."resolved_at", conversations."closed_at"));--> statement-breakpoint
DROP INDEX "conversations_resolved";