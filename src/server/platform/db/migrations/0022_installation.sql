CREATE TABLE "demo_company_mark" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"loaded_at" timestamp(3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "demo_company_mark_only_row" CHECK ("demo_company_mark"."only_row")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"files_place" text,
	CONSTRAINT "installation_only_row" CHECK ("installation"."only_row")
);
--> statement-breakpoint
CREATE TABLE "installed_versions" (
	"version" text PRIMARY KEY NOT NULL,
	"first_at" timestamp(3) with time zone DEFAULT now() NOT NULL
);
