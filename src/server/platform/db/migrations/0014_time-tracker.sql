CREATE TABLE "time_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "time_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person_id" bigint NOT NULL,
	"task_id" bigint NOT NULL,
	"start_at" timestamp(3) with time zone NOT NULL,
	"end_at" timestamp(3) with time zone,
	CONSTRAINT "time_entries_order" CHECK ("time_entries"."start_at" < "time_entries"."end_at")
);
--> statement-breakpoint
CREATE TABLE "time_weeks" (
	"person_id" bigint NOT NULL,
	"monday" date NOT NULL,
	"final_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "time_weeks_person_id_monday_pk" PRIMARY KEY("person_id","monday")
);
--> statement-breakpoint
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "time_weeks" ADD CONSTRAINT "time_weeks_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "time_entries_running" ON "time_entries" USING btree ("person_id") WHERE "time_entries"."end_at" is null;--> statement-breakpoint
CREATE INDEX "time_entries_person" ON "time_entries" USING btree ("person_id","start_at");