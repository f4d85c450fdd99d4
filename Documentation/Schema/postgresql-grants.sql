-- The roles of an outbox in PostgreSQL. Replace their names. Written by MigrationTests.
BEGIN;
DO $tidings$ BEGIN
IF to_regnamespace('"public"') IS NULL THEN
    CREATE SCHEMA "public";
END IF;
END $tidings$;
GRANT USAGE, CREATE ON SCHEMA "public" TO "shop_migrations";
GRANT USAGE ON SCHEMA "public" TO "shop";
DO $tidings$ DECLARE item record;
BEGIN
    -- The tables that exist.
    FOR item IN SELECT c.oid::regclass name FROM pg_class c
        WHERE c.relnamespace = '"public"'::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'tidings\_%'
    LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO "shop_migrations"', item.name);
        EXECUTE format(
            'GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO "shop"', item.name);
    END LOOP;
    FOR item IN SELECT c.oid::regclass name, EXISTS(
            SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i')) isowned FROM pg_class c
        WHERE c.relnamespace = '"public"'::regnamespace AND c.relkind = 'S' AND c.relname LIKE 'tidings\_%'
    LOOP
        IF NOT item.isowned THEN
            EXECUTE format('ALTER SEQUENCE %s OWNER TO "shop_migrations"', item.name);
        END IF;
        EXECUTE format('GRANT USAGE ON SEQUENCE %s TO "shop"', item.name);
    END LOOP;
    FOR item IN SELECT p.oid::regprocedure name FROM pg_proc p
        WHERE p.pronamespace = '"public"'::regnamespace AND p.proname LIKE 'tidings\_%'
    LOOP
        EXECUTE format('ALTER FUNCTION %s OWNER TO "shop_migrations"', item.name);
    END LOOP;
END $tidings$;
-- The tables of later migrations.
ALTER DEFAULT PRIVILEGES FOR ROLE "shop_migrations" IN SCHEMA "public"
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "shop";
ALTER DEFAULT PRIVILEGES FOR ROLE "shop_migrations" IN SCHEMA "public" GRANT USAGE ON SEQUENCES TO "shop";
COMMIT;
