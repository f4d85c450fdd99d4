// A program with a durable observer, so that a test can kill it or stop it: `OutboxProbe NAME sqlite PATH` or
// `OutboxProbe NAME postgres PARAMETERS`. It writes a line for each call before its effect, for each fault, and for
// each notification that an observer of its center receives.
#if GRDB && Libpq
    import Foundation
    import GRDB
    import Tidings
    import TidingsOutbox

    struct Placed: RemoteNotification {
        static let wireName = "test.placed"
        let number: Int
        let customer: String
    }

    /// Performs the effect of a notification once.
    protocol Effects: Sendable {
        func add(_ stored: StoredNotification<Placed>, by program: String) async throws
    }

    struct SQLiteEffects: Effects {
        let pool: DatabasePool
        let inbox: SQLiteInbox

        func add(_ stored: StoredNotification<Placed>, by program: String) async throws {
            _ = try await pool.write { db in
                try inbox.once(stored, in: db) {
                    try db.execute(
                        sql: "INSERT INTO effects VALUES(?, ?)", arguments: [stored.notification.number, program])
                }
            }
        }
    }

    struct PostgresEffects: Effects {
        let connection: LibpqConnection
        let inbox: PostgresInbox

        func add(_ stored: StoredNotification<Placed>, by program: String) async throws {
            try await connection.transaction { transaction in
                _ = try await inbox.once(stored, in: transaction) {
                    try await transaction.run(
                        "INSERT INTO effects VALUES($1::text::bigint, $2::text)",
                        ["\(stored.notification.number)", program])
                }
            }
        }
    }

    actor Worker {}

    func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Runs an outbox until the program is killed.
    func serve<Store: OutboxStore>(_ store: Store, _ effects: any Effects, as program: String) async throws {
        var options = OutboxOptions()
        options.pollInterval = .milliseconds(50)
        options.claimInterval = .milliseconds(50)
        let center = NativeNotificationCenter()
        let faults = center.addObserver(for: OutboxFault.self) { say("fault \($0.kind.rawValue)") }
        let heard = center.addObserver(for: Placed.self) { say("heard \($0.number)") }
        let outbox = try await NotificationOutbox(store, of: center, options: options)
        // Retries for as long as the database is unavailable.
        let delays = RetryPolicy(Array(repeating: .milliseconds(50), count: 100_000))
        let worker = Worker()
        outbox.addObserver(
            worker, named: "worker", on: .actor, forStored: Placed.self, from: .stored, retrying: delays
        ) { _, stored in
            say("call \(stored.notification.number) \(stored.mayBeRepeated ? "marked" : "first")")
            try await effects.add(stored, by: program)
        }
        say("ready")
        // Until it is killed.
        let (never, open) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        withExtendedLifetime((faults, heard, worker, open)) {}
        fatalError("the stream never ends")
    }

    let arguments = CommandLine.arguments
    if arguments[2] == "sqlite" {
        var configuration = Configuration()
        // The timeout also applies when the file is opened: of programs that start together, one at a time recovers the
        // file after a crash.
        configuration.busyMode = .timeout(60)
        let pool = try DatabasePool(path: arguments[3], configuration: configuration)
        let effects = SQLiteEffects(pool: pool, inbox: try await SQLiteInbox(in: pool))
        try await serve(SQLiteOutboxStore(pool), effects, as: arguments[1])
    } else {
        let connector = LibpqConnector(arguments[3])
        let effects = PostgresEffects(
            connection: try await connector.open(), inbox: try await PostgresInbox(in: connector))
        try await serve(PostgresOutboxStore(connector, leaseTime: .seconds(5)), effects, as: arguments[1])
    }
#endif
