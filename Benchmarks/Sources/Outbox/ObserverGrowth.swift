import Foundation
import GRDB
import Synchronization
import Tidings
import TidingsOutbox

/// Measures what many durable observers cost: during a transaction with a post, while all of them handle the post, and
/// during an idle second. From the second line of a table on, the number of observers doubles.
enum ObserverGrowth {
    private struct Note: RemoteNotification {
        static let wireName = "benchmark.other"
        let number: Int
    }

    static func measure(_ path: () -> String, postgres: String?) async throws {
        for areOfTheType in [false, true] {
            for count in [10, 125, 250, 500, 1_000] {
                let commits = Counter()
                var configuration = Configuration()
                configuration.prepareDatabase { db in
                    // Only transactions that write are counted. Other transactions begin with another statement.
                    db.trace { event in if "\(event)".hasPrefix("BEGIN IMMEDIATE") { commits.add() } }
                }
                let pool = try OutboxBenchmark.open(path(), configuration)
                let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter())
                try await measure(count, outbox, "SQLite", areOfTheType) { number in
                    try await pool.write { try outbox.deliver(OutboxBenchmark.Placed(number), in: $0) }
                } commits: {
                    commits.count
                }
            }
            guard let postgres else { continue }
            for count in [10, 125, 250, 500, 1_000] {
                let source = try await PostgresCosts.database(at: postgres, options: OutboxOptions())
                try await measure(count, source.outbox, "PostgreSQL", areOfTheType) { number in
                    try await source.connection.transaction {
                        try await source.outbox.deliver(OutboxBenchmark.Placed(number), in: $0)
                    }
                } commits: {
                    // The server reports the work of a connection once the connection has been idle for a second.
                    try await Task.sleep(for: .seconds(2))
                    let rows = try await source.connection.run(
                        "SELECT xact_commit::text FROM pg_stat_database WHERE datname = current_database()", [])
                    return rows.first?[0].flatMap(Int.init) ?? 0
                }
            }
        }
    }

    private static func measure<Store: OutboxStore>(
        _ count: Int, _ outbox: NotificationOutbox<Store>, _ database: String, _ areOfTheType: Bool,
        _ deliver: (Int) async throws -> StoredDelivery, commits: () async throws -> Int
    ) async throws {
        let worker = Growth.Worker()
        let beginning = ContinuousClock.now
        for number in 0..<count {
            if areOfTheType {
                outbox.addObserver(worker, named: "w\(number)", on: .actor, for: OutboxBenchmark.Placed.self) { me, _ in
                    me.add()
                }
            } else {
                outbox.addObserver(worker, named: "w\(number)", on: .actor, for: Note.self) { me, _ in me.add() }
            }
        }
        let one = Growth.Worker()
        outbox.addObserver(one, named: "one", on: .actor, for: OutboxBenchmark.Placed.self) { me, _ in me.add() }
        while outbox.runningObservers.contains(where: { $0.state != .running }) {
            try await Task.sleep(for: .milliseconds(5))
        }
        let start = beginning.duration(to: .now) / .microseconds(1)
        let post = try await Growth.time(31) { number in _ = try await deliver(number) }
        let receipt = try await Growth.time(31) { number in
            let delivery = try await deliver(number)
            _ = await delivery.receipt(within: .seconds(100))
        }
        await outbox.drain(within: .seconds(100))
        try await Task.sleep(for: .seconds(2))
        let (before, processor) = (try await commits(), OutboxBenchmark.processorTime)
        for number in 0..<10 {
            let delivery = try await deliver(number)
            _ = await delivery.receipt(within: .seconds(100))
            // The wait gives the outbox time to save the observers' progress.
            try await Task.sleep(for: .milliseconds(200))
        }
        await outbox.drain(within: .seconds(100))
        let each = (OutboxBenchmark.processorTime - processor) / 10 * 1_000_000
        let transactions = Double(try await commits() - before) / 10
        let list = try await Growth.time { _ in _ = try await outbox.registeredObservers() }
        try await Task.sleep(for: .seconds(2))
        let idle = OutboxBenchmark.processorTime
        try await Task.sleep(for: .seconds(3))
        let idleSecond = (OutboxBenchmark.processorTime - idle) / 3 * 1_000_000
        let end = ContinuousClock.now
        await outbox.finish(within: .seconds(100))
        let words = "\(database), \(count) other observers of \(areOfTheType ? "the same" : "another") type"
        Growth.report(
            words,
            [
                ("all have begun", start), ("a transaction with a post", post), ("post to all receipts", receipt),
                ("processor time of one", each), ("known observers", list),
                ("processor time of an idle second", idleSecond), ("finish", end.duration(to: .now) / .microseconds(1)),
            ])
        Bar.report("\(words): transactions for a post and the progress that it causes", transactions)
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        func add() { value.withLock { $0 += 1 } }
        var count: Int { value.withLock { $0 } }
    }
}
