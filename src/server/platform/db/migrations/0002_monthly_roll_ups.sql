CREATE TABLE "orders_daily_monthly" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"country" text,
	"channel" text,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"quantity" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "orders_daily_monthly_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","country","channel","status")
);
--> statement-breakpoint
CREATE TABLE "orders_titles_monthly" (
	"product" text NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"title" text,
	"status" text NOT NULL,
	"row_count" bigint NOT NULL,
	"quantity" bigint NOT NULL,
	"gross" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"refunded" bigint NOT NULL,
	CONSTRAINT "orders_titles_monthly_key" UNIQUE NULLS NOT DISTINCT("product","currency","day","title","status")
);
--> statement-breakpoint
CREATE INDEX "orders_daily_monthly_empty" ON "orders_daily_monthly" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
CREATE INDEX "orders_titles_monthly_empty" ON "orders_titles_monthly" USING btree ("day") WHERE row_count = 0;--> statement-breakpoint
INSERT INTO "orders_daily_monthly" ("product", "currency", "day", "country", "channel", "status", "row_count", "quantity", "gross", "discount", "tax", "refunded")
SELECT "product", "currency", date_trunc('month', "day"::timestamp)::date, "country", "channel", "status", sum("row_count"), sum("quantity"), sum("gross"), sum("discount"), sum("tax"), sum("refunded")
FROM "orders_daily" GROUP BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
INSERT INTO "orders_titles_monthly" ("product", "currency", "day", "title", "status", "row_count", "quantity", "gross", "discount", "refunded")
SELECT "product", "currency", date_trunc('month', "day"::timestamp)::date, "title", "status", sum("row_count"), sum("quantity"), sum("gross"), sum("discount"), sum("refunded")
FROM "orders_titles" GROUP BY 1, 2, 3, 4, 5;
