-- How long the audit log is kept. What is younger nobody takes away, whoever asks for it.
CREATE FUNCTION audit_kept() RETURNS interval LANGUAGE sql IMMUTABLE RETURN interval '400 days';
--> statement-breakpoint
-- Takes rows away that are old at the moment given, from the beginning of the chain on and `most` at once; gives how many. The place and the hash of the last one are
-- kept in a row of the log, from which the chain is walked afterwards. The newest link stays: the next one is made from it.
CREATE FUNCTION retire_audit(at timestamptz, most integer) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  stays bigint;
  last_position bigint;
  last_hash bytea;
  gone integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7317002) THEN RETURN 0; END IF;
  SELECT c.position INTO stays FROM audit_chain c JOIN audit_log a ON a.id = c.audit_id
    WHERE a.at >= least(retire_audit.at, now()) - audit_kept() ORDER BY c.position LIMIT 1;
  stays := least(
    coalesce(stays, (SELECT max(c.position) FROM audit_chain c)),
    (SELECT min(c.position) FROM audit_chain c) + most);
  SELECT c.position, c.hash INTO last_position, last_hash FROM audit_chain c
    WHERE c.position < stays ORDER BY c.position DESC LIMIT 1;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM set_config('staff_dashboard.retired_to', last_position::text, true);
  DELETE FROM audit_log a USING audit_chain c WHERE c.audit_id = a.id AND c.position <= last_position;
  DELETE FROM audit_chain c WHERE c.position <= last_position;
  GET DIAGNOSTICS gone = ROW_COUNT;
  PERFORM set_config('staff_dashboard.retired_to', '', true);
  INSERT INTO audit_log (action, subject_type, subject_id, after, request_id) VALUES (
    'auditRetired', 'auditLog', last_position,
    jsonb_build_object('position', last_position::text, 'hash', encode(last_hash, 'hex'), 'rows', gone), 'retention');
  RETURN gone;
END $$;
--> statement-breakpoint
-- As before, and rows that are old enough may go while they are retired.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
  IF TG_OP = 'DELETE' AND current_setting('staff_dashboard.retired_to', true) <> '' THEN
    IF TG_TABLE_NAME = 'audit_log' THEN
      IF OLD.at < now() - audit_kept() THEN RETURN OLD; END IF;
    ELSIF OLD.position <= current_setting('staff_dashboard.retired_to')::bigint THEN RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'The audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;
