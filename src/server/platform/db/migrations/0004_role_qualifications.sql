CREATE TABLE "role_evidence" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "role_evidence_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"requirement_id" bigint NOT NULL,
	"person_id" bigint NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"day" date NOT NULL,
	"good_until" date,
	"version" integer DEFAULT 1 NOT NULL,
	"recorded_by" bigint NOT NULL,
	"recorded_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp(3) with time zone,
	CONSTRAINT "role_evidence_order" CHECK ("role_evidence"."good_until" >= "role_evidence"."day")
);
--> statement-breakpoint
CREATE TABLE "role_requirements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "role_requirements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"role_id" bigint,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"valid_months" smallint,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp(3) with time zone,
	CONSTRAINT "role_requirements_kind" CHECK ("role_requirements"."kind" in ('guideline', 'training', 'years', 'recommendation')),
	CONSTRAINT "role_requirements_months" CHECK ("role_requirements"."valid_months" > 0)
);
--> statement-breakpoint
ALTER TABLE "role_evidence" ADD CONSTRAINT "role_evidence_requirement_id_role_requirements_id_fk" FOREIGN KEY ("requirement_id") REFERENCES "public"."role_requirements"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_evidence" ADD CONSTRAINT "role_evidence_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_evidence" ADD CONSTRAINT "role_evidence_recorded_by_people_id_fk" FOREIGN KEY ("recorded_by") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "role_requirements" ADD CONSTRAINT "role_requirements_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "role_evidence_requirement" ON "role_evidence" USING btree ("requirement_id","person_id") WHERE "role_evidence"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "role_evidence_person" ON "role_evidence" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "role_requirements_role" ON "role_requirements" USING btree ("role_id") WHERE "role_requirements"."withdrawn_at" is null;