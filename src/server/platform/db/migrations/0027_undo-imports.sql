CREATE TABLE "import_changes" (
	"run_id" bigint NOT NULL,
	"first_id" bigint NOT NULL,
	"last_id" bigint NOT NULL,
	"before" jsonb,
	CONSTRAINT "import_changes_run_id_first_id_pk" PRIMARY KEY("run_id","first_id")
);
--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "way" text DEFAULT 'http' NOT NULL;--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "file_hash" "bytea";--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "undo_state" text;--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "undo_by" bigint;--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "undo_seen_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "undo_rows" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "import_runs" ADD COLUMN "undo_reason" text;--> statement-breakpoint
ALTER TABLE "affiliate_activity" ADD COLUMN "run_id" bigint;--> statement-breakpoint
ALTER TABLE "conversations" ADD COLUMN "run_id" bigint;--> statement-breakpoint
ALTER TABLE "donations" ADD COLUMN "run_id" bigint;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "run_id" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "run_id" bigint;--> statement-breakpoint
ALTER TABLE "payouts" ADD COLUMN "run_id" bigint;--> statement-breakpoint
ALTER TABLE "import_changes" ADD CONSTRAINT "import_changes_run_id_import_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."import_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_runs" ADD CONSTRAINT "import_runs_undo_by_people_id_fk" FOREIGN KEY ("undo_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_runs_file" ON "import_runs" USING btree ("dataset","file_hash");