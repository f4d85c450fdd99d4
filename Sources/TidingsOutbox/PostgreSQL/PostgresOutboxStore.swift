#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A store in PostgreSQL, from version 14, through any client library.
///
/// A row is inserted without a position, and gets a number when its transaction commits. One program at a time assigns
/// positions to the visible rows, in the order of these numbers. If the insertion assigned the position, a reader could
/// pass the position before the row is committed, and miss the row. Transactions that commit at the same time can get
/// either order. Transactions that change the same row are in the order of their commits.
///
/// A durable observer runs in the program that has its lease. Leases are stored in the same schema, renewed together by
/// a heartbeat, and expire by the clock of the database. A program that has lost a lease can no longer save progress.
public final class PostgresOutboxStore: OutboxStore {
    /// The time without a heartbeat after which another program takes over the durable observers. The default is 3
    /// seconds. If the connection of a program ends, another program takes over at its next attempt.
    public let leaseTime: Duration

    /// The connection for progress and leases.
    let leases: PostgresLine
    let heart: PostgresHeart
    let work: PostgresLine
    let claims: GroupedWork<PostgresClaim, PostgresClaim.Lease?>
    let writes: GroupedWork<PostgresWrite, Void>
    let confirms: GroupedWork<PostgresWrite, Void>
    let claimed = Lock(PostgresClaims())
    private let wantedSchema: String?
    private let names: SharedTables
    private let onChange = Lock<(@Sendable (Set<String>?) -> Void)?>(nil)
    private let committed = GatheredItems<String>()
    private let refreshes = GatheredItems<Void>()

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - connector: Opens connections to the database. The store uses three.
    ///   - schema: The schema of the tables, created if it doesn't exist, or `nil` for the one in the search path.
    ///   - leaseTime: The time without a heartbeat after which another program takes over the durable observers.
    ///   - timeout: The time without a response to a statement after which the connection is replaced.
    ///   - isPooled: Whether a pooler assigns a database session to each transaction, like PgBouncer in transaction
    ///     mode. The store then can't listen for notifications. It finds other programs' rows within
    ///     ``OutboxOptions/pollInterval``, and takes over the observers of a killed program after `leaseTime`.
    public init(
        _ connector: any OutboxPostgresConnector, schema: String? = nil, leaseTime: Duration = .seconds(3),
        timeout: Duration = .seconds(10), isPooled: Bool = false
    ) {
        self.leaseTime = leaseTime
        wantedSchema = schema
        let names = SharedTables(PostgresTables(schema))
        self.names = names
        // Statements can be repeated, because they check the epoch of the lease and set the cursor to a given value.
        let leases = PostgresLine(connector, timeout: timeout, isRepeatable: true)
        let heart = PostgresHeart(
            connector, names, leaseTime: leaseTime, timeout: min(timeout, leaseTime), isPooled: isPooled)
        (self.leases, self.heart) = (leases, heart)
        writes = GroupedWork(atMost: 1_000) { await PostgresWrite.perform($0, names.tables, leases) }
        confirms = GroupedWork(atMost: .max) { try await PostgresWrite.confirm($0, names.tables, leases, heart.id) }
        claims = GroupedWork(atMost: .max) { claims in
            let given = try await PostgresClaim.perform(claims, names.tables, leases, heart)
            return claims.map { .success(given[$0.observer]) }
        }
        work = PostgresLine(connector, timeout: timeout)
        heart.receive { [weak self] payload in
            guard let self else { return }
            if payload == PostgresHeart.released {
                self.claimed.withLock { $0.refused = [] }
                self.onChange.withLock { $0 }?(nil)
                self.refreshShares()
            } else {
                self.onChange.withLock { $0 }?(payload.flatMap(PostgresTables.names))
            }
        }
    }

    var tables: PostgresTables { names.tables }

    /// Creates the tables, or migrates them to this version: see ``OutboxStore``.
    public func prepare() async throws -> (identity: String, last: Int64) {
        let (tables, identity) = try await PostgresSchema(line: work, wanted: wantedSchema).prepare()
        names.tables = tables
        return (identity, try await last())
    }

    /// Calls a closure when rows may have been stored, or other programs may have released observers.
    public func start(_ onChange: @escaping @Sendable (_ names: Set<String>?) -> Void) async {
        self.onChange.withLock { $0 = onChange }
        heart.shares.onChange { [weak self] in
            guard let self else { return }
            self.claimed.withLock { $0.refused = [] }
            self.onChange.withLock { $0 }?(nil)
        }
        await heart.start { [weak self] in
            self.map { $0.claimed.withLock { !$0.here.isEmpty } || !$0.heart.shares.wanted.isEmpty }
        }
    }

    private func refreshShares() {
        if heart.shares.wanted.isEmpty { return }
        refreshes.add(()) { [weak heart] _ in try? await heart?.beat() }
    }

    /// Ends the store's background work.
    public func stop() async {
        onChange.withLock { $0 = nil }
        heart.shares.onChange(nil)
        await heart.stop()
        await leases.close()
        await work.close()
    }

    /// Throws the error of the heartbeats if they fail.
    public func check() async throws { try await heart.check() }

    /// Assigns positions to rows that have none, and returns the last position.
    public func last() async throws -> Int64 { try await moveDue(at: 0).last }

    /// Assigns positions to rows that have none, including scheduled rows that are due by the clock of the database.
    public func moveDue(at time: Int64) async throws -> (last: Int64, next: Duration?) {
        while true {
            let rows = try await work.run(tables.sequence)
            guard let row = rows.first, let last = row[0].flatMap(Int64.init) else { return (0, nil) }
            if row.int(1) > 0 {
                let told = try await work.run(tables.tell, ["\(last - row.int(1))", "\(last)"])
                // This program doesn't rely on its own notification, because its listening connection may have ended.
                onChange.withLock { $0 }?(told.first?[0].flatMap(PostgresTables.names))
            }
            if row[1] != "\(PostgresTables.sequenceLimit)" {
                return (last, row[2].flatMap(Int64.init).map { .milliseconds(max(0, $0)) })
            }
        }
    }

    @discardableResult
    package func append(_ post: OutboxPost, in transaction: any OutboxPostgresTransaction) async throws -> Int64 {
        try await insert(post, in: transaction).id
    }

    /// Inserts a row. If a savepoint is open, `part` is the identity of the subtransaction that is rolled back with it.
    func insert(_ post: OutboxPost, in transaction: any OutboxPostgresTransaction) async throws
        -> (id: Int64, part: String?)
    {
        let (encoding, body) = Self.text(of: post)
        let rows = try await transaction.run(
            """
            INSERT INTO \(tables.outbox)(name, version, encoding, body)
            VALUES($1::text, $2::text::integer, $3::text::smallint, $4::text)
            RETURNING id::text, xmin::text, pg_current_xact_id()::text
            """, [post.name, "\(post.version)", encoding, body])
        let row = rows.first ?? []
        // `xmin` has the low 32 bits of the part's identity, which isn't lower than the identity of the transaction.
        let whole = row.int(2)
        let distance = (row.int(1) - whole) & 0xFFFF_FFFF
        return (row.int(0), distance == 0 ? nil : "\(whole + distance)")
    }

    static func text(of post: OutboxPost) -> (encoding: String, body: String) {
        // PostgreSQL's `text` can't contain a zero byte or bytes that aren't UTF-8, so such a body is stored as base64.
        let text = post.body.contains(0) ? nil : String(utf8: post.body)
        return (text == nil ? "1" : "0", text ?? post.body.base64EncodedString())
    }

    func isCommitted(_ part: String) async -> Bool {
        let rows = try? await work.run("SELECT pg_xact_status($1::text::xid8)", [part])
        return rows?.first?[0] == "committed"
    }

    func sequenceSoon(_ name: String) {
        committed.add(name) { [weak self] names in
            _ = try? await self?.last()
            // Another program may have assigned the positions. This program doesn't wait for its notification.
            self?.onChange.withLock { $0 }?(Set(names))
        }
    }

    // `ORDER BY` needs the full name of the column. `pos` alone is the text in the result, which sorts "10" before "9".

    /// Reads rows after a position.
    public func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage {
        let rows = try await work.run(
            """
            SELECT id::text, pos::text, name, version::text, encoding::text,
                (extract(epoch FROM at) * 1000)::bigint::text, CASE WHEN name = ANY($3::text::text[]) THEN body END
            FROM \(tables.outbox) o WHERE pos > $1::text::bigint ORDER BY o.pos LIMIT $2::text::bigint
            """, ["\(position)", "\(limit)", PostgresTables.array(names.sorted())])
        return OutboxRowPage(
            rows: rows.filter { $0[6] != nil }.map(\.storedRow), end: rows.last.map { $0.int(1) } ?? position)
    }

    /// Reads the rows at some positions.
    public func rows(at positions: [Int64]) async throws -> [OutboxRow] {
        try await work.run(
            """
            SELECT id::text, pos::text, name, version::text, encoding::text,
                (extract(epoch FROM at) * 1000)::bigint::text, body
            FROM \(tables.outbox) o WHERE pos = ANY($1::text::bigint[]) ORDER BY o.pos
            """, [PostgresTables.array(positions.map(String.init))]
        ).map(\.storedRow)
    }
}

/// The names of the tables. If no schema was requested, ``PostgresOutboxStore/prepare()`` determines the names.
final class SharedTables: Sendable {
    private let value: Lock<PostgresTables>
    init(_ tables: PostgresTables) { value = Lock(tables) }
    var tables: PostgresTables {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

extension [String?] {
    func int(_ index: Int) -> Int64 { index < count ? self[index].flatMap(Int64.init) ?? 0 : 0 }

    var storedRow: OutboxRow {
        let text = self[6] ?? ""
        return OutboxRow(
            id: int(0), position: int(1), name: self[2] ?? "", version: Int(int(3)),
            body: int(4) == 0 ? Data(text.utf8) : Data(base64Encoded: text) ?? Data(), storedAt: int(5))
    }
}
