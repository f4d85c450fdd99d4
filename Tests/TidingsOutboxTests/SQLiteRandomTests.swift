#if GRDB
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox

    /// Tests of random programs that crash at random statements. Each program continues with the previous one's files.
    @Suite(.timeLimit(.ofRandomPrograms)) struct SQLiteRandomTests {
        private static let runs = ProcessInfo.processInfo.environment["TIDINGS_OUTBOX_RUNS"].flatMap(Int.init) ?? 12

        @Test(arguments: 0..<runs)
        func `if programs crash at random statements, nothing is lost, repetitions are marked and effects happen once`(
            seed: Int
        ) async throws {
            let folder = TestFolder()
            var random = RandomHistory.Generator(state: UInt64(seed))
            var past = RandomHistory.Past()
            var path = folder.path("program-0")
            for generation in 1...6 {
                let next = folder.path("program-\(generation)")
                let program = try await RandomProgram(
                    path, past, crashAt: Int.random(in: 1...120, using: &random), next)
                try await program.run(Int.random(in: 5...25, using: &random), &random)
                past = try await program.end()
                path = next
                if let broken = past.broken { Issue.record("seed \(seed), generation \(generation): \(broken)") }
            }
            let last = try await RandomProgram(path, past, crashAt: nil, "")
            past = try await last.complete()
            #expect(past.broken == nil, "seed \(seed)")
            #expect(past.handled.isSuperset(of: past.committed), "seed \(seed): a notification is lost")
            #expect(past.sentAgain.isSuperset(of: past.committed), "seed \(seed): a dead letter is lost")
            let effects = try await last.effects()
            #expect(Set(effects).count == effects.count, "seed \(seed): an effect happened twice")
            #expect(Set(effects).isSuperset(of: past.committed), "seed \(seed): an effect is lost")
            #expect(
                Set(effects).isDisjoint(with: past.rolledBack), "seed \(seed): an effect wasn't rolled back")
        }
    }

    /// A program that performs random operations. At one statement, its files are copied as a crash would leave them.
    private final class RandomProgram: Sendable {
        typealias Past = RandomHistory.Past
        typealias Record = RandomHistory.Record

        private let record: Record
        private let pool: DatabasePool
        private let outbox: NotificationOutbox<SQLiteOutboxStore>
        private let inbox: SQLiteInbox
        private let path: String, next: String
        private let observers = Lock<[any AnyObject & Sendable]>([])
        private let isLast: Bool

        init(_ path: String, _ past: Past, crashAt statement: Int?, _ next: String) async throws {
            let record = Record(past)
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                if db.configuration.readonly { return }
                db.trace(options: .statement) { _ in
                    let isNow = record.crash.withLock { crash in
                        guard let left = crash.left else { return false }
                        crash.left = left > 1 ? left - 1 : nil
                        return left == 1
                    }
                    if isNow { Self.crash(record, path, next) }
                }
            }
            (self.record, self.path, self.next, isLast) = (record, path, next, statement == nil)
            pool = try DatabasePool(path: path, configuration: configuration)
            try await pool.write { try $0.execute(sql: "CREATE TABLE IF NOT EXISTS effects(number INTEGER)") }
            inbox = try await SQLiteInbox(in: pool)
            outbox = try await NotificationOutbox(in: pool, of: NativeNotificationCenter(), options: .quick)
            record.crash.withLock { $0.left = statement }
            observe()
        }

        private static func crash(_ record: Record, _ path: String, _ next: String) {
            for suffix in ["", "-wal"] {
                try? FileManager.default.copyItem(atPath: path + suffix, toPath: next + suffix)
            }
            let past = record.past.withLock { $0 }
            record.crash.withLock { $0.past = past }
        }

        private func observe() {
            let (ordered, burying, effecting) = (
                RandomHistory.Ordered(record), RandomHistory.Burying(record, fails: !isLast), SurvivalOwner()
            )
            observers.withLock { $0 = [ordered, burying, effecting] }
            let delays = RetryPolicy(Array(repeating: .milliseconds(1), count: 1_000))
            outbox.addObserver(
                ordered, named: "ordered", on: .actor, forStored: Placed.self, ordered: .by(\.customer), from: .stored,
                retrying: delays
            ) { me, stored in try me.handle(stored) }
            outbox.addObserver(
                burying, named: "burying", on: .actor, for: Placed.self, ordered: .unordered, from: .stored,
                retrying: .none
            ) { me, note in try me.handle(note) }
            outbox.addObserver(
                effecting, named: "effects", on: .actor, forStored: Placed.self, from: .stored, retrying: delays
            ) { [pool, inbox] _, stored in
                _ = try await pool.write { db in
                    try inbox.once(stored, in: db) {
                        try db.execute(
                            sql: "INSERT INTO effects VALUES(?)", arguments: [stored.notification.number])
                    }
                }
            }
        }

        func run(_ operations: Int, _ random: inout RandomHistory.Generator) async throws {
            for _ in 0..<operations {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: await outbox.drain(within: .seconds(60))
                case 1: _ = try await outbox.store.prune(storedBefore: .max, abandonedBefore: 0, limit: 100)
                case 2: _ = try await outbox.redrive(for: "burying")
                case 3:
                    // Releases the actors while rows are handled. This ends the observers.
                    observers.withLock { $0 = [] }
                    await eventually("the observers have ended") { outbox.runningObservers.isEmpty }
                    observe()
                case let number:
                    try await post(number % 3 + 1, isCommitted: number > 4)
                    for _ in 0..<Int.random(in: 0...200, using: &random) { await Task.yield() }
                }
            }
        }

        private func post(_ count: Int, isCommitted: Bool) async throws {
            let first = record.past.withLock { past in
                defer { past.posted += count }
                return past.posted
            }
            let numbers = first..<first + count
            // A commit that a crash interrupts has an uncertain result, so numbers are recorded after the commit.
            if !isCommitted { record.past.withLock { $0.rolledBack.formUnion(numbers) } }
            try await pool.writeWithoutTransaction { [outbox] db in
                try db.inTransaction {
                    for number in numbers { try outbox.post(Placed(number: number, customer: "\(number % 3)"), in: db) }
                    return isCommitted ? .commit : .rollback
                }
            }
            if isCommitted { record.past.withLock { $0.committed.formUnion(numbers) } }
        }

        /// Ends the program. If it hasn't crashed, its files are copied after its end.
        func end() async throws -> Past {
            await outbox.finish(within: .seconds(60))
            try await pool.writeWithoutTransaction { [record, path, next] _ in
                record.crash.withLock { $0.left = nil }
                if record.crash.withLock({ $0.past == nil }) { Self.crash(record, path, next) }
            }
            return record.crash.withLock { $0.past ?? Past() }
        }

        func complete() async throws -> Past {
            await outbox.drain(within: .seconds(600))
            _ = try await outbox.redrive(for: "burying")
            try await eventually("every notification is handled") {
                try await !outbox.registeredObservers().contains(where: { $0.deadLetters + $0.held + $0.backlog > 0 })
            }
            let past = record.past.withLock { $0 }
            await outbox.finish(within: .seconds(60))
            return past
        }

        func effects() async throws -> [Int] {
            try await pool.read { try Int.fetchAll($0, sql: "SELECT number FROM effects") }
        }
    }
#endif
