CREATE TABLE "import_matches" (
	"run_id" bigint NOT NULL,
	"first_id" bigint NOT NULL,
	"last_id" bigint NOT NULL,
	CONSTRAINT "import_matches_run_id_first_id_pk" PRIMARY KEY("run_id","first_id")
);
--> statement-breakpoint
CREATE TABLE "import_totals" (
	"run_id" bigint NOT NULL,
	"currency" text,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"written" bigint NOT NULL,
	"replaced" bigint NOT NULL,
	"amount" bigint NOT NULL,
	CONSTRAINT "import_totals_key" UNIQUE NULLS NOT DISTINCT("run_id","currency")
);
--> statement-breakpoint
ALTER TABLE "import_matches" ADD CONSTRAINT "import_matches_run_id_import_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."import_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_totals" ADD CONSTRAINT "import_totals_run_id_import_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."import_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "import_runs_running" ON "import_runs" USING btree ("dataset","source") WHERE state = 'running';