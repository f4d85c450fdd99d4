import Foundation
import GRDB
import Tidings
import TidingsOutbox

/// Measures the cost of an outbox. The figures are rates, or ratios between two kinds of work that alternate.
///
/// A figure is printed with its limit, if it has one. With `--check`, the program fails if a figure misses its limit in
/// every measurement. `--short` uses fewer samples and rows. `--drain` only measures how fast observers receive
/// notifications that are stored in SQLite. `--sending` only measures a relay that sends from an outbox, and requires a
/// build with `BENCHMARK_OUTBOX=sending`. `--growth` only measures how costs grow with the number of stored rows, of
/// durable observers and of pending receipts. `--observers` only measures the part of `--growth` with many durable
/// observers. PostgreSQL is measured if `TIDINGS_POSTGRES` names a server, as for the tests.
///
///     BENCHMARK_OUTBOX=sending swift run -c release --package-path Benchmarks \
///         --scratch-path Benchmarks/.build-outbox outbox \
///         [ROWS] [--short] [--check] [--drain] [--sending] [--growth] [--observers]
///
/// If NATS isn't installed, set `BENCHMARK_OUTBOX=1`.
@main struct OutboxBenchmark {
    struct Placed: RemoteNotification {
        static let wireName = "benchmark.placed"
        let order: Int
        let customer: String
        let address: String
        let note: String

        init(_ order: Int) {
            self.order = order
            customer = "customer \(order % 1000)"
            address = "12 Long Street, Springfield"
            note = String(repeating: "x", count: 70)
        }
    }

    static func main() async throws {
        if CommandLine.arguments.dropFirst().first == "replica" { try await Replica.run() }
        let rows = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? (Bar.isShort ? 100_000 : 1_000_000)
        let folder = NSTemporaryDirectory() + "outbox-benchmark-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        @Sendable func path() -> String { "\(folder)/\(UUID().uuidString)" }
        let server = ProcessInfo.processInfo.environment["TIDINGS_POSTGRES"]
        let isDrainAlone = CommandLine.arguments.contains("--drain")
        if CommandLine.arguments.contains("--observers") {
            try await ObserverGrowth.measure(path, postgres: server)
            return Bar.end()
        }
        if CommandLine.arguments.contains("--growth") { return try await Growth.measure(path, postgres: server) }
        #if SENDING
            if !isDrainAlone {
                try await Sending(path: path).measure()
                if let server { try await Sending(server: server).measure() }
            }
        #endif
        if CommandLine.arguments.contains("--sending") { return Bar.end() }
        if !isDrainAlone {
            for durability in [SQLiteOutboxStore.Durability.full, .normal] {
                try await Bar.hold { try await cost(path(), durability) }
            }
            try await Bar.hold { try await latency(path()) }
        }
        for kind in Drains.Kind.allCases { try await Bar.hold { try await Drains.decoded(path(), rows, kind) } }
        try await Bar.hold { try await Drains.withInbox(path(), rounds: Bar.isShort ? 9 : 25) }
        if !isDrainAlone, let server { try await PostgresCosts(server: server).measure() }
        Bar.end()
    }

    static func open(_ path: String, _ configuration: Configuration = Configuration()) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer TEXT, note TEXT)") }
        return pool
    }

    static func order(_ db: Database, _ number: Int) throws {
        try db.cachedStatement(sql: "INSERT INTO orders(customer, note) VALUES(?, ?)")
            .execute(arguments: ["customer \(number % 1000)", "a note with the length of a typical one"])
    }

    private static func cost(_ path: String, _ durability: SQLiteOutboxStore.Durability) async throws {
        let pools = try (0..<3).map { try open("\(path)-\($0)") }
        var outboxes: [NotificationOutbox<SQLiteOutboxStore>] = []
        for pool in pools {
            outboxes.append(
                try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), durability: durability))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for group in [1, 100] {
            var times: [[Double]] = [[], [], []]
            var processorTimes = times
            // The kinds of transactions are 0 (only an order), 1 (with a hand-written insert) and 2 (with a post). They
            // alternate often, so that other users of the disk slow down all kinds alike.
            for round in 0..<(Bar.isShort ? 70 : 150) {
                for kind in (0..<3).map({ ($0 + round) % 3 }) {
                    let (began, processorTime) = (ContinuousClock.now, Self.processorTime)
                    for number in 0..<(group == 1 ? 6 : 1) {
                        try await pools[kind].write { [outbox = outboxes[kind]] db in
                            for _ in 0..<group {
                                try order(db, number)
                                if kind == 1 {
                                    try db.cachedStatement(
                                        sql: "INSERT INTO tidings_outbox(name, version, body, at) VALUES(?, ?, ?, ?)"
                                    ).execute(arguments: [Placed.wireName, 1, try encoder.encode(Placed(number)), 1])
                                }
                                if kind == 2 { try outbox.post(Placed(number), in: db) }
                            }
                        }
                    }
                    times[kind].append(began.duration(to: .now) / .seconds(1))
                    processorTimes[kind].append(Self.processorTime - processorTime)
                }
            }
            let medians = times.map { $0.sorted()[$0.count / 2] }
            let processorMedians = processorTimes.map { $0.sorted()[$0.count / 2] }
            let words = "\(durability), groups of \(group): a transaction with a post, compared with"
            // Processor time is reported, too, because the elapsed time depends mostly on the disk.
            Bar.report(
                "\(words) one with a hand-written insert, processor time", processorMedians[2] / processorMedians[1],
                .atMost(1.6), towards: .atMost(1.15))
            Bar.report("\(words) one with a hand-written insert", medians[2] / medians[1])
            // With `normal` durability or in groups, inserting rows takes most of the time, so there is no limit.
            Bar.report(
                "\(words) one without", medians[2] / medians[0],
                durability == .full && group == 1 ? .atMost(2) : nil, towards: .atMost(1.25))
        }
        for outbox in outboxes { await outbox.finish(within: .seconds(5)) }
    }

    private actor Box {
        private var committed: [Int: ContinuousClock.Instant] = [:]
        private var seen: [Int: ContinuousClock.Instant] = [:]
        func commit(_ number: Int, _ time: ContinuousClock.Instant) { committed[number] = time }
        func see(_ note: Placed) { seen[note.order] = .now }
        var latencies: [Double] {
            seen.compactMap { number, time in committed[number].map { $0.duration(to: time) / .milliseconds(1) } }
                .sorted()
        }
    }

    /// Measures the latency from a commit to the observer, at 500 transactions a second.
    private static func latency(_ path: String) async throws {
        let pool = try open(path)
        let outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter())
        let box = Box()
        outbox.addObserver(box, named: "box", on: .actor, for: Placed.self) { me, note in me.see(note) }
        var commits: [(Int, ContinuousClock.Instant)] = []
        var next = ContinuousClock.now
        for number in 0..<(Bar.isShort ? 1_000 : 2_000) {
            try await pool.write { db in
                try order(db, number)
                try outbox.post(Placed(number), in: db)
            }
            commits.append((number, .now))
            next += .milliseconds(2)
            try await Task.sleep(until: next, clock: .continuous)
        }
        await outbox.drain(within: .seconds(20))
        for (number, time) in commits { await box.commit(number, time) }
        let latencies = await box.latencies
        Bar.report(
            "from commit to durable observer, 500 per second, ms, p50", latencies[latencies.count / 2], .atMost(2),
            towards: .atMost(0.5))
        Bar.report("from commit to durable observer, 500 per second, ms, p99", latencies[latencies.count * 99 / 100])
        await outbox.finish(within: .seconds(5))
    }

    static var processorTime: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func memory() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
        return (line?.split(whereSeparator: { !$0.isNumber }).first).flatMap { Int($0) }.map { $0 / 1024 } ?? 0
    }
}
