CREATE TABLE "earlier_teams" (
	"person_id" bigint NOT NULL,
	"until" timestamp(3) with time zone NOT NULL,
	"team" text,
	"top5_invisible" boolean NOT NULL,
	CONSTRAINT "earlier_teams_person_id_until_pk" PRIMARY KEY("person_id","until")
);
--> statement-breakpoint
ALTER TABLE "earlier_teams" ADD CONSTRAINT "earlier_teams_person_id_people_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "earlier_teams_until" ON "earlier_teams" USING btree ("until");--> statement-breakpoint
-- As the owner, because an older server's role has no rights to the new table. The clock runs on after the lock on the person, so changes keep their order. Of two changes in a millisecond, the first has the longer past.
CREATE FUNCTION keep_earlier_team() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO earlier_teams (person_id, until, team, top5_invisible)
    VALUES (OLD.id, clock_timestamp(), OLD.team, OLD.top5_invisible) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER people_keep_earlier_team AFTER UPDATE ON people FOR EACH ROW
  WHEN ((OLD.team, OLD.top5_invisible) IS DISTINCT FROM (NEW.team, NEW.top5_invisible)) EXECUTE FUNCTION keep_earlier_team();
