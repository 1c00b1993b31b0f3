-- The tables of the version before stay until the next migration: a server of that version goes on to read them. It would count new rows
-- only there, so what it imports is refused, clearly and with nothing done, until it is replaced. First, so that no import runs meanwhile.
CREATE FUNCTION refuse_counting_by_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'This server is older than the database: import orders with the new version';
END $$;--> statement-breakpoint
CREATE TRIGGER "orders_hourly_replaced" BEFORE INSERT ON "orders_hourly" FOR EACH STATEMENT EXECUTE FUNCTION refuse_counting_by_status();--> statement-breakpoint
CREATE TRIGGER "orders_titles_replaced" BEFORE INSERT ON "orders_titles" FOR EACH STATEMENT EXECUTE FUNCTION refuse_counting_by_status();--> statement-breakpoint
CREATE TRIGGER "orders_titles_monthly_replaced" BEFORE INSERT ON "orders_titles_monthly" FOR EACH STATEMENT EXECUTE FUNCTION refuse_counting_by_status();--> statement-breakpoint
CREATE TABLE "orders_by_hour" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"row_count" bigint NOT NULL,
	"lines" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discounts" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	"units" bigint NOT NULL,
	"pending_lines" bigint NOT NULL,
	"cancelled_lines" bigint NOT NULL,
	CONSTRAINT "orders_by_hour_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","hour")
);
--> statement-breakpoint
CREATE TABLE "orders_by_title" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"title" text,
	"row_count" bigint NOT NULL,
	"lines" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discounts" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	"units" bigint NOT NULL,
	"pending_lines" bigint NOT NULL,
	"cancelled_lines" bigint NOT NULL,
	CONSTRAINT "orders_by_title_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","title")
);
--> statement-breakpoint
CREATE TABLE "orders_by_title_monthly" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"title" text,
	"row_count" bigint NOT NULL,
	"lines" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discounts" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	"units" bigint NOT NULL,
	"pending_lines" bigint NOT NULL,
	"cancelled_lines" bigint NOT NULL,
	CONSTRAINT "orders_by_title_monthly_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","title")
);
--> statement-breakpoint
CREATE TABLE "orders_by_title_weekly" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"title" text,
	"row_count" bigint NOT NULL,
	"lines" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discounts" bigint NOT NULL,
	"refunds" bigint NOT NULL,
	"units" bigint NOT NULL,
	"pending_lines" bigint NOT NULL,
	"cancelled_lines" bigint NOT NULL,
	CONSTRAINT "orders_by_title_weekly_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","title")
);
--> statement-breakpoint
CREATE INDEX "orders_by_hour_empty" ON "orders_by_hour" USING btree ("day") WHERE row_count = 0;
--> statement-breakpoint
CREATE INDEX "orders_by_title_empty" ON "orders_by_title" USING btree ("day") WHERE row_count = 0;
--> statement-breakpoint
CREATE INDEX "orders_by_title_monthly_empty" ON "orders_by_title_monthly" USING btree ("day") WHERE row_count = 0;
--> statement-breakpoint
CREATE INDEX "orders_by_title_weekly_empty" ON "orders_by_title_weekly" USING btree ("day") WHERE row_count = 0;
--> statement-breakpoint
INSERT INTO "orders_by_hour" ("product", "currency", "day", "hour", "row_count", "lines", "gross", "discounts", "refunds", "units", "pending_lines", "cancelled_lines")
SELECT "product", "currency", "day", "hour", sum("row_count"), coalesce(sum("row_count") FILTER (WHERE "counts"), 0), coalesce(sum("gross") FILTER (WHERE "counts"), 0),
  coalesce(sum("discount") FILTER (WHERE "counts"), 0), coalesce(sum("refunded") FILTER (WHERE "counts"), 0),
  coalesce(sum("quantity") FILTER (WHERE "status" = 'completed'), 0), coalesce(sum("row_count") FILTER (WHERE "status" = 'pending'), 0),
  coalesce(sum("row_count") FILTER (WHERE "status" = 'cancelled'), 0)
FROM (SELECT *, "status" IN ('completed', 'refunded', 'adjustment') AS "counts" FROM "orders_hourly") o GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO "orders_by_title" ("product", "currency", "day", "title", "row_count", "lines", "gross", "discounts", "refunds", "units", "pending_lines", "cancelled_lines")
SELECT "product", "currency", "day", "title", sum("row_count"), coalesce(sum("row_count") FILTER (WHERE "counts"), 0), coalesce(sum("gross") FILTER (WHERE "counts"), 0),
  coalesce(sum("discount") FILTER (WHERE "counts"), 0), coalesce(sum("refunded") FILTER (WHERE "counts"), 0),
  coalesce(sum("quantity") FILTER (WHERE "status" = 'completed'), 0), coalesce(sum("row_count") FILTER (WHERE "status" = 'pending'), 0),
  coalesce(sum("row_count") FILTER (WHERE "status" = 'cancelled'), 0)
FROM (SELECT *, "status" IN ('completed', 'refunded', 'adjustment') AS "counts" FROM "orders_titles") o GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO "orders_by_title_weekly" ("product", "currency", "day", "title", "row_count", "lines", "gross", "discounts", "refunds", "units", "pending_lines", "cancelled_lines")
SELECT "product", "currency", "day" - (extract(day from "day")::int - 1) % 7, "title", sum("row_count"), sum("lines"), sum("gross"), sum("discounts"), sum("refunds"), sum("units"), sum("pending_lines"), sum("cancelled_lines")
FROM "orders_by_title" GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO "orders_by_title_monthly" ("product", "currency", "day", "title", "row_count", "lines", "gross", "discounts", "refunds", "units", "pending_lines", "cancelled_lines")
SELECT "product", "currency", date_trunc('month', "day"::timestamp)::date, "title", sum("row_count"), sum("lines"), sum("gross"), sum("discounts"), sum("refunds"), sum("units"), sum("pending_lines"), sum("cancelled_lines")
FROM "orders_by_title" GROUP BY 1, 2, 3, 4;
