import Tidings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An outbox's store in PostgreSQL, from version 14, through any client library.
///
/// A row is inserted without a position. Whoever looks first gives positions to the rows that are visible, one program at a time: a
/// serial number alone would have a reader pass over rows that commit late. So notifications have the order in which their transactions
/// became visible; where two transactions change the same row of yours, that is the order of their commits.
///
/// A durable observer is run by the program that holds an advisory lock for it, on a connection that the server ends when the program
/// says nothing for ``leaseTime``. Progress is saved on that connection: a program that was away cannot save any more.
public final class PostgresOutboxStore: OutboxStore {
    /// How long a program may be silent before another one takes over its durable observers: 3 seconds unless set.
    public let leaseTime: Duration

    /// Leases, progress and heartbeats.
    let leases: PostgresLine
    /// What observers write down on the connection of their leases, and that they still have them: for all that ask at the same time.
    let writes: GroupedWork<PostgresWrite, Void>
    let confirms: GroupedWork<Int, Void>
    /// Everything else.
    let work: PostgresLine
    private let listener: PostgresLine
    private let channel: String
    private let onChange = Lock<(@Sendable (Set<String>?) -> Void)?>(nil)
    private let tasks = Lock<[Task<Void, Never>]>([])
    private let wake = Lock(WakeUp())
    /// The observers that sessions of this store have, each with the number of its connection: the server gives a lock again to the
    /// connection that has it.
    let claimed = Lock<[String: Int]>([:])

    private struct WakeUp {
        var isRunning = false
        /// Of what was committed.
        var names: Set<String> = []
    }

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - connector: Makes connections to the database. The store has three.
    ///   - leaseTime: How long a program may be silent before another one takes over its durable observers.
    public init(_ connector: any OutboxPostgresConnector, leaseTime: Duration = .seconds(3)) {
        self.leaseTime = leaseTime
        let milliseconds = leaseTime.milliseconds
        let leases = PostgresLine(connector) { connection in
            // The server ends a session that says nothing, whatever has become of the program and of the network.
            try await connection.run("SET idle_session_timeout = \(milliseconds)", [])
            try await connection.run("SET idle_in_transaction_session_timeout = \(milliseconds)", [])
        }
        self.leases = leases
        writes = GroupedWork(atMost: 1_000) { await PostgresWrite.perform($0, on: leases) }
        confirms = GroupedWork(atMost: .max) { numbers in
            var answers: [Int: Result<Void, any Error>] = [:]
            for number in Set(numbers) {
                do {
                    try await leases.run("SELECT 1::text", on: number)
                    answers[number] = .success(())
                } catch { answers[number] = .failure(error) }
            }
            return numbers.map { answers[$0] ?? .success(()) }
        }
        work = PostgresLine(connector)
        channel = "tidings_outbox"
        let channel = channel
        let receive = Lock<(@Sendable (String?) -> Void)?>(nil)
        let received = SharedReceiver(receive: receive)
        listener = PostgresLine(connector) { connection in
            connection.onNotification { received.call($0) }
            try await connection.run("LISTEN \(channel)", [])
        }
        received.set { [weak self] payload in
            guard let self else { return }
            if payload == nil { Task { await self.listener.reset() } }
            self.onChange.withLock { $0 }?(payload.flatMap(PostgresSchema.names))
        }
    }

    /// Makes the tables, or brings them to the form of this version; see ``OutboxStore``.
    public func prepare() async throws -> (identity: String, last: Int64) {
        let identity = try await PostgresSchema.prepare(work)
        return (identity, try await last())
    }

    /// Calls a closure when another program may have stored something.
    public func start(_ onChange: @escaping @Sendable (_ names: Set<String>?) -> Void) async {
        self.onChange.withLock { $0 = onChange }
        let beat = max(50, leaseTime.milliseconds / 5)
        let heart = Task.detached { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(beat))
                guard !Task.isCancelled, let self else { return }
                // A connection that is gone is made anew by whoever needs it.
                let number = await self.leases.number
                if number > 0 { _ = try? await self.leases.run("SELECT 1::text", on: number) }
                _ = try? await self.listener.connect()
            }
        }
        tasks.withLock { $0.append(heart) }
        _ = try? await listener.connect()
    }

    /// Ends what the store has begun.
    public func stop() async {
        for task in tasks.withLock({ $0 }) { task.cancel() }
        onChange.withLock { $0 = nil }
        await leases.close()
        await listener.close()
        await work.close()
    }

    /// Gives positions to rows that have none, and says the last one.
    public func last() async throws -> Int64 {
        while true {
            let rows = try await work.run(PostgresSchema.sequence)
            guard let row = rows.first, let last = row[0].flatMap(Int64.init) else { return 0 }
            // Others look when they are told; who gave the positions tells them, once for many rows.
            if row.int(1) > 0 {
                let told = try await work.run(PostgresSchema.tell, ["\(last - row.int(1))", "\(last)"])
                // Also those here, if the connection that listens has ended.
                onChange.withLock { $0 }?(told.first?[0].flatMap(PostgresSchema.names))
            }
            if row[1] != "\(PostgresSchema.sequenceLimit)" { return last }
        }
    }

    /// Appends a row in the caller's transaction.
    ///
    /// - Returns: Its number.
    @discardableResult
    package func append(_ post: OutboxPost, in transaction: any OutboxPostgresTransaction) async throws -> Int64 {
        // JSON stays readable. What is no text, or has a zero, is none for PostgreSQL.
        let text = post.body.contains(0) ? nil : String(utf8: post.body)
        let rows = try await transaction.run(
            """
            INSERT INTO tidings_outbox(name, version, encoding, body)
            VALUES($1::text, $2::text::integer, $3::text::smallint, $4::text) RETURNING id::text
            """, [post.name, "\(post.version)", text == nil ? "1" : "0", text ?? post.body.base64EncodedString()])
        return rows.first?.int(0) ?? 0
    }

    /// Gives positions to what was committed, soon and once for many transactions.
    ///
    /// - Parameter name: The name of the rows.
    func sequenceSoon(_ name: String) {
        let starts = wake.withLock { wake in
            wake.names.insert(name)
            defer { wake.isRunning = true }
            return !wake.isRunning
        }
        guard starts else { return }
        Task.detached { [weak self] in
            while let self {
                let names = self.wake.withLock { wake in
                    defer { wake.names = [] }
                    wake.isRunning = !wake.names.isEmpty
                    return wake.names
                }
                if names.isEmpty { return }
                _ = try? await self.last()
                // Another program may have given them theirs, and tell of it later.
                self.onChange.withLock { $0 }?(names)
            }
        }
    }

    // An order names its column in full: alone, `pos` would be the text in the answer, and "10" come before "9".

    /// Reads rows behind a position.
    public func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage {
        let rows = try await work.run(
            """
            SELECT id::text, pos::text, name, version::text, encoding::text,
                (extract(epoch FROM at) * 1000)::bigint::text, CASE WHEN name = ANY($3::text::text[]) THEN body END
            FROM tidings_outbox WHERE pos > $1::text::bigint ORDER BY tidings_outbox.pos LIMIT $2::text::bigint
            """, ["\(position)", "\(limit)", PostgresSchema.array(names.sorted())])
        return OutboxRowPage(
            rows: rows.filter { $0[6] != nil }.map(\.storedRow), end: rows.last.map { $0.int(1) } ?? position)
    }

    /// Reads the rows at some positions.
    public func rows(at positions: [Int64]) async throws -> [OutboxRow] {
        try await work.run(
            """
            SELECT id::text, pos::text, name, version::text, encoding::text,
                (extract(epoch FROM at) * 1000)::bigint::text, body
            FROM tidings_outbox WHERE pos = ANY($1::text::bigint[]) ORDER BY tidings_outbox.pos
            """, [PostgresSchema.array(positions.map(String.init))]
        ).map(\.storedRow)
    }
}

/// What a connection calls that is made before its store is.
private final class SharedReceiver: Sendable {
    private let receive: Lock<(@Sendable (String?) -> Void)?>
    init(receive: consuming Lock<(@Sendable (String?) -> Void)?>) { self.receive = receive }
    func set(_ closure: @escaping @Sendable (String?) -> Void) { receive.withLock { $0 = closure } }
    func call(_ payload: String?) { receive.withLock { $0 }?(payload) }
}

extension [String?] {
    func int(_ index: Int) -> Int64 { index < count ? self[index].flatMap(Int64.init) ?? 0 : 0 }

    /// The row of the table, from its seven columns.
    var storedRow: OutboxRow {
        let text = self[6] ?? ""
        return OutboxRow(
            id: int(0), position: int(1), name: self[2] ?? "", version: Int(int(3)),
            body: int(4) == 0 ? Data(text.utf8) : Data(base64Encoded: text) ?? Data(), storedAt: int(5))
    }
}
