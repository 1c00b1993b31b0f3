CREATE TABLE "erased_references" (
	"dataset" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"erased_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "erased_references_dataset_hash_pk" PRIMARY KEY("dataset","hash")
);
--> statement-breakpoint
CREATE TABLE "erasure_keys" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"key" "bytea" NOT NULL,
	CONSTRAINT "erasure_keys_one" CHECK ("erasure_keys"."id")
);
--> statement-breakpoint
CREATE TABLE "number_retention" (
	"dataset" text PRIMARY KEY NOT NULL,
	"months" integer NOT NULL,
	"ran_on" date,
	"deleted" bigint DEFAULT 0 NOT NULL,
	"is_audited" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE INDEX "orders_customer" ON "orders" USING btree ("product","customer_ref");