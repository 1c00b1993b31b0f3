CREATE TABLE "audit_chain" (
	"position" bigint PRIMARY KEY NOT NULL,
	"audit_id" bigint NOT NULL,
	"values_hash" "bytea" NOT NULL,
	"address_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_chain_audit_id_unique" UNIQUE("audit_id")
);
--> statement-breakpoint
CREATE TABLE "audit_unsealed" (
	"audit_id" bigint PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tool_cards" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tool_cards_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"group_name" text NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"link" text NOT NULL,
	"owner_id" bigint,
	"permission" text,
	"health" text DEFAULT 'works' NOT NULL,
	"health_note" text DEFAULT '' NOT NULL,
	"health_at" timestamp(3) with time zone NOT NULL,
	"place" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"removed_at" timestamp(3) with time zone,
	CONSTRAINT "tool_cards_link" CHECK ("tool_cards"."link" ~* '^https?://'),
	CONSTRAINT "tool_cards_health" CHECK ("tool_cards"."health" in ('works', 'trouble', 'down'))
);
--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "values_salt" uuid DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "address_salt" uuid DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "erased_in" bigint;--> statement-breakpoint
ALTER TABLE "tool_cards" ADD CONSTRAINT "tool_cards_owner_id_people_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tool_cards_group" ON "tool_cards" USING btree ("group_name","place");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
-- What an audit row is hashed from: texts with their lengths, so that no two rows are spelt alike. src/server/audit/verify-audit.ts spells the same.
CREATE FUNCTION audit_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN coalesce(octet_length(value) || ':' || value, '~') || ',';
--> statement-breakpoint
CREATE FUNCTION wait_for_audit_seal() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO audit_unsealed (audit_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_waits AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION wait_for_audit_seal();
--> statement-breakpoint
INSERT INTO audit_unsealed (audit_id) SELECT id FROM audit_log;
--> statement-breakpoint
-- Seals rows that wait, in the order of their ids; of several servers one at a time does it, the others go away empty.
CREATE FUNCTION seal_audit(most integer, OUT sealed_position bigint, OUT sealed_hash bytea) LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  entry audit_log;
  of_values bytea;
  of_address bytea;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7317002) THEN RETURN; END IF;
  SELECT c.position, c.hash INTO sealed_position, sealed_hash FROM audit_chain c ORDER BY c.position DESC LIMIT 1;
  sealed_position := coalesce(sealed_position, 0);
  sealed_hash := coalesce(sealed_hash, '');
  FOR entry IN SELECT a.* FROM audit_unsealed u JOIN audit_log a ON a.id = u.audit_id ORDER BY u.audit_id LIMIT most LOOP
    sealed_position := sealed_position + 1;
    of_values := sha256(convert_to(audit_text(entry.values_salt::text) || audit_text(entry.before::text)
      || audit_text(entry.after::text), 'UTF8'));
    of_address := sha256(convert_to(audit_text(entry.address_salt::text) || audit_text(entry.address), 'UTF8'));
    sealed_hash := sha256(sealed_hash || convert_to(audit_text(sealed_position::text) || audit_text(entry.id::text)
      || audit_text((extract(epoch FROM entry.at) * 1000)::bigint::text) || audit_text(entry.actor_id::text)
      || audit_text(entry.action) || audit_text(entry.subject_type) || audit_text(entry.subject_id)
      || audit_text(entry.request_id), 'UTF8') || of_values || of_address);
    INSERT INTO audit_chain (position, audit_id, values_hash, address_hash, hash)
      VALUES (sealed_position, entry.id, of_values, of_address, sealed_hash);
    DELETE FROM audit_unsealed WHERE audit_id = entry.id;
  END LOOP;
END $$;
--> statement-breakpoint
-- Nobody changes the log, its owner neither. An erasure says in which row it stands, and may take nothing but what is salted.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'audit_log' AND TG_OP = 'UPDATE' THEN
    IF current_setting('staff_dashboard.erased_in', true) = NEW.erased_in::text
      AND to_jsonb(NEW) - ARRAY['before', 'after', 'values_salt', 'address', 'address_salt', 'erased_in']
        = to_jsonb(OLD) - ARRAY['before', 'after', 'values_salt', 'address', 'address_salt', 'erased_in']
      AND ((NEW.before, NEW.after, NEW.values_salt) IS NOT DISTINCT FROM (OLD.before, OLD.after, OLD.values_salt)
        OR (NEW.before IS NULL AND NEW.after IS NULL AND NEW.values_salt IS NULL))
      AND ((NEW.address, NEW.address_salt) IS NOT DISTINCT FROM (OLD.address, OLD.address_salt)
        OR (NEW.address IS NULL AND NEW.address_salt IS NULL))
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'The audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_stays_whole BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_chain_stays BEFORE UPDATE OR DELETE ON audit_chain FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_chain_stays_whole BEFORE TRUNCATE ON audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
