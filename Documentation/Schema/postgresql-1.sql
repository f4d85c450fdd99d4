-- Version 1 of the tables of an outbox in PostgreSQL. Written by MigrationTests.
BEGIN;
SELECT pg_advisory_xact_lock(7406143);
DO $tidings$ BEGIN
IF to_regnamespace('"public"') IS NULL THEN
    CREATE SCHEMA "public";
END IF;
END $tidings$;
CREATE TABLE IF NOT EXISTS "public".tidings_outbox(
    id bigserial PRIMARY KEY, pos bigint, name text NOT NULL, version integer NOT NULL,
    encoding smallint NOT NULL, body text NOT NULL, at timestamptz NOT NULL DEFAULT now())
    WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
CREATE UNIQUE INDEX IF NOT EXISTS tidings_outbox_pos ON "public".tidings_outbox(pos);
CREATE TABLE IF NOT EXISTS "public".tidings_head(one integer PRIMARY KEY, last bigint NOT NULL);
INSERT INTO "public".tidings_head VALUES(1, 0) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS "public".tidings_observer(
    name text PRIMARY KEY, cursor bigint NOT NULL, clean boolean NOT NULL, seen timestamptz NOT NULL,
    abandoned boolean NOT NULL) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS "public".tidings_held(
    observer text NOT NULL, position bigint NOT NULL, key text NOT NULL, attempts integer NOT NULL,
    due bigint NOT NULL, error text, buried boolean NOT NULL, PRIMARY KEY(observer, position));
CREATE INDEX IF NOT EXISTS tidings_held_position ON "public".tidings_held(position);
CREATE TABLE IF NOT EXISTS "public".tidings_inbox(
    source text NOT NULL, id text NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY(source, id));
CREATE TABLE IF NOT EXISTS "public".tidings_meta(version integer NOT NULL, identity text NOT NULL);
INSERT INTO "public".tidings_meta SELECT 1, gen_random_uuid()::text WHERE NOT EXISTS(SELECT 1 FROM "public".tidings_meta);
COMMIT;
