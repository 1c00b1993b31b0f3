-- What 0016 replaced and left for servers of the version before it, none of which runs beside this one.
DROP TABLE "orders_hourly";--> statement-breakpoint
DROP TABLE "orders_titles";--> statement-breakpoint
DROP TABLE "orders_titles_monthly";--> statement-breakpoint
DROP FUNCTION refuse_counting_by_status();
