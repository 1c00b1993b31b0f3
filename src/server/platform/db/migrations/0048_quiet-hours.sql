CREATE TABLE "quiet_hours" (
	"person_id" bigint PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"starts_at" text NOT NULL,
	"ends_at" text NOT NULL,
	"days_off" boolean NOT NULL,
	CONSTRAINT "quiet_hours_times" CHECK ("quiet_hours"."starts_at" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$' and "quiet_hours"."ends_at" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
	CONSTRAINT "quiet_hours_span" CHECK ("quiet_hours"."starts_at" <> "quiet_hours"."ends_at")
);
--> statement-breakpoint
ALTER TABLE "quiet_hours" ADD CONSTRAINT "quiet_hours_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;