#if Libpq
    import TestSupport
    import Testing
    import Tidings

    @testable import TidingsOutbox

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"),
        .serialized)
    struct PostgresWorkerTests {
        private func open(_ connector: any OutboxPostgresConnector, leaseTime: Duration = .seconds(2))
            async throws
            -> NotificationOutbox<PostgresOutboxStore>
        {
            try await NotificationOutbox(
                PostgresOutboxStore(connector, leaseTime: leaseTime), of: NativeNotificationCenter(),
                options: .quick)
        }

        @discardableResult
        private func observe(
            _ outbox: NotificationOutbox<PostgresOutboxStore>, _ worker: KeyedWorker,
            ordered order: DurableOrder<Placed> = .by(\.customer, partitions: 4)
        ) -> NotificationToken {
            outbox.addObserver(
                worker, named: "worker", on: .actor, for: Placed.self, ordered: order, from: .stored,
                retrying: RetryPolicy([.milliseconds(1)])
            ) { me, note in try await me.handle(note) }
        }

        private func partitions(_ outboxes: NotificationOutbox<PostgresOutboxStore>...) -> [Int] {
            outboxes.map { $0.runningObservers.first?.partitions ?? 0 }
        }

        private func post(
            _ numbers: ClosedRange<Int>, in outbox: NotificationOutbox<PostgresOutboxStore>,
            _ pool: LibpqPool
        ) async throws {
            for number in numbers {
                try await pool.transaction { transaction in
                    for customer in 0..<20 {
                        try await outbox.post(Placed(number: number, customer: "\(customer)"), in: transaction)
                    }
                }
            }
        }

        /// Returns the numbers that the workers received for a customer, without repetitions.
        private func firsts(_ customer: Int, _ workers: KeyedWorker...) async -> [Int] {
            var seen: Set<Int> = []
            var numbers: [Int] = []
            for worker in workers { numbers += await worker.numbers("\(customer)") }
            return numbers.filter { seen.insert($0).inserted }
        }

        @Test
        func `replicas share the partitions as they join and leave, and the rows of each key stay in order`()
            async throws
        {
            let database = try await TestDatabase()
            let pool = LibpqPool(database.connector)
            let first = try await open(database.connector)
            let workers = (KeyedWorker(), KeyedWorker(), KeyedWorker())
            observe(first, workers.0)
            await eventually("the first replica runs all partitions", { partitions(first) }, until: { $0 == [4] })
            try await post(1...5, in: first, pool)
            let second = try await open(database.connector)
            observe(second, workers.1)
            await eventually(
                "two replicas share the partitions", { partitions(first, second) }, until: { $0 == [2, 2] })
            try await post(6...10, in: first, pool)
            let third = try await open(database.connector)
            observe(third, workers.2)
            await eventually(
                "three replicas share the partitions", { partitions(first, second, third).sorted() },
                until: { $0 == [1, 1, 2] })
            try await post(11...15, in: first, pool)
            for customer in 0..<20 {
                await eventually(
                    "customer \(customer)'s rows are handled",
                    { await firsts(customer, workers.0, workers.1, workers.2).count },
                    until: { $0 == 15 })
            }
            for worker in [workers.0, workers.1, workers.2] { #expect(await worker.count > 0) }
            await second.finish(within: .seconds(600))
            await eventually("two share the partitions", { partitions(first, third) }, until: { $0 == [2, 2] })
            await third.finish(within: .seconds(600))
            await eventually("the first replica runs all partitions", { partitions(first) }, until: { $0 == [4] })
            try await post(16...20, in: first, pool)
            #expect(await first.drain(within: .seconds(600)) == [])
            var count = 0
            for worker in [workers.0, workers.1, workers.2] { count += await worker.count }
            // No replica was killed, so nothing is repeated.
            #expect(count == 400)
            let records = try await first.registeredObservers()
            #expect(records.map(\.name) == ["worker"] && records[0].partitions == 4)
            // Each partition skips the rows of other partitions, and saves this progress with a delay.
            try await eventually(
                "the backlog is empty", { try await first.registeredObservers().first?.backlog }, until: { $0 == 0 })
            await first.finish(within: .seconds(600))
            await pool.close()
        }

        @Test
        func
            `a replica that can't read the next notification leaves its partitions to a newer replica`()
            async throws
        {
            let database = try await TestDatabase()
            let pool = LibpqPool(database.connector)
            let (old, newer) = (try await open(database.connector), try await open(database.connector))
            let worker = KeyedWorker()
            let received = Lock<[String: [Int]]>([:])
            observe(old, worker)
            let token = newer.addObserver(
                named: "worker", on: .task, for: NewerPlaced.self, ordered: .by(\.customer, partitions: 4),
                from: .stored
            ) { note in received.withLock { $0[note.customer, default: []].append(note.number) } }
            await eventually("two replicas share the partitions", { partitions(old, newer) }, until: { $0 == [2, 2] })
            try await post(1...2, in: old, pool)
            try await pool.transaction { transaction in
                for customer in 0..<20 {
                    try await newer.post(NewerPlaced(number: 3, customer: "\(customer)"), in: transaction)
                }
            }
            try await post(4...4, in: old, pool)
            await eventually(
                "the newer replica runs all partitions", { partitions(old, newer) }, until: { $0 == [0, 4] })
            for customer in 0..<20 {
                await eventually(
                    "customer \(customer)'s rows are handled",
                    { await worker.numbers("\(customer)") + received.withLock { $0["\(customer)"] ?? [] } },
                    until: { $0 == [1, 2, 3, 4] })
            }
            #expect(try await old.deadLetters(for: "worker") == [])
            #expect(old.runningObservers.first?.failures == 0)
            withExtendedLifetime(token) {}
            await newer.finish(within: .seconds(600))
            await eventually("the old replica runs all partitions", { partitions(old) }, until: { $0 == [4] })
            await old.finish(within: .seconds(600))
            await pool.close()
        }

        @Test func `a program that gave up its partitions claims some again after a set time, or when it is alone`() {
            let shares = PostgresShares()
            let now = ContinuousClock.now
            #expect(!shares.standAside(for: "a", until: now + .seconds(1)))
            #expect(!shares.want("a"))
            let (alone, other): ([[String?]], [[String?]]) = ([["a", nil, "4"]], [["a", "z", nil], ["a", nil, "4"]])
            shares.note(other, of: "x")
            #expect(shares.share(of: "a") == 2 && shares.listed(at: now) == ["a"])
            #expect(shares.standAside(for: "a", until: now + .seconds(1)))
            shares.note(other, of: "x")
            #expect(shares.share(of: "a") == 0 && shares.listed(at: now) == [] && shares.wanted == ["a"])
            shares.note(alone, of: "x")
            #expect(shares.share(of: "a") == 4)
            #expect(shares.listed(at: now + .seconds(1)) == ["a"])
            shares.note(other, of: "x")
            #expect(shares.share(of: "a") == 2)
        }

        @Test func `another replica takes over the partitions of a replica that loses its connections`() async throws {
            let database = try await TestDatabase()
            let pool = LibpqPool(database.connector)
            let cutting = CuttingConnector(database.connector)
            let first = try await open(cutting)
            let second = try await open(database.connector)
            let workers = (KeyedWorker(), KeyedWorker())
            observe(first, workers.0)
            observe(second, workers.1)
            await eventually(
                "two replicas share the partitions", { partitions(first, second) }, until: { $0 == [2, 2] })
            try await post(1...3, in: second, pool)
            await cutting.goAway()
            try await post(4...6, in: second, pool)
            for customer in 0..<20 {
                await eventually(
                    "customer \(customer)'s rows are handled", { await firsts(customer, workers.0, workers.1).count },
                    until: { $0 == 6 })
                #expect(await firsts(customer, workers.0, workers.1) == Array(1...6))
            }
            await eventually("the second replica runs all partitions", { partitions(second) }, until: { $0 == [4] })
            cutting.comeBack()
            await eventually(
                "two replicas share the partitions", { partitions(first, second) }, until: { $0 == [2, 2] })
            for outbox in [first, second] { await outbox.finish(within: .seconds(600)) }
            await pool.close()
        }

        @Test func `when an observation ends, other replicas take over its partitions`() async throws {
            let database = try await TestDatabase()
            let (first, second) = (try await open(database.connector), try await open(database.connector))
            let worker = KeyedWorker()
            let token = observe(first, worker)
            observe(second, worker)
            await eventually(
                "two replicas share the partitions", { partitions(first, second) }, until: { $0 == [2, 2] })
            token.cancel()
            await eventually("the second replica runs all partitions", { partitions(second) }, until: { $0 == [4] })
            for outbox in [first, second] { await outbox.finish(within: .seconds(600)) }
        }

        @Test
        func
            `the number of partitions can rise but doesn't fall, and rows keep their order`()
            async throws
        {
            let database = try await TestDatabase()
            let pool = LibpqPool(database.connector)
            let old = try await open(database.connector)
            let workers = (KeyedWorker(), KeyedWorker())
            observe(old, workers.0, ordered: .by(\.customer))
            try await post(1...5, in: old, pool)
            // In a deployment, the new replica waits for the old one, and then divides the observer into partitions.
            let new = try await open(database.connector)
            observe(new, workers.1, ordered: .by(\.customer, partitions: 4))
            try await post(6...10, in: new, pool)
            await old.finish(within: .seconds(600))
            await eventually("the new replica runs four partitions", { partitions(new) }, until: { $0 == [4] })
            // After a rollback of the deployment, a replica that requests fewer partitions can still run all four.
            let back = try await open(database.connector)
            let last = KeyedWorker()
            observe(back, last, ordered: .by(\.customer, partitions: 2))
            await eventually("two replicas share the partitions", { partitions(new, back) }, until: { $0 == [2, 2] })
            try await post(11...15, in: new, pool)
            await new.finish(within: .seconds(600))
            await eventually("the last replica runs four partitions", { partitions(back) }, until: { $0 == [4] })
            try await post(16...20, in: back, pool)
            #expect(await back.drain(within: .seconds(600)) == [])
            for customer in 0..<20 {
                #expect(
                    await firsts(customer, workers.0, workers.1, last) == Array(1...20),
                    "customer \(customer)")
            }
            await back.finish(within: .seconds(600))
            await pool.close()
        }

        @Test
        func
            `a replica doesn't claim more than its share, and a session that lost its partition can't save`()
            async throws
        {
            let database = try await TestDatabase()
            let stores = [0, 1].map { _ in
                PostgresOutboxStore(database.connector, leaseTime: .seconds(600))
            }
            for store in stores { _ = try await store.prepare() }
            func claim(_ store: Int, _ index: Int) async throws -> (any OutboxObserverSession)? {
                try await stores[store].claim("worker", partition: index, of: 4, beginningAt: 0)
            }
            let parts = [
                try #require(try await claim(0, 0)), try #require(try await claim(0, 1)),
                try #require(try await claim(0, 2)), try #require(try await claim(0, 3)),
            ]
            #expect(parts.allSatisfy { $0.beginning.partitions == 4 && !$0.isWantedElsewhere })
            #expect(try await claim(1, 3) == nil)
            try await stores[0].heart.beat()
            #expect(parts.map(\.isWantedElsewhere) == [false, false, true, true])
            await parts[3].end(isClean: true)
            // The first replica has three of the four partitions, more than its share, so it doesn't claim the fourth.
            #expect(try await claim(0, 3) == nil)
            var taken: (any OutboxObserverSession)?
            while taken == nil { taken = try await claim(1, 3) }
            #expect(taken?.beginning.wasInterrupted == false)
            await #expect { try await parts[3].save(OutboxProgressChange(cursor: 1)) } throws: {
                ($0 as? OutboxError)?.code == .leaseLost
            }
            await #expect { try await parts[3].confirm() } throws: {
                ($0 as? OutboxError)?.code == .leaseLost
            }
            try await taken?.save(OutboxProgressChange(cursor: 7))
            #expect(try await stores[0].observers().map(\.cursor) == [0])
            await stores[1].leave("worker")
            await taken?.end(isClean: true)
            try await stores[0].heart.beat()
            #expect(parts[2].isWantedElsewhere == false)
            for store in stores { await store.stop() }
        }

        @Test func `if a row arrives while a replica claims an expired lease, the row is marked as possibly repeated`()
            async throws
        {
            let database = try await TestDatabase()
            let previous = PostgresOutboxStore(database.connector, leaseTime: .milliseconds(100))
            _ = try await previous.prepare()
            _ = try #require(try await previous.claim("worker", beginningAt: 0))
            // The row becomes visible after the statement that claims the lease has read the tables.
            let connector = FollowingConnector(database.connector, "SET owner") {
                let poster = try await database.connector.open()
                try await poster.transaction { transaction in
                    _ = try await previous.append(try OutboxPost(Placed(number: 1), limit: 1_000), in: transaction)
                }
                await poster.close()
                _ = try await previous.last()
            }
            let next = PostgresOutboxStore(connector, leaseTime: .seconds(600))
            _ = try await next.prepare()
            var session: (any OutboxObserverSession)?
            while session == nil { session = try await next.claim("worker", beginningAt: 0) }
            #expect(session?.beginning.wasInterrupted == true && session?.beginning.newest == 1)
            await session?.end(isClean: true)
            for store in [previous, next] { await store.stop() }
        }

        @Test func `a replica of an earlier version can't claim an observer that has partitions`() async throws {
            let database = try await TestDatabase()
            let store = PostgresOutboxStore(database.connector, leaseTime: .seconds(600))
            _ = try await store.prepare()
            let session = try #require(
                try await store.claim("worker", partition: 0, of: 2, beginningAt: 0))
            await session.end(isClean: true)
            let old = try await database.connector.open()
            for statement in [
                // The statement with which version 2 claims an observer.
                "UPDATE tidings_observer SET owner = 'f3a9', epoch = epoch + 1, clean = false WHERE name = 'worker'",
                // The statement with which version 1 claims an observer.
                "UPDATE tidings_observer SET clean = false, abandoned = false, seen = now() WHERE name = 'worker'",
            ] {
                await #expect {
                    try await old.run(statement, [])
                } throws: { "\($0)".contains("has divided the observer worker into partitions") }
            }
            let other = try #require(try await store.claim("other", beginningAt: 0))
            await other.end(isClean: true)
            try await old.run(
                "UPDATE tidings_observer SET owner = 'f3a9', epoch = epoch + 1, clean = false WHERE name = 'other'",
                [])
            await old.close()
            await store.stop()
        }

        @Test func `an idle replica whose observer has partitions sends only rare heartbeats`() async throws {
            let database = try await TestDatabase()
            let connector = CountingConnector(database.connector)
            let outbox = try await open(connector, leaseTime: .seconds(600))
            let worker = KeyedWorker()
            observe(outbox, worker)
            await eventually("the replica runs all partitions", { partitions(outbox) }, until: { $0 == [4] })
            await outbox.drain(within: .seconds(600))
            let before = connector.statements.count { $0.contains("tidings_replica") }
            for _ in 0..<20 { _ = try await outbox.registeredObservers() }
            // Heartbeats are rare, and nothing is left to claim.
            #expect(connector.statements.count { $0.contains("tidings_replica") } - before <= 1)
            await outbox.finish(within: .seconds(600))
        }
    }

    /// Performs an action after the first statement that contains a given word and returns rows.
    private final class FollowingConnector: OutboxPostgresConnector {
        private let base: LibpqConnector
        private let word: String
        private let action: Lock<(@Sendable () async throws -> Void)?>

        init(_ base: LibpqConnector, _ word: String, _ action: @escaping @Sendable () async throws -> Void) {
            self.base = base
            self.word = word
            self.action = Lock(action)
        }

        func connect() async throws -> any OutboxPostgresConnection {
            Connection(base: try await base.open(), connector: self)
        }

        private final class Connection: OutboxPostgresConnection {
            let base: LibpqConnection
            let connector: FollowingConnector

            init(base: LibpqConnection, connector: FollowingConnector) {
                (self.base, self.connector) = (base, connector)
            }

            func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
                let rows = try await base.run(statement, values)
                if statement.contains(connector.word), !rows.isEmpty {
                    try await connector.action.withLock { $0.take() }?()
                }
                return rows
            }

            func onNotification(_ receive: @escaping @Sendable (String?) -> Void) { base.onNotification(receive) }
            func close() async { await base.close() }
        }
    }
#endif
