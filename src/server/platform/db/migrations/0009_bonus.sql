CREATE TABLE "bonus_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bonus_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"statement_id" bigint NOT NULL,
	"line" text NOT NULL,
	"author_id" bigint NOT NULL,
	"author_name" text NOT NULL,
	"is_question" boolean NOT NULL,
	"text" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bonus_plans" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bonus_plans_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"version" integer NOT NULL,
	"from_sprint_id" bigint NOT NULL,
	"base" bigint NOT NULL,
	"currency" text NOT NULL,
	"fair_hours" integer NOT NULL,
	"components" jsonb NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "bonus_plans_version" UNIQUE("version"),
	CONSTRAINT "bonus_plans_base" CHECK ("bonus_plans"."base" > 0)
);
--> statement-breakpoint
CREATE TABLE "bonus_statements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bonus_statements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sprint_id" bigint NOT NULL,
	"person_id" bigint NOT NULL,
	"plan_id" bigint NOT NULL,
	"team" text,
	"amount" bigint NOT NULL,
	"lines" jsonb NOT NULL,
	"tasks" jsonb NOT NULL,
	CONSTRAINT "bonus_statements_key" UNIQUE("sprint_id","person_id")
);
--> statement-breakpoint
ALTER TABLE "bonus_messages" ADD CONSTRAINT "bonus_messages_statement_id_bonus_statements_id_fk" FOREIGN KEY ("statement_id") REFERENCES "public"."bonus_statements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bonus_messages" ADD CONSTRAINT "bonus_messages_author_id_people_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bonus_plans" ADD CONSTRAINT "bonus_plans_from_sprint_id_sprints_id_fk" FOREIGN KEY ("from_sprint_id") REFERENCES "public"."sprints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bonus_plans" ADD CONSTRAINT "bonus_plans_created_by_people_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bonus_statements" ADD CONSTRAINT "bonus_statements_sprint_id_sprints_id_fk" FOREIGN KEY ("sprint_id") REFERENCES "public"."sprints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bonus_statements" ADD CONSTRAINT "bonus_statements_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bonus_statements" ADD CONSTRAINT "bonus_statements_plan_id_bonus_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."bonus_plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bonus_messages_statement" ON "bonus_messages" USING btree ("statement_id","id");--> statement-breakpoint
CREATE INDEX "bonus_statements_person" ON "bonus_statements" USING btree ("person_id","sprint_id");