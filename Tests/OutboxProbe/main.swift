// A program that has a durable observer, and that a test can kill or stop. Usage: `OutboxProbe NAME sqlite PATH` or
// `OutboxProbe NAME postgres PARAMETERS`. The program prints `ready` when it is ready. It also prints a line before it
// stores the effect of a call, for each fault, and for each notification that an observer of its center receives.
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

    /// The settings, given as `name=value` after the path or the parameters of the database.
    struct Settings {
        private let values: [String: String]

        init(_ arguments: some Sequence<String>) {
            let pairs = arguments.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            values = Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
        }

        private func number(_ name: String, _ value: Double) -> Double { values[name].flatMap(Double.init) ?? value }

        /// The number of partitions, or 0 for a strict order.
        var partitions: Int { Int(number("partitions", 0)) }
        var schema: String? { values["schema"] }
        var leaseTime: Duration { .seconds(number("lease", 5)) }
        var timeout: Duration { .seconds(number("timeout", 10)) }
        /// The duration of each call in milliseconds. If it is set, each call only waits and then prints a line. It
        /// stores no effect.
        var pause: Double? { values["pause"].flatMap(Double.init) }
        /// The number of the first order whose notification the program schedules.
        var later: Int? { values["later"].flatMap(Int.init) }
        /// The number of durable observers. If it is set, the outbox has default options.
        var idle: Int? { values["idle"].flatMap(Int.init) }
    }

    /// Stores the effect of each notification once.
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
                        sql: "INSERT INTO effects(number, program) VALUES(?, ?)",
                        arguments: [stored.notification.number, program])
                }
            }
        }
    }

    struct PostgresEffects: Effects {
        let pool: LibpqPool
        let inbox: PostgresInbox
        let table: String

        func add(_ stored: StoredNotification<Placed>, by program: String) async throws {
            try await pool.transaction { transaction in
                _ = try await inbox.once(stored, in: transaction) {
                    try await transaction.run(
                        "INSERT INTO \(table)(number, program) VALUES($1::text::bigint, $2::text)",
                        ["\(stored.notification.number)", program])
                }
            }
        }
    }

    struct Pause: Effects {
        let milliseconds: Double
        private let start = ContinuousClock.now

        init(milliseconds: Double) { self.milliseconds = milliseconds }

        func add(_ stored: StoredNotification<Placed>, by program: String) async throws {
            try await Task.sleep(for: .milliseconds(milliseconds))
            say("done \(stored.notification.number) \(Int(Date().timeIntervalSince1970 * 1_000))")
        }
    }

    actor Worker {}

    func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    func serve<Store: OutboxStore>(
        _ store: Store, _ effects: any Effects, _ scheduling: Scheduling<Store>, as program: String,
        _ settings: Settings
    ) async throws {
        var options = OutboxOptions()
        if settings.idle == nil {
            options.pollInterval = .milliseconds(50)
            options.claimInterval = .milliseconds(50)
        }
        let center = NativeNotificationCenter()
        let faults = center.addObserver(for: OutboxFault.self) { say("fault \($0.kind.rawValue)") }
        let heard = center.addObserver(for: Placed.self) { say("heard \($0.number)") }
        let outbox = try await NotificationOutbox(store, of: center, options: options)
        // Retries continue for as long as the database is unavailable.
        let delays = RetryPolicy(Array(repeating: .milliseconds(50), count: 100_000))
        let worker = Worker()
        let order: DurableOrder<Placed> =
            settings.partitions == 0 ? .strict : .by(\.customer, partitions: settings.partitions)
        let names = settings.idle.map { (0..<$0).map { "worker\($0)" } } ?? ["worker"]
        for name in names {
            outbox.addObserver(
                worker, named: name, on: .actor, forStored: Placed.self, ordered: order, from: .stored, retrying: delays
            ) { _, stored in
                if settings.pause == nil {
                    say("call \(stored.notification.number) \(stored.mayBeRepeated ? "marked" : "first")")
                }
                try await effects.add(stored, by: program)
            }
        }
        say("ready")
        if let first = settings.later { await scheduling.run(outbox, from: first) }
        let (never, open) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}
        withExtendedLifetime((faults, heard, worker, open)) {}
        fatalError("the stream never ends")
    }

    let arguments = CommandLine.arguments
    let settings = Settings(arguments.dropFirst(4))
    let pause = settings.pause.map(Pause.init)
    if arguments[2] == "sqlite" {
        var configuration = Configuration()
        // The timeout also applies to opening the file: after a crash, one of the programs that start together recovers
        // the file while the others wait.
        configuration.busyMode = .timeout(60)
        let pool = try DatabasePool(path: arguments[3], configuration: configuration)
        let effects = SQLiteEffects(pool: pool, inbox: try await SQLiteInbox(in: pool))
        try await serve(SQLiteOutboxStore(pool), pause ?? effects, Scheduling(pool), as: arguments[1], settings)
    } else {
        let connector = LibpqConnector(arguments[3])
        let store = PostgresOutboxStore(
            connector, schema: settings.schema, leaseTime: settings.leaseTime, timeout: settings.timeout)
        let pool = LibpqPool(
            LibpqConnector(arguments[3], timeout: settings.timeout),
            size: max(1, settings.partitions) + (settings.later == nil ? 0 : 4))
        let effects = PostgresEffects(
            pool: pool,
            inbox: try await PostgresInbox(in: connector, schema: settings.schema),
            table: settings.schema.map { "\"\($0)\".effects" } ?? "effects")
        try await serve(store, pause ?? effects, Scheduling(pool), as: arguments[1], settings)
    }
#endif
