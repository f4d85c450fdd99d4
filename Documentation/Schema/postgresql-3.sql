-- Version 3 of the tables of an outbox in PostgreSQL. Written by MigrationTests.
BEGIN;
SELECT pg_advisory_xact_lock(7406143);
CREATE TABLE IF NOT EXISTS "public".tidings_scheduled(
    id bigint PRIMARY KEY DEFAULT nextval('"public".tidings_outbox_id_seq'),
    name text NOT NULL, version integer NOT NULL, encoding smallint NOT NULL, body text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(), due timestamptz NOT NULL);
CREATE INDEX IF NOT EXISTS tidings_scheduled_due ON "public".tidings_scheduled(due, id);
CREATE OR REPLACE FUNCTION "public".tidings_sequence_rows(OUT last bigint, OUT given bigint) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
DECLARE
    moment timestamptz := clock_timestamp();
    moved bigint;
BEGIN
    given := 0;
    SELECT h.last INTO last FROM "public".tidings_head h;
    IF NOT EXISTS(SELECT 1 FROM "public".tidings_outbox WHERE pos IS NULL AND stamp IS NOT NULL)
        AND NOT EXISTS(SELECT 1 FROM "public".tidings_scheduled WHERE due <= moment) THEN RETURN; END IF;
    SELECT h.last INTO last FROM "public".tidings_head h WHERE one = 1 FOR UPDATE;
    UPDATE "public".tidings_outbox o SET pos = tidings_sequence_rows.last + n.r FROM (
        SELECT id, row_number() OVER (ORDER BY stamp) r FROM (
            SELECT id, stamp FROM "public".tidings_outbox WHERE pos IS NULL AND stamp IS NOT NULL
            ORDER BY stamp LIMIT 5000) z) n
    WHERE o.id = n.id;
    GET DIAGNOSTICS given = ROW_COUNT;
    last := last + given;
    WITH d AS (
        DELETE FROM "public".tidings_scheduled WHERE id = ANY(ARRAY(
            SELECT id FROM "public".tidings_scheduled WHERE due <= moment
            ORDER BY due, id LIMIT 5000 - given FOR UPDATE SKIP LOCKED))
        RETURNING id, name, version, encoding, body, at, due)
    INSERT INTO "public".tidings_outbox(id, pos, name, version, encoding, body, at)
    SELECT d.id, tidings_sequence_rows.last + row_number() OVER (ORDER BY d.due, d.id),
        d.name, d.version, d.encoding, d.body, greatest(d.due, d.at)
    FROM d;
    GET DIAGNOSTICS moved = ROW_COUNT;
    given := given + moved;
    last := last + moved;
    UPDATE "public".tidings_head h SET last = tidings_sequence_rows.last WHERE one = 1;
END $f$;
DROP TRIGGER IF EXISTS tidings_stamp_row ON "public".tidings_outbox;
CREATE CONSTRAINT TRIGGER tidings_stamp_row AFTER INSERT ON "public".tidings_outbox
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.pos IS NULL)
    EXECUTE FUNCTION "public".tidings_stamp_row();
ALTER TABLE "public".tidings_held ADD COLUMN IF NOT EXISTS buried_at timestamptz;
ALTER TABLE "public".tidings_observer ADD COLUMN IF NOT EXISTS partitions integer NOT NULL DEFAULT 1;
ALTER TABLE "public".tidings_replica ADD COLUMN IF NOT EXISTS wants text[] NOT NULL DEFAULT '{}';
CREATE OR REPLACE FUNCTION "public".tidings_without_partitions() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $f$
BEGIN
    RAISE EXCEPTION 'a program of a newer version has divided the observer % into partitions', OLD.name;
END $f$;
DROP TRIGGER IF EXISTS tidings_version_two ON "public".tidings_observer;
CREATE TRIGGER tidings_version_two BEFORE UPDATE OF owner ON "public".tidings_observer FOR EACH ROW
    WHEN (OLD.partitions > 1 AND NEW.owner IS NOT NULL AND NEW.owner NOT LIKE '3-%')
    EXECUTE FUNCTION "public".tidings_without_partitions();
DROP TRIGGER IF EXISTS tidings_undivided ON "public".tidings_observer;
CREATE TRIGGER tidings_undivided BEFORE UPDATE OF clean ON "public".tidings_observer FOR EACH ROW
    WHEN (OLD.partitions > 1 AND NEW.epoch = OLD.epoch)
    EXECUTE FUNCTION "public".tidings_without_partitions();
UPDATE "public".tidings_meta SET revision = 3 WHERE revision < 3;
COMMIT;
