CREATE TABLE "absences" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "absences_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person_id" bigint NOT NULL,
	"first_day" date NOT NULL,
	"last_day" date NOT NULL,
	"delegate_id" bigint,
	"note" text DEFAULT '' NOT NULL,
	CONSTRAINT "absences_start" UNIQUE("person_id","first_day"),
	CONSTRAINT "absences_days" CHECK ("absences"."first_day" <= "absences"."last_day"),
	CONSTRAINT "absences_not_self" CHECK ("absences"."person_id" <> "absences"."delegate_id")
);
--> statement-breakpoint
ALTER TABLE "task_history" ADD COLUMN "for_id" bigint;--> statement-breakpoint
ALTER TABLE "absences" ADD CONSTRAINT "absences_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "absences" ADD CONSTRAINT "absences_delegate_id_people_id_fk" FOREIGN KEY ("delegate_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "absences_delegate" ON "absences" USING btree ("delegate_id","last_day") WHERE "absences"."delegate_id" is not null;--> statement-breakpoint
CREATE INDEX "absences_end" ON "absences" USING btree ("last_day");--> statement-breakpoint
ALTER TABLE "task_history" ADD CONSTRAINT "task_history_for_id_people_id_fk" FOREIGN KEY ("for_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;