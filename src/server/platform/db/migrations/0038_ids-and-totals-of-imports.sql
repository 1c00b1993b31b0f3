ALTER TABLE "import_runs" ADD COLUMN "id_rule" text;--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "totals" jsonb DEFAULT '[]'::jsonb NOT NULL;