import Foundation
import Tidings
import TidingsOutbox

struct PostgresCosts {
    let server: String
    private let name = "benchmark" + UUID().uuidString.lowercased().filter { $0 != "-" }

    init(server: String) { self.server = server }

    private var parameters: String { "\(server) dbname=\(name)" }

    func measure() async throws {
        let admin = try await LibpqConnector("\(server) dbname=postgres").open()
        try await admin.run("CREATE DATABASE \(name)", [])
        let connection = try await LibpqConnector(parameters).open()
        try await connection.run(
            "CREATE TABLE orders(id bigserial PRIMARY KEY, customer text NOT NULL, note text NOT NULL)", [])
        await connection.close()
        for clients in [1, 8] { try await Bar.hold { try await cost(clients) } }
        try await Bar.hold { try await drain(100_000) }
        try await Bar.hold { try await Replica.measure(parameters) }
        try await admin.run("DROP DATABASE \(name) WITH (FORCE)", [])
        await admin.close()
    }

    static func order(_ transaction: any OutboxPostgresTransaction, _ number: Int) async throws {
        try await transaction.run(
            "INSERT INTO orders(customer, note) VALUES($1::text, $2::text)",
            ["customer \(number % 1000)", "a note with the length of a typical one"])
    }

    private func cost(_ clients: Int) async throws {
        let outbox = try await NotificationOutbox(in: LibpqConnector(parameters), of: NativeNotificationCenter())
        var connections: [LibpqConnection] = []
        for _ in 0..<clients { connections.append(try await LibpqConnector(parameters).open()) }
        // Transactions with and without a post alternate, so that other users of the disk slow down both alike.
        let times = try await withThrowingTaskGroup(of: [[Double]].self) { group in
            for connection in connections {
                group.addTask {
                    var times: [[Double]] = [[], []]
                    for number in 0..<(Bar.isShort ? 2_000 : 5_000) / clients {
                        let kind = number % 2
                        let began = ContinuousClock.now
                        try await connection.transaction { transaction in
                            try await Self.order(transaction, number)
                            if kind == 1 { try await outbox.post(OutboxBenchmark.Placed(number), in: transaction) }
                        }
                        times[kind].append(began.duration(to: .now) / .seconds(1))
                    }
                    return times
                }
            }
            return try await group.reduce(into: [[Double](), []]) { all, times in
                for kind in 0..<2 { all[kind] += times[kind] }
            }
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        let count = clients == 1 ? "1 client" : "\(clients) clients"
        Bar.report(
            "PostgreSQL, \(count): a transaction with a post, compared with one without",
            medians[1] / medians[0],
            .atMost(2), towards: .atMost(1.5))
        for connection in connections { await connection.close() }
        await outbox.finish(within: .seconds(5))
    }

    static func database(
        at server: String, options: OutboxOptions
    ) async throws -> (
        center: NativeNotificationCenter, outbox: NotificationOutbox<PostgresOutboxStore>, connection: LibpqConnection,
        fill: @Sendable (Int) async throws -> Void
    ) {
        let name = "benchmark" + UUID().uuidString.lowercased().filter { $0 != "-" }
        let admin = try await LibpqConnector("\(server) dbname=postgres").open()
        try await admin.run("CREATE DATABASE \(name)", [])
        await admin.close()
        let connector = LibpqConnector("\(server) dbname=\(name)")
        let connection = try await connector.open()
        try await connection.run(
            "CREATE TABLE orders(id bigserial PRIMARY KEY, customer text NOT NULL, note text NOT NULL)", [])
        let center = NativeNotificationCenter()
        let outbox = try await NotificationOutbox(in: connector, of: center, options: options)
        return (
            center, outbox, connection,
            { rows in
                try await connection.run(
                    """
                    INSERT INTO tidings_outbox(name, version, encoding, body)
                    SELECT $1::text, 1, 0, $2::text FROM generate_series(1, $3::text::bigint)
                    """,
                    [
                        OutboxBenchmark.Placed.wireName,
                        String(decoding: try OutboxBenchmark.Placed(1).encoded(), as: UTF8.self), "\(rows)",
                    ])
                // Committed rows get their numbers from the first program that reads them. This call reads them before
                // the measurement.
                _ = try await outbox.store.last()
            }
        )
    }

    private actor Counter {
        var count = 0
        func add() { count += 1 }
    }

    private func drain(_ rows: Int) async throws {
        let outbox = try await NotificationOutbox(in: LibpqConnector(parameters), of: NativeNotificationCenter())
        let connection = try await LibpqConnector(parameters).open()
        let body = String(decoding: try OutboxBenchmark.Placed(1).encoded(), as: UTF8.self)
        try await connection.run(
            """
            INSERT INTO tidings_outbox(name, version, encoding, body)
            SELECT $1::text, 1, 0, $2::text FROM generate_series(1, $3::text::bigint)
            """, [OutboxBenchmark.Placed.wireName, body, "\(rows)"])
        _ = try await outbox.store.last()
        let counter = Counter()
        let began = ContinuousClock.now
        outbox.addObserver(counter, named: "counter", on: .actor, for: OutboxBenchmark.Placed.self, from: .stored) {
            me, _ in me.add()
        }
        let left = await outbox.drain(within: .seconds(200))
        let seconds = began.duration(to: .now) / .seconds(1)
        Bar.report(
            "PostgreSQL, drain of \(rows), rows per second", Double(await counter.count) / seconds, .atLeast(8_000),
            towards: .atLeast(30_000))
        Bar.report("PostgreSQL, drain of \(rows), unfinished observers", Double(left.count), .atMost(0))
        await connection.close()
        await outbox.finish(within: .seconds(5))
    }
}
