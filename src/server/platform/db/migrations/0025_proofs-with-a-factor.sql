ALTER TABLE "sessions" ADD COLUMN "factor_verified_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_hash" "bytea";