CREATE TABLE "week_recaps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "week_recaps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"sprint_id" bigint NOT NULL,
	"person_id" bigint NOT NULL,
	"learned" text NOT NULL,
	"closed_at" timestamp(3) with time zone NOT NULL,
	"edited_at" timestamp(3) with time zone,
	CONSTRAINT "week_recaps_once" UNIQUE("person_id","sprint_id")
);
--> statement-breakpoint
ALTER TABLE "week_recaps" ADD CONSTRAINT "week_recaps_sprint_id_sprints_id_fk" FOREIGN KEY ("sprint_id") REFERENCES "public"."sprints"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "week_recaps" ADD CONSTRAINT "week_recaps_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "week_recaps_sprint" ON "week_recaps" USING btree ("sprint_id");