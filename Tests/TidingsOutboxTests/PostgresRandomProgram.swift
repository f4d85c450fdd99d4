#if Libpq
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox

    /// A program that performs random operations, on connections that the server may end at any time.
    final class PostgresRandomProgram: Sendable {
        let connector: TerminatingConnector
        private let database: TestDatabase
        private let record: RandomHistory.Record
        private let outbox: NotificationOutbox<PostgresOutboxStore>
        private let inbox: PostgresInbox
        private let posts: Line, work: Line
        private let ordered: RandomHistory.Ordered, burying: RandomHistory.Burying
        private let owner = Lock<SurvivalOwner?>(nil)

        /// A connection for transactions, which is replaced when it has ended.
        private actor Line {
            private let connector: TerminatingConnector
            private var connection: TerminatingConnector.Connection?

            init(_ connector: TerminatingConnector) { self.connector = connector }

            /// Runs a transaction. If the method throws after it has called `ending`, the commit may have succeeded.
            func transaction(
                isCommitted: Bool = true, _ body: @Sendable (any OutboxPostgresTransaction) async throws -> Void,
                ending: @Sendable () -> Void = {}
            ) async throws {
                let connection: TerminatingConnector.Connection
                if let known = self.connection { connection = known } else { connection = try await connector.open() }
                self.connection = connection
                do {
                    _ = try await connection.run("BEGIN", [])
                    try await body(connection)
                    if isCommitted { ending() }
                    _ = try await connection.run(isCommitted ? "COMMIT" : "ROLLBACK", [])
                } catch {
                    await connection.close()
                    self.connection = nil
                    throw error
                }
            }
        }

        init(
            _ database: TestDatabase, _ past: RandomHistory.Past, _ random: RandomHistory.Generator, isLast: Bool
        ) async throws {
            self.database = database
            connector = TerminatingConnector(database, random)
            (posts, work) = (Line(connector), Line(connector))
            record = RandomHistory.Record(past)
            (ordered, burying) = (RandomHistory.Ordered(record), RandomHistory.Burying(record, fails: !isLast))
            try await work.transaction { transaction in
                try await transaction.run("CREATE TABLE IF NOT EXISTS effects(number bigint NOT NULL)", [])
            }
            inbox = try await PostgresInbox(in: database.connector)
            outbox = try await NotificationOutbox(
                PostgresOutboxStore(connector, leaseTime: .seconds(60)), of: NativeNotificationCenter(), options: .quick
            )
            observe()
        }

        private func observe() {
            let owner = SurvivalOwner()
            let delays = RetryPolicy(Array(repeating: .milliseconds(1), count: 10_000))
            outbox.addObserver(
                owner, named: "ordered", on: .actor, forStored: Placed.self, ordered: .by(\.customer), from: .stored,
                retrying: delays
            ) { [ordered] _, stored in try await ordered.handle(stored) }
            outbox.addObserver(
                owner, named: "burying", on: .actor, for: Placed.self, ordered: .unordered, from: .stored,
                retrying: .none
            ) { [burying] _, note in try await burying.handle(note) }
            outbox.addObserver(
                owner, named: "effects", on: .actor, forStored: Placed.self, from: .stored, retrying: delays
            ) { [work, inbox] _, stored in
                try await work.transaction { transaction in
                    _ = try await inbox.once(stored, in: transaction) {
                        try await transaction.run(
                            "INSERT INTO effects VALUES($1::text::bigint)", ["\(stored.notification.number)"])
                    }
                }
            }
            self.owner.withLock { $0 = owner }
        }

        private func endObservers() async {
            owner.withLock { $0 = nil }
            await eventually("the observers have ended") { outbox.runningObservers.isEmpty }
        }

        func run(_ operations: Int, _ random: inout RandomHistory.Generator) async throws {
            for _ in 0..<operations {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: await outbox.drain(within: .seconds(60))
                // These calls throw if the server ends their connection.
                case 1: _ = try? await outbox.store.prune(storedBefore: .max, abandonedBefore: 0, limit: 100)
                case 2: _ = try? await outbox.redrive(for: "burying")
                case 3:
                    await endObservers()
                    observe()
                case let number:
                    await post(number % 3 + 1, isCommitted: number > 4)
                    for _ in 0..<Int.random(in: 0...200, using: &random) { await Task.yield() }
                }
            }
        }

        private func post(_ count: Int, isCommitted: Bool) async {
            let numbers = record.past.withLock { past in
                defer { past.posted += count }
                return past.posted..<past.posted + count
            }
            let isEnding = Lock(false)
            do {
                try await posts.transaction(isCommitted: isCommitted) { [outbox] transaction in
                    for number in numbers {
                        try await outbox.post(Placed(number: number, customer: "\(number % 3)"), in: transaction)
                    }
                } ending: {
                    isEnding.withLock { $0 = true }
                }
            } catch {
                // Without an answer, it isn't known whether the commit succeeded.
                if isEnding.withLock({ $0 }) { return }
                return record.past.withLock { $0.rolledBack.formUnion(numbers) }
            }
            record.past.withLock { past in
                if isCommitted { past.committed.formUnion(numbers) } else { past.rolledBack.formUnion(numbers) }
            }
        }

        func end(isDeath: Bool) async throws -> RandomHistory.Past {
            if isDeath {
                try await connector.die()
                // Wait for running calls, which could otherwise be mistaken for calls of the next program.
                await endObservers()
            }
            await outbox.finish(within: isDeath ? .zero : .seconds(60))
            connector.cut(false)
            try await database.cut()
            return record.past.withLock { $0 }
        }

        func complete() async throws -> RandomHistory.Past {
            await outbox.drain(within: .seconds(600))
            _ = try await outbox.redrive(for: "burying")
            try await eventually("every notification is handled") {
                try await !outbox.registeredObservers().contains(where: { $0.deadLetters + $0.held + $0.backlog > 0 })
            }
            await outbox.finish(within: .seconds(60))
            return record.past.withLock { $0 }
        }

        var calls: Int { get async { await ordered.calls + burying.calls } }

        func effects() async throws -> [Int] {
            let connection = try await database.connector.open()
            let rows = try await connection.run("SELECT number::text FROM effects", [])
            await connection.close()
            return rows.compactMap { $0[0].flatMap(Int.init) }
        }
    }
#endif
