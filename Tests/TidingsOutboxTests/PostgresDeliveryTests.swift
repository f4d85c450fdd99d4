#if Libpq
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresDeliveryTests {
        private let workers = (Worker(), Worker())

        private func open(_ database: TestDatabase) async throws -> NotificationOutbox<PostgresOutboxStore> {
            try await NotificationOutbox(in: database.connector, of: NativeNotificationCenter(), options: .quick)
        }

        @discardableResult
        private func observe(
            _ outbox: NotificationOutbox<PostgresOutboxStore>, _ worker: Worker, _ name: String,
            retrying delays: RetryPolicy = RetryPolicy([.milliseconds(1)])
        ) -> NotificationToken {
            outbox.addObserver(worker, named: name, on: .actor, for: Placed.self, retrying: delays) { me, note in
                try await me.handle(note)
            }
        }

        private func deliver(
            _ number: Int, _ outbox: NotificationOutbox<PostgresOutboxStore>, _ connection: LibpqConnection
        ) async throws -> StoredDelivery {
            try await connection.transaction { try await outbox.deliver(Placed(number: number), in: $0) }
        }

        @Test
        func
            `a receipt lists the observers that have handled the notification, and has the identity that they receive`()
            async throws
        {
            let database = try await TestDatabase()
            let outbox = try await open(database)
            let told = ReceivedValues<String>()
            outbox.addObserver(workers.0, named: "one", on: .actor, forStored: Placed.self) { _, stored in
                told.append(stored.id)
            }
            observe(outbox, workers.1, "two")
            let connection = try await database.connector.open()
            // A committed and a rolled-back notification take row numbers before the tested notification is stored.
            _ = try await deliver(1, outbox, connection)
            _ = try? await connection.transaction { transaction in
                try await outbox.post(Placed(number: 2), in: transaction)
                throw Refused()
            }
            let delivery = try await deliver(3, outbox, connection)
            let receipt = await delivery.receipt(within: .seconds(600))
            #expect(receipt.isComplete && receipt.outcomes == ["one": .handled, "two": .handled])
            #expect(told.values.last == delivery.id && receipt.id == delivery.id)
            #expect(await workers.1.numbers == [1, 3])
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }

        @Test func `a receipt distinguishes observers that retry from observers with a dead letter`() async throws {
            let database = try await TestDatabase()
            let outbox = try await open(database)
            observe(outbox, workers.0, "patient", retrying: RetryPolicy([.seconds(3600)]))
            observe(outbox, workers.1, "hasty")
            await workers.0.fail(1, times: 1)
            await workers.1.fail(1, times: 2)
            let connection = try await database.connector.open()
            let delivery = try await deliver(1, outbox, connection)
            await eventually(
                "the patient observer has an outcome", { delivery.receipt.outcomes["patient"] },
                until: { $0 != .waiting })
            await eventually(
                "the hasty observer has a dead letter", { delivery.receipt.outcomes["hasty"] },
                until: { $0 == .deadLetter("Refused()") })
            let receipt = await delivery.receipt(within: .milliseconds(1))
            #expect(receipt.outcomes == ["patient": .failing("Refused()"), "hasty": .deadLetter("Refused()")])
            #expect(!receipt.isComplete)
            var buried = try await outbox.deadLetters(for: "hasty")
            try await eventually("there is a dead letter") {
                buried = try await outbox.deadLetters(for: "hasty")
                return !buried.isEmpty
            }
            #expect(buried.count == 1 && delivery.id.hasSuffix("-\(buried[0].row.id)"))
            await outbox.finish(within: .zero)
            await connection.close()
        }

        @Test func `a receipt lists every observer as waiting while the transaction is open and after a rollback`()
            async throws
        {
            let database = try await TestDatabase()
            let outbox = try await open(database)
            observe(outbox, workers.0, "one")
            let connection = try await database.connector.open()
            let other = try await database.connector.open()
            let (inTransaction, goesOn) = (Gate(), Gate())
            let taken = Lock<StoredDelivery?>(nil)
            let committing = Task {
                try await connection.transaction { transaction in
                    let delivery = try await outbox.deliver(Placed(number: 1), in: transaction)
                    taken.withLock { $0 = delivery }
                    inTransaction.open()
                    await goesOn.wait()
                }
            }
            await inTransaction.wait()
            let open = try #require(taken.withLock { $0 })
            // A notification that is committed in the meantime doesn't affect the receipt of the open transaction.
            #expect(await (try deliver(2, outbox, other)).receipt(within: .seconds(600)).isComplete)
            #expect(open.receipt.outcomes == ["one": .waiting])
            goesOn.open()
            try await committing.value
            #expect(await open.receipt(within: .seconds(600)).isComplete)
            let lost = Lock<StoredDelivery?>(nil)
            _ = try? await connection.transaction { transaction in
                let delivery = try await outbox.deliver(Placed(number: 3), in: transaction)
                lost.withLock { $0 = delivery }
                throw Refused()
            }
            #expect(await (try deliver(4, outbox, other)).receipt(within: .seconds(600)).isComplete)
            #expect(lost.withLock { $0 }?.receipt.outcomes == ["one": .waiting])
            #expect(await workers.0.numbers == [2, 1, 4])
            await outbox.finish(within: .seconds(600))
            await connection.close()
            await other.close()
        }

        @Test func `a receipt doesn't wait for observers that run elsewhere or have ended`() async throws {
            let database = try await TestDatabase()
            let (first, second) = (try await open(database), try await open(database))
            observe(first, workers.0, "shared")
            await eventually(
                "the first program's observer runs", { first.runningObservers.first?.state }, until: { $0 == .running })
            observe(second, workers.1, "shared")
            let token = observe(second, workers.1, "ending")
            await eventually(
                "the shared observer has the state `elsewhere`",
                { second.runningObservers.first(where: { $0.name == "shared" })?.state },
                until: { $0 == .elsewhere })
            await eventually(
                "the ending observer runs", { second.runningObservers.first(where: { $0.name == "ending" })?.state },
                until: { $0 == .running })
            await workers.1.hold()
            let connection = try await database.connector.open()
            let delivery = try await deliver(1, second, connection)
            await workers.1.waitForAttempts(1)
            #expect(delivery.receipt.outcomes["ending"] == .waiting)
            token.cancel()
            await workers.1.letGo()
            let receipt = await delivery.receipt(within: .seconds(600))
            #expect(receipt.outcomes["shared"] == .elsewhere)
            // The observer ended during its call, so it may or may not have handled the notification.
            #expect(receipt.outcomes["ending"] == .ended || receipt.outcomes["ending"] == .handled)
            await workers.0.waitForAttempts(1)
            await first.finish(within: .seconds(600))
            await second.finish(within: .seconds(600))
            await connection.close()
        }

        @Test func `an observer that is registered again doesn't run before its earlier call has ended`() async throws {
            let database = try await TestDatabase()
            let outbox = try await open(database)
            let token = observe(outbox, workers.0, "one")
            await eventually("the observer runs", { outbox.runningObservers.first?.state }, until: { $0 == .running })
            await workers.0.hold()
            let connection = try await database.connector.open()
            let first = try await deliver(1, outbox, connection)
            await workers.0.waitForAttempts(1)
            token.cancel()
            observe(outbox, workers.1, "one")
            await eventually(
                "the observer runs elsewhere", { outbox.runningObservers.first?.state }, until: { $0 == .elsewhere })
            #expect(await workers.1.attempts == [])
            await workers.0.letGo()
            await eventually("the observer runs", { outbox.runningObservers.first?.state }, until: { $0 == .running })
            let second = try await deliver(2, outbox, connection)
            #expect(await second.receipt(within: .seconds(600)).isComplete)
            #expect(await workers.1.numbers.last == 2)
            withExtendedLifetime(first) {}
            await outbox.finish(within: .seconds(600))
            await connection.close()
        }
    }
#endif
