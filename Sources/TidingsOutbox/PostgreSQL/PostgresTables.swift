struct PostgresTables: Hashable, Sendable {
    /// The schema with a dot, or an empty string before it is known.
    let prefix: String
    /// The channel on which the programs that use one schema notify each other.
    let channel: String

    init(_ schema: String?) {
        prefix = schema.map { Self.quoted($0) + "." } ?? ""
        channel = schema.map { $0 == "public" ? "tidings_outbox" : "tidings_\($0.stableHash)" } ?? "tidings_outbox"
    }

    var outbox: String { prefix + "tidings_outbox" }
    var head: String { prefix + "tidings_head" }
    var observer: String { prefix + "tidings_observer" }
    var held: String { prefix + "tidings_held" }
    var replica: String { prefix + "tidings_replica" }
    var scheduled: String { prefix + "tidings_scheduled" }
    var inbox: String { prefix + "tidings_inbox" }
    var meta: String { prefix + "tidings_meta" }
    var isLive: String { prefix + "tidings_is_live" }

    /// A statement that returns the last position, the number of assigned positions, and the milliseconds until the
    /// next scheduled row is due. The function that it calls locks the last position in a separate statement. The
    /// function's next statement therefore sees everything that was committed before the lock, so positions only grow.
    var sequence: String {
        """
        SELECT last::text, given::text, (
            SELECT ceil(extract(epoch FROM due - clock_timestamp()) * 1000)::bigint::text FROM \(scheduled)
            WHERE due > now() ORDER BY due LIMIT 1)
        FROM \(prefix)tidings_sequence_rows()
        """
    }
    static let sequenceLimit = 5_000

    /// The epoch of a new row of an observer. Each transaction raises the epoch of a row by at most one. The new epoch
    /// is therefore greater than all epochs of a removed row with the same name, and no lease for that row is valid.
    static let newEpoch = "pg_current_xact_id()::text::bigint"

    /// Removes a scheduled row, after waiting for a program that is moving it. Returns one row if a row was removed.
    var cancel: String { "DELETE FROM \(scheduled) WHERE id = $1::text::bigint RETURNING 1::text" }

    /// A statement that notifies other programs of the names of new rows. If the names are too long, it sends an empty
    /// payload, which wakes all observers.
    var tell: String {
        """
        SELECT names, pg_notify('\(channel)', names)::text FROM (
            SELECT CASE WHEN octet_length(a.names) < 7000 THEN coalesce(a.names, '') ELSE '' END names FROM (
                SELECT string_agg(DISTINCT name, E'\\n') names FROM \(outbox)
                WHERE pos > $1::text::bigint AND pos <= $2::text::bigint) a) b
        """
    }

    static func names(_ payload: String) -> Set<String>? {
        payload.isEmpty ? nil : Set(payload.split(separator: "\n").map(String.init))
    }

    static func array(_ elements: [String?]) -> String {
        let texts = elements.map { element in
            guard let element else { return "NULL" }
            return "\"\(element.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        return "{\(texts.joined(separator: ","))}"
    }

    static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

    /// The number of the advisory lock that programs of version 1 hold while they run an observer.
    static func versionOneLock(of observer: String) -> Int64 {
        Int64(bitPattern: "tidings outbox \(observer)".stableHash)
    }
}
