ALTER TABLE "installation" ADD COLUMN "link_secret_fingerprint" text;--> statement-breakpoint
ALTER TABLE "installation" ADD COLUMN "is_production" boolean DEFAULT false NOT NULL;