enum PostgresMigrations {
    static func all(_ tables: PostgresTables) -> [(version: Int, sql: String)] {
        [(1, first(tables)), (2, second(tables)), (3, third(tables))]
    }

    /// Returns a statement that runs the migrations in one transaction. A lock makes other programs wait. Running the
    /// statement again has no effect.
    static func statement(for schema: String, after version: Int) -> String {
        let migrations = all(PostgresTables(schema)).filter { $0.version > version }
        return """
            DO $tidings$ BEGIN
            PERFORM pg_advisory_xact_lock(\(lock));
            \(self.schema(schema))
            \(migrations.map(\.sql).joined(separator: "\n"))
            END $tidings$
            """
    }

    static let lock = 7_406_143

    /// Creates a schema only if it is missing, because a role may lack the permission to create schemas.
    static func schema(_ name: String) -> String {
        """
        IF to_regnamespace('\(literal(PostgresTables.quoted(name)))') IS NULL THEN
            CREATE SCHEMA \(PostgresTables.quoted(name));
        END IF;
        """
    }

    static func first(_ tables: PostgresTables) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(tables.outbox)(
            id bigserial PRIMARY KEY, pos bigint, name text NOT NULL, version integer NOT NULL,
            encoding smallint NOT NULL, body text NOT NULL, at timestamptz NOT NULL DEFAULT now())
            WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
        CREATE UNIQUE INDEX IF NOT EXISTS tidings_outbox_pos ON \(tables.outbox)(pos);
        CREATE TABLE IF NOT EXISTS \(tables.head)(one integer PRIMARY KEY, last bigint NOT NULL);
        INSERT INTO \(tables.head) VALUES(1, 0) ON CONFLICT DO NOTHING;
        CREATE TABLE IF NOT EXISTS \(tables.observer)(
            name text PRIMARY KEY, cursor bigint NOT NULL, clean boolean NOT NULL, seen timestamptz NOT NULL,
            abandoned boolean NOT NULL) WITH (fillfactor = 50);
        CREATE TABLE IF NOT EXISTS \(tables.held)(
            observer text NOT NULL, position bigint NOT NULL, key text NOT NULL, attempts integer NOT NULL,
            due bigint NOT NULL, error text, buried boolean NOT NULL, PRIMARY KEY(observer, position));
        CREATE INDEX IF NOT EXISTS tidings_held_position ON \(tables.held)(position);
        CREATE TABLE IF NOT EXISTS \(tables.inbox)(
            source text NOT NULL, id text NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY(source, id));
        CREATE TABLE IF NOT EXISTS \(tables.meta)(version integer NOT NULL, identity text NOT NULL);
        INSERT INTO \(tables.meta) SELECT 1, gen_random_uuid()::text WHERE NOT EXISTS(SELECT 1 FROM \(tables.meta));
        """
    }

    /// Programs of version 1 continue to work. Version 2 respects their advisory locks. If a program of version 1 tries
    /// to claim an observer that a program of version 2 runs, a trigger rejects the claim.
    static func second(_ tables: PostgresTables) -> String {
        """
        ALTER TABLE \(tables.outbox) ADD COLUMN IF NOT EXISTS stamp bigint;
        CREATE SEQUENCE IF NOT EXISTS \(tables.prefix)tidings_stamp CACHE 1;
        CREATE INDEX IF NOT EXISTS tidings_outbox_stamped ON \(tables.outbox)(stamp)
            WHERE pos IS NULL AND stamp IS NOT NULL;
        CREATE OR REPLACE FUNCTION \(tables.prefix)tidings_stamp_row() RETURNS trigger SECURITY DEFINER \(function) AS $f$
        BEGIN
            UPDATE \(tables.outbox) SET stamp = nextval('\(literal(tables.prefix))tidings_stamp') WHERE id = NEW.id;
            RETURN NULL;
        END $f$;
        DROP TRIGGER IF EXISTS tidings_stamp_row ON \(tables.outbox);
        CREATE CONSTRAINT TRIGGER tidings_stamp_row AFTER INSERT ON \(tables.outbox)
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION \(tables.prefix)tidings_stamp_row();
        UPDATE \(tables.outbox) o SET stamp = n.stamp FROM (
            SELECT id, nextval('\(literal(tables.prefix))tidings_stamp') stamp FROM (
                SELECT id FROM \(tables.outbox) WHERE pos IS NULL AND stamp IS NULL ORDER BY id) z) n
        WHERE o.id = n.id;
        DROP INDEX IF EXISTS \(tables.prefix)tidings_outbox_new;
        CREATE OR REPLACE FUNCTION \(tables.prefix)tidings_sequence_rows(OUT last bigint, OUT given bigint) \(function) AS $f$
        BEGIN
            given := 0;
            SELECT h.last INTO last FROM \(tables.head) h;
            IF NOT EXISTS(SELECT 1 FROM \(tables.outbox) WHERE pos IS NULL AND stamp IS NOT NULL) THEN RETURN; END IF;
            SELECT h.last INTO last FROM \(tables.head) h WHERE one = 1 FOR UPDATE;
            UPDATE \(tables.outbox) o SET pos = tidings_sequence_rows.last + n.r FROM (
                SELECT id, row_number() OVER (ORDER BY stamp) r FROM (
                    SELECT id, stamp FROM \(tables.outbox) WHERE pos IS NULL AND stamp IS NOT NULL
                    ORDER BY stamp LIMIT \(PostgresTables.sequenceLimit)) z) n
            WHERE o.id = n.id;
            GET DIAGNOSTICS given = ROW_COUNT;
            last := last + given;
            UPDATE \(tables.head) h SET last = tidings_sequence_rows.last WHERE one = 1;
        END $f$;
        CREATE TABLE IF NOT EXISTS \(tables.replica)(
            id text PRIMARY KEY, expires timestamptz NOT NULL, pid integer) WITH (fillfactor = 50);
        CREATE OR REPLACE FUNCTION \(tables.isLive)(owner text) RETURNS boolean VOLATILE \(function) AS $f$
        BEGIN
            RETURN EXISTS(SELECT 1 FROM \(tables.replica) r WHERE r.id = owner AND r.expires > clock_timestamp()
                AND (r.pid IS NULL OR EXISTS(SELECT 1 FROM pg_stat_get_activity(r.pid))));
        END $f$;
        ALTER TABLE \(tables.observer) ADD COLUMN IF NOT EXISTS owner text;
        ALTER TABLE \(tables.observer) ADD COLUMN IF NOT EXISTS epoch bigint NOT NULL DEFAULT 0;
        CREATE OR REPLACE FUNCTION \(tables.prefix)tidings_version_one() RETURNS trigger \(function) AS $f$
        BEGIN
            IF \(tables.isLive)(OLD.owner) THEN
                RAISE EXCEPTION 'a program of a newer version runs the observer %', OLD.name;
            END IF;
            NEW.owner := NULL;
            NEW.epoch := OLD.epoch + 1;
            RETURN NEW;
        END $f$;
        DROP TRIGGER IF EXISTS tidings_version_one ON \(tables.observer);
        CREATE TRIGGER tidings_version_one BEFORE UPDATE OF clean ON \(tables.observer)
            FOR EACH ROW WHEN (NEW.epoch = OLD.epoch) EXECUTE FUNCTION \(tables.prefix)tidings_version_one();
        ALTER TABLE \(tables.meta) ADD COLUMN IF NOT EXISTS revision integer NOT NULL DEFAULT 1;
        UPDATE \(tables.meta) SET revision = 2 WHERE revision < 2;
        """
    }

    static let function = "LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp"

    static func literal(_ text: String) -> String { text.replacing("'", with: "''") }
}
