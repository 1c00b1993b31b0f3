CREATE TABLE "group_roles" (
	"group_name" text PRIMARY KEY NOT NULL,
	"configured_name" text NOT NULL,
	"role_id" bigint,
	"bound_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_links" ADD COLUMN "shown_to" bigint;--> statement-breakpoint
ALTER TABLE "group_roles" ADD CONSTRAINT "group_roles_role_id_roles_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."roles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_shown_to_people_id_fk" FOREIGN KEY ("shown_to") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;