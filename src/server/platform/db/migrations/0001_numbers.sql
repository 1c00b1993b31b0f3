CREATE TABLE "affiliate_activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "affiliate_activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"day" date NOT NULL,
	"affiliate" text NOT NULL,
	"campaign" text,
	"product" text,
	"country" text,
	"impressions" bigint,
	"clicks" bigint,
	"conversions" bigint,
	"sales" bigint,
	"commission" bigint,
	"cost" bigint,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "affiliate_activity_source" UNIQUE("source","external_id"),
	CONSTRAINT "affiliate_activity_status" CHECK ("status" in ('pending', 'approved', 'paid', 'reversed'))
);
--> statement-breakpoint
CREATE TABLE "affiliate_activity_daily" (
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"affiliate" text NOT NULL,
	"campaign" text,
	"product" text,
	"country" text,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"sales" bigint NOT NULL,
	"commission" bigint NOT NULL,
	"cost" bigint NOT NULL,
	CONSTRAINT "affiliate_activity_daily_key" UNIQUE NULLS NOT DISTINCT("currency","day","affiliate","campaign","product","country","status")
);
--> statement-breakpoint
CREATE TABLE "affiliate_activity_totals" (
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"impressions" bigint NOT NULL,
	"clicks" bigint NOT NULL,
	"conversions" bigint NOT NULL,
	"sales" bigint NOT NULL,
	"commission" bigint NOT NULL,
	"cost" bigint NOT NULL,
	CONSTRAINT "affiliate_activity_totals_key" UNIQUE NULLS NOT DISTINCT("currency","day","status")
);
--> statement-breakpoint
CREATE TABLE "conversations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "conversations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"opened_at" timestamp(3) with time zone NOT NULL,
	"first_response_at" timestamp(3) with time zone,
	"resolved_at" timestamp(3) with time zone,
	"closed_at" timestamp(3) with time zone,
	"channel" text,
	"category" text,
	"priority" text,
	"team" text,
	"assignee" text,
	"status" text,
	"reopened" bigint,
	"sla_met" boolean,
	"satisfaction" smallint,
	"note" text,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "conversations_source" UNIQUE("source","external_id")
);
--> statement-breakpoint
CREATE TABLE "conversations_daily" (
	"day" date NOT NULL,
	"channel" text,
	"category" text,
	"priority" text,
	"team" text,
	"status" text,
	"sla_met" boolean,
	"satisfaction" smallint,
	"row_count" bigint NOT NULL,
	CONSTRAINT "conversations_daily_key" UNIQUE NULLS NOT DISTINCT("day","channel","category","priority","team","status","sla_met","satisfaction")
);
--> statement-breakpoint
CREATE TABLE "conversations_totals" (
	"day" date NOT NULL,
	"sla_met" boolean,
	"satisfaction" smallint,
	"row_count" bigint NOT NULL,
	CONSTRAINT "conversations_totals_key" UNIQUE NULLS NOT DISTINCT("day","sla_met","satisfaction")
);
--> statement-breakpoint
CREATE TABLE "donations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "donations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"cause" text NOT NULL,
	"donated_at" timestamp(3) with time zone NOT NULL,
	"donor_ref" text,
	"anonymous" boolean,
	"campaign" text,
	"country" text,
	"amount" bigint NOT NULL,
	"fee" bigint,
	"currency" text NOT NULL,
	"recurring_ref" text,
	"recurring" boolean,
	"status" text NOT NULL,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "donations_source" UNIQUE("source","external_id"),
	CONSTRAINT "donations_cause" CHECK ("cause" in ('free-a-girl', 'operation-underground-railroad', 'who-lives')),
	CONSTRAINT "donations_status" CHECK ("status" in ('completed', 'refunded', 'pending', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "donations_daily" (
	"cause" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"campaign" text,
	"country" text,
	"recurring" boolean,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	CONSTRAINT "donations_daily_key" UNIQUE NULLS NOT DISTINCT("cause","currency","day","campaign","country","recurring","status")
);
--> statement-breakpoint
CREATE TABLE "donations_totals" (
	"cause" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"recurring" boolean,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	CONSTRAINT "donations_totals_key" UNIQUE NULLS NOT DISTINCT("cause","currency","day","recurring","status")
);
--> statement-breakpoint
CREATE TABLE "export_tickets" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"person_id" bigint NOT NULL,
	"request" jsonb NOT NULL,
	"expires_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "first_gifts" (
	"cause" text NOT NULL,
	"donor_ref" text NOT NULL,
	"gift_id" bigint NOT NULL,
	CONSTRAINT "first_gifts_cause_donor_ref_pk" PRIMARY KEY("cause","donor_ref")
);
--> statement-breakpoint
CREATE TABLE "number_goals" (
	"dataset" text NOT NULL,
	"scope" text,
	"metric" text NOT NULL,
	"currency" text,
	"month" date NOT NULL,
	"amount" bigint NOT NULL,
	"set_by" bigint NOT NULL,
	"set_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "number_goals_key" UNIQUE NULLS NOT DISTINCT("dataset","scope","metric","currency","month")
);
--> statement-breakpoint
CREATE TABLE "number_states" (
	"dataset" text PRIMARY KEY NOT NULL,
	"zone" text NOT NULL,
	"as_of" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_headers" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"order_ref" text NOT NULL,
	"line_id" bigint NOT NULL,
	"occurred_at" timestamp(3) with time zone NOT NULL,
	"day" date NOT NULL,
	"customer_ref" text,
	"country" text,
	"channel" text,
	"is_first" boolean NOT NULL,
	CONSTRAINT "order_headers_product_currency_order_ref_pk" PRIMARY KEY("product","currency","order_ref")
);
--> statement-breakpoint
CREATE TABLE "order_headers_daily" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"country" text,
	"channel" text,
	"row_count" bigint NOT NULL,
	"known" bigint NOT NULL,
	"first" bigint NOT NULL,
	CONSTRAINT "order_headers_daily_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","country","channel")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"product" text NOT NULL,
	"order_ref" text NOT NULL,
	"occurred_at" timestamp(3) with time zone NOT NULL,
	"customer_ref" text,
	"country" text,
	"channel" text,
	"sku" text,
	"title" text,
	"quantity" bigint,
	"gross" bigint,
	"discount" bigint,
	"tax" bigint,
	"refunded" bigint,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "orders_source" UNIQUE("source","external_id"),
	CONSTRAINT "orders_product" CHECK ("product" in ('connect', 'green', 'codex', 'bgp')),
	CONSTRAINT "orders_status" CHECK ("status" in ('completed', 'refunded', 'adjustment', 'pending', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "orders_daily" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"country" text,
	"channel" text,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"quantity" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "orders_daily_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","country","channel","status")
);
--> statement-breakpoint
CREATE TABLE "orders_hourly" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"quantity" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "orders_hourly_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","hour","status")
);
--> statement-breakpoint
CREATE TABLE "orders_titles" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"title" text,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"quantity" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "orders_titles_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","title","status")
);
--> statement-breakpoint
CREATE TABLE "orders_totals" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"quantity" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "orders_totals_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","status")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"product" text,
	"attempted_at" timestamp(3) with time zone NOT NULL,
	"order_ref" text NOT NULL,
	"attempt_of" text,
	"method" text,
	"brand" text,
	"country" text,
	"amount" bigint NOT NULL,
	"fee" bigint,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"decline_group" text,
	"settled_at" timestamp(3) with time zone,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "payments_source" UNIQUE("source","external_id"),
	CONSTRAINT "payments_product" CHECK ("product" in ('connect', 'green', 'codex', 'bgp')),
	CONSTRAINT "payments_status" CHECK ("status" in ('paid', 'pending', 'failed', 'refunded', 'disputed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "payments_daily" (
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"product" text,
	"method" text,
	"brand" text,
	"country" text,
	"status" text NOT NULL,
	"decline_group" text,
	"row_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	CONSTRAINT "payments_daily_key" UNIQUE NULLS NOT DISTINCT("currency","day","product","method","brand","country","status","decline_group")
);
--> statement-breakpoint
CREATE TABLE "payments_totals" (
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	CONSTRAINT "payments_totals_key" UNIQUE NULLS NOT DISTINCT("currency","day","status")
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"external_id" text NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"batch" text,
	"kind" text NOT NULL,
	"payer" text,
	"payee" text,
	"program" text,
	"due_at" timestamp(3) with time zone,
	"paid_at" timestamp(3) with time zone,
	"dated_at" timestamp(3) with time zone NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"labels" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"texts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "payouts_source" UNIQUE("source","external_id"),
	CONSTRAINT "payouts_kind" CHECK ("kind" in ('commission', 'remittance', 'goods', 'grant')),
	CONSTRAINT "payouts_status" CHECK ("status" in ('draft', 'approved', 'sending', 'paid', 'failed', 'reversed', 'denied'))
);
--> statement-breakpoint
CREATE TABLE "payouts_daily" (
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"payer" text,
	"program" text,
	"status" text NOT NULL,
	"reason" text,
	"row_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	CONSTRAINT "payouts_daily_key" UNIQUE NULLS NOT DISTINCT("currency","day","kind","payer","program","status","reason")
);
--> statement-breakpoint
CREATE TABLE "payouts_totals" (
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee" bigint NOT NULL,
	CONSTRAINT "payouts_totals_key" UNIQUE NULLS NOT DISTINCT("currency","day","kind","status")
);
--> statement-breakpoint
CREATE TABLE "pinned_numbers" (
	"person_id" bigint NOT NULL,
	"dataset" text NOT NULL,
	"metric" text NOT NULL,
	"scope" text,
	"pinned_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "pinned_numbers_key" UNIQUE NULLS NOT DISTINCT("person_id","dataset","metric","scope")
);
--> statement-breakpoint
CREATE TABLE "import_mappings" (
	"name" text PRIMARY KEY NOT NULL,
	"dataset" text NOT NULL,
	"mapping" jsonb NOT NULL,
	"saved_by" bigint NOT NULL,
	"saved_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_report_parts" (
	"run_id" bigint NOT NULL,
	"part" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "import_report_parts_run_id_part_pk" PRIMARY KEY("run_id","part")
);
--> statement-breakpoint
CREATE TABLE "import_runs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "import_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"dataset" text NOT NULL,
	"source" text NOT NULL,
	"mapping" text NOT NULL,
	"file_name" text NOT NULL,
	"is_dry_run" boolean NOT NULL,
	"person_id" bigint,
	"service_token_id" bigint,
	"state" text NOT NULL,
	"started_at" timestamp(3) with time zone NOT NULL,
	"seen_at" timestamp(3) with time zone NOT NULL,
	"size" bigint NOT NULL,
	"bytes_read" bigint DEFAULT 0 NOT NULL,
	"rows" bigint DEFAULT 0 NOT NULL,
	"inserted" bigint DEFAULT 0 NOT NULL,
	"updated" bigint DEFAULT 0 NOT NULL,
	"unchanged" bigint DEFAULT 0 NOT NULL,
	"refused" bigint DEFAULT 0 NOT NULL,
	"reason" text,
	"faults" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "service_tokens" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "service_tokens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_hash" "bytea" NOT NULL,
	"name" text NOT NULL,
	"datasets" text[] NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	CONSTRAINT "service_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "export_tickets" ADD CONSTRAINT "export_tickets_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "number_goals" ADD CONSTRAINT "number_goals_set_by_people_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pinned_numbers" ADD CONSTRAINT "pinned_numbers_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_mappings" ADD CONSTRAINT "import_mappings_saved_by_people_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_report_parts" ADD CONSTRAINT "import_report_parts_run_id_import_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."import_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_runs" ADD CONSTRAINT "import_runs_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "import_runs" ADD CONSTRAINT "import_runs_service_token_id_service_tokens_id_fk" FOREIGN KEY ("service_token_id") REFERENCES "public"."service_tokens"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_tokens" ADD CONSTRAINT "service_tokens_created_by_people_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "affiliate_activity_day" ON "affiliate_activity" USING btree ("currency","day","id");--> statement-breakpoint
CREATE INDEX "affiliate_activity_daily_empty" ON "affiliate_activity_daily" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "affiliate_activity_totals_empty" ON "affiliate_activity_totals" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "conversations_day" ON "conversations" USING btree ("day","id");--> statement-breakpoint
CREATE INDEX "conversations_resolved" ON "conversations" USING btree ("resolved_at");--> statement-breakpoint
CREATE INDEX "conversations_daily_empty" ON "conversations_daily" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "conversations_totals_empty" ON "conversations_totals" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "donations_day" ON "donations" USING btree ("cause","currency","day","id");--> statement-breakpoint
CREATE INDEX "donations_donor" ON "donations" USING btree ("cause","donor_ref","donated_at");--> statement-breakpoint
CREATE INDEX "donations_daily_empty" ON "donations_daily" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "donations_totals_empty" ON "donations_totals" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "export_tickets_expiry" ON "export_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "first_gifts_gift" ON "first_gifts" USING btree ("gift_id");--> statement-breakpoint
CREATE INDEX "order_headers_line" ON "order_headers" USING btree ("line_id");--> statement-breakpoint
CREATE INDEX "order_headers_day" ON "order_headers" USING btree ("product","currency","day");--> statement-breakpoint
CREATE INDEX "order_headers_customer" ON "order_headers" USING btree ("product","customer_ref","occurred_at");--> statement-breakpoint
CREATE INDEX "order_headers_first" ON "order_headers" USING btree ("product","customer_ref") WHERE is_first;--> statement-breakpoint
CREATE INDEX "order_headers_daily_empty" ON "order_headers_daily" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "orders_day" ON "orders" USING btree ("product","currency","day","id");--> statement-breakpoint
CREATE INDEX "orders_order" ON "orders" USING btree ("product","currency","order_ref");--> statement-breakpoint
CREATE INDEX "orders_daily_empty" ON "orders_daily" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "orders_hourly_empty" ON "orders_hourly" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "orders_titles_empty" ON "orders_titles" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "orders_totals_empty" ON "orders_totals" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "payments_day" ON "payments" USING btree ("currency","day","id");--> statement-breakpoint
CREATE INDEX "payments_order" ON "payments" USING btree ("order_ref");--> statement-breakpoint
CREATE INDEX "payments_daily_empty" ON "payments_daily" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "payments_totals_empty" ON "payments_totals" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "payouts_day" ON "payouts" USING btree ("currency","day","id");--> statement-breakpoint
CREATE INDEX "payouts_due" ON "payouts" USING btree ("currency","due_at");--> statement-breakpoint
CREATE INDEX "payouts_daily_empty" ON "payouts_daily" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "payouts_totals_empty" ON "payouts_totals" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "import_runs_started" ON "import_runs" USING btree ("started_at");