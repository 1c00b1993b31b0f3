CREATE TABLE "guideline_confirmations" (
	"version" integer NOT NULL,
	"person_id" bigint NOT NULL,
	"confirmed_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "guideline_confirmations_version_person_id_pk" PRIMARY KEY("version","person_id")
);
--> statement-breakpoint
CREATE TABLE "guideline_versions" (
	"version" integer PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"note" text NOT NULL,
	"published_by" bigint NOT NULL,
	"published_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "guideline_versions_from_one" CHECK ("guideline_versions"."version" >= 1)
);
--> statement-breakpoint
CREATE TABLE "calendar_feeds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "calendar_feeds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_hash" "bytea" NOT NULL,
	"person_id" bigint NOT NULL,
	"team" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"last_used_at" timestamp(3) with time zone,
	"revoked_at" timestamp(3) with time zone,
	CONSTRAINT "calendar_feeds_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "meeting_attendees" (
	"meeting_id" bigint NOT NULL,
	"person_id" bigint NOT NULL,
	CONSTRAINT "meeting_attendees_meeting_id_person_id_pk" PRIMARY KEY("meeting_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "meeting_exceptions" (
	"meeting_id" bigint NOT NULL,
	"day" date NOT NULL,
	"to_day" date,
	"to_time" text,
	CONSTRAINT "meeting_exceptions_meeting_id_day_pk" PRIMARY KEY("meeting_id","day"),
	CONSTRAINT "meeting_exceptions_whole" CHECK (("meeting_exceptions"."to_day" is null) = ("meeting_exceptions"."to_time" is null)),
	CONSTRAINT "meeting_exceptions_time" CHECK ("meeting_exceptions"."to_time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$')
);
--> statement-breakpoint
CREATE TABLE "meetings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meetings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uid" uuid DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"team" text,
	"chair_id" bigint NOT NULL,
	"weekday" smallint NOT NULL,
	"time" text NOT NULL,
	"minutes" smallint NOT NULL,
	"place" text NOT NULL,
	"link" text NOT NULL,
	"agenda" text NOT NULL,
	"first_day" date NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_by" bigint NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	"changed_at" timestamp(3) with time zone NOT NULL,
	"removed_at" timestamp(3) with time zone,
	CONSTRAINT "meetings_uid_unique" UNIQUE("uid"),
	CONSTRAINT "meetings_weekday" CHECK ("meetings"."weekday" between 1 and 7),
	CONSTRAINT "meetings_first_day" CHECK (extract(isodow from "meetings"."first_day") = "meetings"."weekday"),
	CONSTRAINT "meetings_time" CHECK ("meetings"."time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
	CONSTRAINT "meetings_minutes" CHECK ("meetings"."minutes" between 1 and 1440)
);
--> statement-breakpoint
ALTER TABLE "guideline_confirmations" ADD CONSTRAINT "guideline_confirmations_version_guideline_versions_version_fk" FOREIGN KEY ("version") REFERENCES "public"."guideline_versions"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guideline_confirmations" ADD CONSTRAINT "guideline_confirmations_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guideline_versions" ADD CONSTRAINT "guideline_versions_published_by_people_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "calendar_feeds" ADD CONSTRAINT "calendar_feeds_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_attendees" ADD CONSTRAINT "meeting_attendees_meeting_id_meetings_id_fk" FOREIGN KEY ("meeting_id") REFERENCES "public"."meetings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_attendees" ADD CONSTRAINT "meeting_attendees_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meeting_exceptions" ADD CONSTRAINT "meeting_exceptions_meeting_id_meetings_id_fk" FOREIGN KEY ("meeting_id") REFERENCES "public"."meetings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_chair_id_people_id_fk" FOREIGN KEY ("chair_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_created_by_people_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guideline_confirmations_person" ON "guideline_confirmations" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_feeds_good" ON "calendar_feeds" USING btree ("person_id",coalesce("team", '')) WHERE "calendar_feeds"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "meeting_attendees_person" ON "meeting_attendees" USING btree ("person_id");--> statement-breakpoint
CREATE VIEW "public"."current_guideline_confirmations" AS (
  select person_id, version, confirmed_at from guideline_confirmations
  where version = (select max(version) from guideline_versions));