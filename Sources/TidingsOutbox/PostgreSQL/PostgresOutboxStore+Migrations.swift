extension PostgresOutboxStore {
    /// The migrations of the tables, for an administrator. Programs run the same statements.
    ///
    /// You can migrate while programs of earlier versions are running. Running all migrations again has no effect.
    ///
    /// - Parameter schema: The schema of the tables, which is created if it doesn't exist.
    /// - Returns: The migrations in the order in which to run them.
    public static func migrations(schema: String = "public") -> [OutboxMigration] {
        PostgresMigrations.all(PostgresTables(schema)).map { migration in
            var statements = "SELECT pg_advisory_xact_lock(\(PostgresMigrations.lock));\n"
            if migration.version == 1 {
                statements += "DO $tidings$ BEGIN\n\(PostgresMigrations.schema(schema))\nEND $tidings$;\n"
            }
            return OutboxMigration(
                version: migration.version, statements: statements + migration.sql, transaction: ("BEGIN;", "COMMIT;"))
        }
    }

    /// The statements that permit one role to migrate the tables, and another one to use them. An administrator runs
    /// the statements before the first migration, or later for existing tables.
    ///
    /// - Parameters:
    ///   - running: The role of the programs. It can't alter tables, so a newer program fails until the migration.
    ///   - migrating: The role that runs the migrations and owns the tables.
    ///   - schema: The schema of the tables.
    /// - Returns: The statements, in one transaction.
    public static func grants(running: String, migrating: String, schema: String = "public") -> String {
        let (space, text) = (PostgresTables.quoted(schema), PostgresMigrations.literal(PostgresTables.quoted(schema)))
        let (runs, migrates) = (PostgresTables.quoted(running), PostgresTables.quoted(migrating))
        return """
            BEGIN;
            DO $tidings$ BEGIN
            \(PostgresMigrations.schema(schema))
            END $tidings$;
            GRANT USAGE, CREATE ON SCHEMA \(space) TO \(migrates);
            GRANT USAGE ON SCHEMA \(space) TO \(runs);
            DO $tidings$ DECLARE item record;
            BEGIN
                -- The tables that exist.
                FOR item IN SELECT c.oid::regclass name FROM pg_class c
                    WHERE c.relnamespace = '\(text)'::regnamespace AND c.relkind = 'r' AND c.relname LIKE 'tidings\\_%'
                LOOP
                    EXECUTE format('ALTER TABLE %s OWNER TO \(PostgresMigrations.literal(migrates))', item.name);
                    EXECUTE format(
                        'GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO \(PostgresMigrations.literal(runs))', item.name);
                END LOOP;
                FOR item IN SELECT c.oid::regclass name, EXISTS(
                        SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i')) isowned FROM pg_class c
                    WHERE c.relnamespace = '\(text)'::regnamespace AND c.relkind = 'S' AND c.relname LIKE 'tidings\\_%'
                LOOP
                    IF NOT item.isowned THEN
                        EXECUTE format('ALTER SEQUENCE %s OWNER TO \(PostgresMigrations.literal(migrates))', item.name);
                    END IF;
                    EXECUTE format('GRANT USAGE ON SEQUENCE %s TO \(PostgresMigrations.literal(runs))', item.name);
                END LOOP;
                FOR item IN SELECT p.oid::regprocedure name FROM pg_proc p
                    WHERE p.pronamespace = '\(text)'::regnamespace AND p.proname LIKE 'tidings\\_%'
                LOOP
                    EXECUTE format('ALTER FUNCTION %s OWNER TO \(PostgresMigrations.literal(migrates))', item.name);
                END LOOP;
            END $tidings$;
            -- The tables of later migrations.
            ALTER DEFAULT PRIVILEGES FOR ROLE \(migrates) IN SCHEMA \(space)
                GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO \(runs);
            ALTER DEFAULT PRIVILEGES FOR ROLE \(migrates) IN SCHEMA \(space) GRANT USAGE ON SEQUENCES TO \(runs);
            COMMIT;

            """
    }
}
