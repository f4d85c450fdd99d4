extension PostgresMigrations {
    static func third(_ tables: PostgresTables) -> String {
        """
        \(scheduling(tables))
        ALTER TABLE \(tables.held) ADD COLUMN IF NOT EXISTS buried_at timestamptz;
        \(partitions(tables))
        UPDATE \(tables.meta) SET revision = 3 WHERE revision < 3;
        """
    }

    /// Programs of all versions call the function that assigns positions, so that function also moves the scheduled
    /// rows that are due. The function skips a row that an open transaction is removing.
    private static func scheduling(_ tables: PostgresTables) -> String {
        let limit = PostgresTables.sequenceLimit
        return """
            CREATE TABLE IF NOT EXISTS \(tables.scheduled)(
                id bigint PRIMARY KEY DEFAULT nextval('\(literal(tables.prefix))tidings_outbox_id_seq'),
                name text NOT NULL, version integer NOT NULL, encoding smallint NOT NULL, body text NOT NULL,
                at timestamptz NOT NULL DEFAULT now(), due timestamptz NOT NULL);
            CREATE INDEX IF NOT EXISTS tidings_scheduled_due ON \(tables.scheduled)(due, id);
            CREATE OR REPLACE FUNCTION \(tables.prefix)tidings_sequence_rows(OUT last bigint, OUT given bigint) \(function) AS $f$
            DECLARE
                moment timestamptz := clock_timestamp();
                moved bigint;
            BEGIN
                given := 0;
                SELECT h.last INTO last FROM \(tables.head) h;
                IF NOT EXISTS(SELECT 1 FROM \(tables.outbox) WHERE pos IS NULL AND stamp IS NOT NULL)
                    AND NOT EXISTS(SELECT 1 FROM \(tables.scheduled) WHERE due <= moment) THEN RETURN; END IF;
                SELECT h.last INTO last FROM \(tables.head) h WHERE one = 1 FOR UPDATE;
                UPDATE \(tables.outbox) o SET pos = tidings_sequence_rows.last + n.r FROM (
                    SELECT id, row_number() OVER (ORDER BY stamp) r FROM (
                        SELECT id, stamp FROM \(tables.outbox) WHERE pos IS NULL AND stamp IS NOT NULL
                        ORDER BY stamp LIMIT \(limit)) z) n
                WHERE o.id = n.id;
                GET DIAGNOSTICS given = ROW_COUNT;
                last := last + given;
                WITH d AS (
                    DELETE FROM \(tables.scheduled) WHERE id = ANY(ARRAY(
                        SELECT id FROM \(tables.scheduled) WHERE due <= moment
                        ORDER BY due, id LIMIT \(limit) - given FOR UPDATE SKIP LOCKED))
                    RETURNING id, name, version, encoding, body, at, due)
                INSERT INTO \(tables.outbox)(id, pos, name, version, encoding, body, at)
                SELECT d.id, tidings_sequence_rows.last + row_number() OVER (ORDER BY d.due, d.id),
                    d.name, d.version, d.encoding, d.body, greatest(d.due, d.at)
                FROM d;
                GET DIAGNOSTICS moved = ROW_COUNT;
                given := given + moved;
                last := last + moved;
                UPDATE \(tables.head) h SET last = tidings_sequence_rows.last WHERE one = 1;
            END $f$;
            DROP TRIGGER IF EXISTS tidings_stamp_row ON \(tables.outbox);
            CREATE CONSTRAINT TRIGGER tidings_stamp_row AFTER INSERT ON \(tables.outbox)
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.pos IS NULL)
                EXECUTE FUNCTION \(tables.prefix)tidings_stamp_row();
            """
    }

    /// Only programs whose id begins with `3` support partitions. Triggers reject claims of divided observers by other
    /// programs.
    private static func partitions(_ tables: PostgresTables) -> String {
        """
        ALTER TABLE \(tables.observer) ADD COLUMN IF NOT EXISTS partitions integer NOT NULL DEFAULT 1;
        ALTER TABLE \(tables.replica) ADD COLUMN IF NOT EXISTS wants text[] NOT NULL DEFAULT '{}';
        CREATE OR REPLACE FUNCTION \(tables.prefix)tidings_without_partitions() RETURNS trigger \(function) AS $f$
        BEGIN
            RAISE EXCEPTION 'a program of a newer version has divided the observer % into partitions', OLD.name;
        END $f$;
        DROP TRIGGER IF EXISTS tidings_version_two ON \(tables.observer);
        CREATE TRIGGER tidings_version_two BEFORE UPDATE OF owner ON \(tables.observer) FOR EACH ROW
            WHEN (OLD.partitions > 1 AND NEW.owner IS NOT NULL AND NEW.owner NOT LIKE '3-%')
            EXECUTE FUNCTION \(tables.prefix)tidings_without_partitions();
        DROP TRIGGER IF EXISTS tidings_undivided ON \(tables.observer);
        CREATE TRIGGER tidings_undivided BEFORE UPDATE OF clean ON \(tables.observer) FOR EACH ROW
            WHEN (OLD.partitions > 1 AND NEW.epoch = OLD.epoch)
            EXECUTE FUNCTION \(tables.prefix)tidings_without_partitions();
        """
    }
}
