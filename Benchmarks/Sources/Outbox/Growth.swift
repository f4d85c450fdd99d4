import Foundation
import GRDB
import Tidings
import TidingsOutbox

/// Measures how the cost of operations grows with the number of stored rows, of rows that wait for a retry, of durable
/// observers and of pending receipts. The figures are printed, but not compared with limits. The size doubles from line
/// to line, so a cost that doubles grows linearly.
///
///     … outbox --growth
enum Growth {
    private struct Refused: Error {}

    actor Worker {
        private(set) var count = 0
        func add() { count += 1 }
    }

    static func measure(_ path: () -> String, postgres: String?) async throws {
        for rows in [100_000, 200_000, 400_000] { try await waiting(rows, path()) }
        if let postgres { for rows in [100_000, 200_000, 400_000] { try await waiting(rows, postgres: postgres) } }
        for rows in [2_500, 5_000, 10_000, 20_000] { try await held(rows, path()) }
        try await ObserverGrowth.measure(path, postgres: postgres)
        for count in [1_000, 2_000, 4_000, 8_000] { try await receipts(count, path()) }
    }

    /// Runs `body` several times, and returns its median duration in microseconds.
    static func time(_ times: Int = 15, _ body: (Int) async throws -> Void) async throws -> Double {
        var all: [Double] = []
        for number in 0..<times {
            let began = ContinuousClock.now
            try await body(number)
            all.append(began.duration(to: .now) / .microseconds(1))
        }
        return all.sorted()[times / 2]
    }

    static func report(_ words: String, _ figures: [(String, Double)]) {
        print(
            words + ": "
                + figures.map { "\($0.0) \(String(format: $0.1 >= 100 ? "%.0f" : "%.1f", $0.1)) us" }.joined(
                    separator: ", "))
        fflush(nil)
    }

    private static var idle: OutboxOptions {
        var options = OutboxOptions()
        (options.pollInterval, options.retention) = (.seconds(3600), .zero)
        return options
    }

    /// Measures the operations of a store whose observer hasn't received anything yet.
    private static func operations<Store: OutboxStore>(_ words: String, _ store: Store, _ last: Int64) async throws {
        let names: Set = [OutboxBenchmark.Placed.wireName]
        let claim = try await time { _ in
            let session = try await store.claim("late", partition: 0, of: 1, beginningAt: 0)
            await session?.end(isClean: true)
        }
        let first = try await time { _ in _ = try await store.page(after: 0, limit: 256, named: names) }
        let end = try await time { _ in _ = try await store.page(after: last - 256, limit: 256, named: names) }
        let foreign = try await time { _ in _ = try await store.page(after: last - 256, limit: 256, named: ["other"]) }
        let empty = try await time { _ in _ = try await store.page(after: last, limit: 256, named: names) }
        let newest = try await time { _ in _ = try await store.last() }
        let list = try await time { _ in _ = try await store.observers() }
        let now = Int64(Date().timeIntervalSince1970 * 1000) + 1_000
        let nothing = try await time { _ in
            _ = try await store.prune(storedBefore: now, abandonedBefore: 0, limit: 5_000)
        }
        let session = try await store.claim("late", partition: 0, of: 1, beginningAt: 0)
        try await session?.save(OutboxProgressChange(cursor: last))
        let prune = try await time(5) { _ in
            _ = try await store.prune(storedBefore: now, abandonedBefore: 0, limit: 5_000)
        }
        await session?.end(isClean: true)
        report(
            words,
            [
                ("claim", claim), ("page at the beginning", first), ("at the end", end), ("of another type", foreign),
                ("nothing new", empty), ("last", newest), ("known observers", list), ("prune of nothing", nothing),
                ("prune of 5,000", prune),
            ])
    }

    private static func waiting(_ rows: Int, _ path: String) async throws {
        let pool = try OutboxBenchmark.open(path)
        let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: idle)
        try await pool.write { db in
            for number in 0..<rows { try outbox.post(OutboxBenchmark.Placed(number), in: db) }
        }
        let post = try await time(101) { number in
            try await pool.write { try outbox.post(OutboxBenchmark.Placed(number), in: $0) }
        }
        report("SQLite, \(rows) rows wait", [("a transaction with a post", post)])
        try await operations("SQLite, \(rows) rows wait", outbox.store, Int64(rows + 101))
        await outbox.finish(within: .zero)
    }

    private static func waiting(_ rows: Int, postgres: String) async throws {
        let source = try await PostgresCosts.database(at: postgres, options: idle)
        try await source.fill(rows)
        let post = try await time(101) { number in
            try await source.connection.transaction {
                try await source.outbox.post(OutboxBenchmark.Placed(number), in: $0)
            }
        }
        report("PostgreSQL, \(rows) rows wait", [("a transaction with a post", post)])
        let last = try await source.outbox.store.last()
        try await operations("PostgreSQL, \(rows) rows wait", source.outbox.store, last)
        await source.outbox.finish(within: .zero)
    }

    private static func held(_ rows: Int, _ path: String) async throws {
        let pool = try OutboxBenchmark.open(path)
        var options = OutboxOptions()
        (options.heldLimit, options.pollInterval) = (1_000_000, .seconds(3600))
        let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: options)
        let worker = Worker()
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: OutboxBenchmark.Placed.self, ordered: .by(\.order),
            retrying: RetryPolicy([.seconds(3600)])
        ) { me, note in
            if note.order < rows { throw Refused() }
            me.add()
        }
        while outbox.runningObservers.first?.state != .running { await Task.yield() }
        let began = ContinuousClock.now
        try await pool.write { db in
            for number in 0..<rows { try outbox.post(OutboxBenchmark.Placed(number), in: db) }
        }
        while outbox.runningObservers.first?.held != rows { try await Task.sleep(for: .milliseconds(2)) }
        let failing = began.duration(to: .now) / .microseconds(1) / Double(rows)
        let single = try await time(51) { number in
            let delivery = try await pool.write { db in
                try outbox.deliver(OutboxBenchmark.Placed(rows + number), in: db)
            }
            _ = await delivery.receipt(within: .seconds(100))
        }
        let count = await worker.count
        let page = ContinuousClock.now
        try await pool.write { db in
            for number in 0..<4_096 { try outbox.post(OutboxBenchmark.Placed(1_000_000 + number), in: db) }
        }
        while await worker.count < count + 4_096 { try await Task.sleep(for: .milliseconds(1)) }
        let each = page.duration(to: .now) / .microseconds(1) / 4_096
        let list = try await time { _ in _ = try await outbox.registeredObservers() }
        report(
            "SQLite, \(rows) rows held",
            [
                ("to hold one", failing), ("post to receipt", single), ("one of 4,096 at once", each),
                ("known observers", list),
            ])
        await outbox.finish(within: .zero)
    }

    private static func receipts(_ count: Int, _ path: String) async throws {
        let pool = try OutboxBenchmark.open(path)
        let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter())
        let worker = Worker()
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: OutboxBenchmark.Placed.self, ordered: .by(\.order),
            retrying: RetryPolicy([.seconds(3600)])
        ) { me, note in
            if note.order < count { throw Refused() }
            me.add()
        }
        while outbox.runningObservers.first?.state != .running { await Task.yield() }
        let deliveries = try await pool.write { db in
            try (0..<count).map { try outbox.deliver(OutboxBenchmark.Placed($0), in: db) }
        }
        while outbox.runningObservers.first?.held != count { try await Task.sleep(for: .milliseconds(2)) }
        let began = ContinuousClock.now
        try await pool.write { db in
            for number in 0..<8_192 { try outbox.post(OutboxBenchmark.Placed(1_000_000 + number), in: db) }
        }
        while await worker.count < 8_192 { try await Task.sleep(for: .milliseconds(1)) }
        let each = began.duration(to: .now) / .microseconds(1) / 8_192
        let one = try await time(51) { number in
            let delivery = try await pool.write { db in
                try outbox.deliver(OutboxBenchmark.Placed(2_000_000 + number), in: db)
            }
            _ = await delivery.receipt(within: .seconds(100))
        }
        report("SQLite, \(count) receipts wait", [("one of 8,192 rows", each), ("post to receipt", one)])
        withExtendedLifetime(deliveries) {}
        await outbox.finish(within: .zero)
    }
}
