-- Version 2 of the tables of an outbox in PostgreSQL. Written by MigrationTests.
BEGIN;
SELECT pg_advisory_xact_lock(7406143);
ALTER TABLE "public".tidings_outbox ADD COLUMN IF NOT EXISTS stamp bigint;
CREATE SEQUENCE IF NOT EXISTS "public".tidings_stamp CACHE 1;
CREATE INDEX IF NOT EXISTS tidings_outbox_stamped ON "public".tidings_outbox(stamp)
    WHERE pos IS NULL AND stamp IS NOT NULL;
CREATE OR REPLACE FUNCTION "public".tidings_stamp_row() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
    UPDATE "public".tidings_outbox SET stamp = nextval('"public".tidings_stamp') WHERE id = NEW.id;
    RETURN NULL;
END $f$;
DROP TRIGGER IF EXISTS tidings_stamp_row ON "public".tidings_outbox;
CREATE CONSTRAINT TRIGGER tidings_stamp_row AFTER INSERT ON "public".tidings_outbox
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "public".tidings_stamp_row();
UPDATE "public".tidings_outbox o SET stamp = n.stamp FROM (
    SELECT id, nextval('"public".tidings_stamp') stamp FROM (
        SELECT id FROM "public".tidings_outbox WHERE pos IS NULL AND stamp IS NULL ORDER BY id) z) n
WHERE o.id = n.id;
DROP INDEX IF EXISTS "public".tidings_outbox_new;
CREATE OR REPLACE FUNCTION "public".tidings_sequence_rows(OUT last bigint, OUT given bigint) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
    given := 0;
    SELECT h.last INTO last FROM "public".tidings_head h;
    IF NOT EXISTS(SELECT 1 FROM "public".tidings_outbox WHERE pos IS NULL AND stamp IS NOT NULL) THEN RETURN; END IF;
    SELECT h.last INTO last FROM "public".tidings_head h WHERE one = 1 FOR UPDATE;
    UPDATE "public".tidings_outbox o SET pos = tidings_sequence_rows.last + n.r FROM (
        SELECT id, row_number() OVER (ORDER BY stamp) r FROM (
            SELECT id, stamp FROM "public".tidings_outbox WHERE pos IS NULL AND stamp IS NOT NULL
            ORDER BY stamp LIMIT 5000) z) n
    WHERE o.id = n.id;
    GET DIAGNOSTICS given = ROW_COUNT;
    last := last + given;
    UPDATE "public".tidings_head h SET last = tidings_sequence_rows.last WHERE one = 1;
END $f$;
CREATE TABLE IF NOT EXISTS "public".tidings_replica(
    id text PRIMARY KEY, expires timestamptz NOT NULL, pid integer) WITH (fillfactor = 50);
CREATE OR REPLACE FUNCTION "public".tidings_is_live(owner text) RETURNS boolean VOLATILE LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
    RETURN EXISTS(SELECT 1 FROM "public".tidings_replica r WHERE r.id = owner AND r.expires > clock_timestamp()
        AND (r.pid IS NULL OR EXISTS(SELECT 1 FROM pg_stat_get_activity(r.pid))));
END $f$;
ALTER TABLE "public".tidings_observer ADD COLUMN IF NOT EXISTS owner text;
ALTER TABLE "public".tidings_observer ADD COLUMN IF NOT EXISTS epoch bigint NOT NULL DEFAULT 0;
CREATE OR REPLACE FUNCTION "public".tidings_version_one() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
    IF "public".tidings_is_live(OLD.owner) THEN
        RAISE EXCEPTION 'a program of a newer version runs the observer %', OLD.name;
    END IF;
    NEW.owner := NULL;
    NEW.epoch := OLD.epoch + 1;
    RETURN NEW;
END $f$;
DROP TRIGGER IF EXISTS tidings_version_one ON "public".tidings_observer;
CREATE TRIGGER tidings_version_one BEFORE UPDATE OF clean ON "public".tidings_observer
    FOR EACH ROW WHEN (NEW.epoch = OLD.epoch) EXECUTE FUNCTION "public".tidings_version_one();
ALTER TABLE "public".tidings_meta ADD COLUMN IF NOT EXISTS revision integer NOT NULL DEFAULT 1;
UPDATE "public".tidings_meta SET revision = 2 WHERE revision < 2;
COMMIT;
