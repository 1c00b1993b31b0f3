CREATE TABLE "notice_choices" (
	"person_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"in_app" boolean NOT NULL,
	"mail" boolean NOT NULL,
	CONSTRAINT "notice_choices_person_id_kind_pk" PRIMARY KEY("person_id","kind")
);
--> statement-breakpoint
CREATE TABLE "notice_mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notice_mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person_id" bigint NOT NULL,
	"due_at" timestamp(3) with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"message_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"sent_at" timestamp(3) with time zone,
	"failed_at" timestamp(3) with time zone,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "notice_runs" (
	"key" text PRIMARY KEY NOT NULL,
	"at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"task_id" bigint,
	"facts" jsonb NOT NULL,
	"at" timestamp(3) with time zone NOT NULL,
	"in_app" boolean NOT NULL,
	"read_at" timestamp(3) with time zone,
	"mail_at" timestamp(3) with time zone,
	"mail_before" timestamp(3) with time zone,
	"mail_id" bigint,
	CONSTRAINT "notices_once" UNIQUE("person_id","key")
);
--> statement-breakpoint
ALTER TABLE "notice_choices" ADD CONSTRAINT "notice_choices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_mail_id_notice_mails_id_fk" FOREIGN KEY ("mail_id") REFERENCES "public"."notice_mails"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notice_mails_due" ON "notice_mails" USING btree ("due_at") WHERE "notice_mails"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "notice_mails_failed" ON "notice_mails" USING btree ("failed_at") WHERE "notice_mails"."failed_at" is not null;--> statement-breakpoint
CREATE INDEX "notice_mails_person" ON "notice_mails" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "notices_inbox" ON "notices" USING btree ("person_id","id") WHERE "notices"."in_app";--> statement-breakpoint
CREATE INDEX "notices_unread" ON "notices" USING btree ("person_id") WHERE "notices"."in_app" and "notices"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notices_to_mail" ON "notices" USING btree ("mail_at") WHERE "notices"."mail_at" is not null;--> statement-breakpoint
CREATE INDEX "notices_mail" ON "notices" USING btree ("mail_id");--> statement-breakpoint
CREATE INDEX "notices_key" ON "notices" USING btree ("key");--> statement-breakpoint
CREATE INDEX "notices_task" ON "notices" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "notices_read" ON "notices" USING btree ("read_at");