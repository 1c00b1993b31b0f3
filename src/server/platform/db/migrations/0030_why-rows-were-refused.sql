ALTER TABLE "import_runs" ADD COLUMN "left_out" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "reasons" jsonb DEFAULT '[]'::jsonb NOT NULL;