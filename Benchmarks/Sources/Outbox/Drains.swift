import Foundation
import GRDB
import Tidings
import TidingsOutbox

/// Measures how fast notifications that are stored in SQLite reach a durable observer.
enum Drains {
    private typealias Placed = OutboxBenchmark.Placed

    private actor Counter {
        var count = 0
        func add() { count += 1 }
    }

    enum Kind: String, CaseIterable {
        case plain = "in an actor"
        case keyed = "in an actor, in order by key"
        case inTask = "in a task"
        case monitored = "in an actor, with a monitor attached"
    }

    private struct Monitor: NotificationMonitor {
        func receive(_ event: NotificationEvent) {}
    }

    /// The names of the figures contain "decoded", because the outbox decodes each row for the observer.
    static func decoded(_ path: String, _ rows: Int, _ kind: Kind) async throws {
        let pool = try OutboxBenchmark.open(path)
        var options = OutboxOptions()
        options.retention = .seconds(3600)
        let center = NativeNotificationCenter()
        let monitor = kind == .monitored ? center.attach(Monitor()) : nil
        let outbox = try await NotificationOutbox(in: pool, of: center, options: options)
        try await store(0..<rows, pool)
        let counter = Counter()
        let before = OutboxBenchmark.memory()
        let (began, processorTime) = (ContinuousClock.now, OutboxBenchmark.processorTime)
        var token: NotificationToken?
        switch kind {
        case .plain, .monitored:
            outbox.addObserver(counter, named: "counter", on: .actor, for: Placed.self, from: .stored) { me, _ in
                me.add()
            }
        case .keyed:
            outbox.addObserver(
                counter, named: "counter", on: .actor, for: Placed.self, ordered: .by(\.customer), from: .stored
            ) { me, _ in me.add() }
        case .inTask:
            token = outbox.addObserver(named: "counter", on: .task, for: Placed.self, from: .stored) { _ in
                await counter.add()
            }
        }
        let left = await outbox.drain(within: .seconds(200))
        let seconds = began.duration(to: .now) / .seconds(1)
        let count = await counter.count
        let words = "drain of \(rows), decoded, \(kind.rawValue)"
        Bar.report(
            "\(words), rows per second", Double(count) / seconds, .atLeast(10_000),
            towards: .atLeast(kind == .plain ? 60_000 : 30_000))
        let processor = (OutboxBenchmark.processorTime - processorTime) / Double(count) * 1e6
        Bar.report("\(words), µs of processor time per row", processor)
        Bar.report("\(words), unfinished observers", Double(left.count), .atMost(0))
        Bar.report("\(words), MB of memory before", Double(before))
        Bar.report(
            "\(words), MB of memory more than before", Double(OutboxBenchmark.memory() - before), .atMost(20),
            towards: .atMost(4))
        await outbox.finish(within: .seconds(5))
        withExtendedLifetime((token, monitor)) {}
    }

    /// Compares an observer with a hand-written loop. Both handle each row in a transaction. They take turns, so that
    /// the varying speed of the disk affects both alike. `FULL` in the names of the figures is SQLite's `synchronous`
    /// setting, which the default durability of an outbox sets.
    static func withInbox(_ path: String, rounds: Int) async throws {
        let pool = try OutboxBenchmark.open(path)
        let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter())
        let inbox = try await SQLiteInbox(in: pool)
        // The loop has its own database, in which no observer is registered.
        let poolByHand = try OutboxBenchmark.open("\(path)-by-hand")
        let outboxByHand = try await NotificationOutbox(in: poolByHand, of: NativeNotificationCenter())
        try await poolByHand.write { try $0.execute(sql: "CREATE TABLE done(id INTEGER PRIMARY KEY)") }
        let counter = Counter()
        outbox.addObserver(counter, named: "counter", on: .actor, forStored: Placed.self, from: .stored) { me, stored in
            try await pool.write { db in
                _ = try inbox.once(stored, in: db) { try OutboxBenchmark.order(db, stored.notification.order) }
            }
            me.add()
        }
        let rows = 200
        var times: [[Double]] = [[], []]
        for round in 0..<rounds {
            for kind in [round % 2, 1 - round % 2] {
                try await store(0..<rows, kind == 0 ? pool : poolByHand)
                let began = ContinuousClock.now
                if kind == 0 {
                    await outbox.drain(within: .seconds(200))
                } else {
                    for number in 1...rows { try await handle(Int64(round * rows + number), poolByHand) }
                }
                times[kind].append(began.duration(to: .now) / .seconds(1))
            }
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        let words = "drain with an inbox transaction for each row (FULL)"
        Bar.report("\(words), rows per second", Double(rows) / medians[0], .atLeast(100), towards: .atLeast(5_000))
        Bar.report(
            "\(words), compared with a handwritten loop", medians[0] / medians[1], .atMost(2), towards: .atMost(1.25))
        await outbox.finish(within: .seconds(5))
        await outboxByHand.finish(within: .seconds(5))
    }

    private static func handle(_ id: Int64, _ pool: DatabasePool) async throws {
        let body = try await pool.read { db in
            try Data.fetchOne(
                db.cachedStatement(sql: "SELECT body FROM tidings_outbox WHERE id = ?"), arguments: [id])
        }
        let note = try JSONDecoder().decode(Placed.self, from: body ?? Data())
        try await pool.write { db in
            try db.cachedStatement(sql: "INSERT INTO done(id) VALUES(?)").execute(arguments: [id])
            try OutboxBenchmark.order(db, note.order)
        }
    }

    private static func store(_ numbers: Range<Int>, _ pool: DatabasePool) async throws {
        for first in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 10_000) {
            try await pool.write { db in
                for number in first..<min(numbers.upperBound, first + 10_000) {
                    try db.cachedStatement(
                        sql: "INSERT INTO tidings_outbox(name, version, body, at) VALUES(?, ?, ?, ?)"
                    ).execute(arguments: [Placed.wireName, 1, try Placed(number).encoded(), wallTime])
                }
            }
        }
    }

    private static var wallTime: Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}
