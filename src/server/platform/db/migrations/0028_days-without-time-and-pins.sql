ALTER TABLE "pinned_numbers" DROP CONSTRAINT "pinned_numbers_key";--> statement-breakpoint
DROP INDEX "conversations_day";--> statement-breakpoint
DROP INDEX "donations_day";--> statement-breakpoint
DROP INDEX "orders_day";--> statement-breakpoint
DROP INDEX "payments_day";--> statement-breakpoint
DROP INDEX "payouts_day";--> statement-breakpoint
ALTER TABLE "conversations" ALTER COLUMN "hour" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "donations" ALTER COLUMN "hour" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ALTER COLUMN "hour" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "orders_by_hour" ALTER COLUMN "hour" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "hour" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "payouts" ALTER COLUMN "hour" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "pinned_numbers" ADD COLUMN "search" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "conversations_day" ON "conversations" USING btree ("day","opened_at","id");--> statement-breakpoint
CREATE INDEX "donations_day" ON "donations" USING btree ("cause","currency","day","donated_at","id");--> statement-breakpoint
CREATE INDEX "orders_day" ON "orders" USING btree ("product","currency","day","occurred_at","id");--> statement-breakpoint
CREATE INDEX "payments_day" ON "payments" USING btree ("currency","day","attempted_at","id");--> statement-breakpoint
CREATE INDEX "payouts_day" ON "payouts" USING btree ("currency","day","dated_at","id");--> statement-breakpoint
ALTER TABLE "pinned_numbers" ADD CONSTRAINT "pinned_numbers_key" UNIQUE NULLS NOT DISTINCT("person_id","dataset","metric","scope","search");--> statement-breakpoint
-- Newer than "orders_day", so the planner prefers it in a table without statistics.
DROP INDEX "orders_order";--> statement-breakpoint
CREATE INDEX "orders_order" ON "orders" USING btree ("product","currency","order_ref");