-- Until now a person could name a role that has no row; it permitted nothing, and so does the row.
INSERT INTO "roles" ("name", "permissions") SELECT DISTINCT "role", '{}'::text[] FROM "people" WHERE "role" <> 'admin' ON CONFLICT DO NOTHING;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "made_role" text GENERATED ALWAYS AS (nullif(role, 'admin')) STORED;--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "id" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "roles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "roles" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "people" ADD CONSTRAINT "people_made_role_roles_name_fk" FOREIGN KEY ("made_role") REFERENCES "public"."roles"("name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name" ON "roles" USING btree (lower("name"));--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_id" UNIQUE("id");--> statement-breakpoint
ALTER TABLE "roles" ADD CONSTRAINT "roles_named" CHECK (btrim("roles"."name") <> '' and lower("roles"."name") <> 'admin');