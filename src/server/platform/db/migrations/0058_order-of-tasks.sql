CREATE TABLE "task_orders" (
	"person_id" bigint NOT NULL,
	"sprint_id" bigint NOT NULL,
	"task_ids" bigint[] NOT NULL,
	CONSTRAINT "task_orders_person_id_sprint_id_pk" PRIMARY KEY("person_id","sprint_id")
);
--> statement-breakpoint
ALTER TABLE "task_orders" ADD CONSTRAINT "task_orders_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_orders" ADD CONSTRAINT "task_orders_sprint_id_sprints_id_fk" FOREIGN KEY ("sprint_id") REFERENCES "public"."sprints"("id") ON DELETE no action ON UPDATE no action;