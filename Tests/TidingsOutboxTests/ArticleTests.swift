// The code shown in the articles about the outbox. `.ci/steps/45-readme` requires it.
#if GRDB
    import GRDB
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    private struct OrderPlaced: RemoteNotification {
        static let wireName = "test.article.order-placed"
        let number: Int
        var customer = "a"
    }

    private struct Order: Codable, PersistableRecord {
        let id: Int
    }

    private actor Mailer {
        let (mails, continuation) = AsyncStream.makeStream(of: Int.self)
        func send(_ note: OrderPlaced) async throws { continuation.yield(note.number) }
    }

    @Suite(.timeLimit(.minutes(2))) struct ArticleTests {
        @Test
        func `an order and its notification share a transaction, and a durable observer receives the notification`()
            async throws
        {
            let database = try DatabaseQueue()
            try await database.write { try $0.execute(sql: "CREATE TABLE \"order\"(id INTEGER PRIMARY KEY)") }
            let center = NativeNotificationCenter()
            let (mailer, order) = (Mailer(), Order(id: 7))

            // The database is GRDB's DatabaseWriter, with the trait "GRDB".
            let outbox = try await NotificationOutbox(in: database, of: center)

            outbox.addObserver(mailer, named: "mails", on: .actor, for: OrderPlaced.self) { me, note in
                try await me.send(note)
            }

            try await database.write { db in
                try order.insert(db)
                // It is rolled back with the order.
                try outbox.post(OrderPlaced(number: order.id), in: db)
            }

            var mails = mailer.mails.makeAsyncIterator()
            #expect(await mails.next() == 7)
            observeInPartitions(outbox, mailer)
            #expect(try await wait(for: Order(id: 8), in: database, outbox).isComplete)
            await outbox.finish(within: .seconds(600))
        }

        private func observeInPartitions(_ outbox: NotificationOutbox<SQLiteOutboxStore>, _ mailer: Mailer) {
            outbox.addObserver(
                mailer, named: "mails", on: .actor, for: OrderPlaced.self, ordered: .by(\.customer, partitions: 8)
            ) { me, note in
                try await me.send(note)
            }
        }

        private func wait(
            for order: Order, in database: DatabaseQueue, _ outbox: NotificationOutbox<SQLiteOutboxStore>
        ) async throws -> StoredReceipt {
            let delivery = try await database.write { db in
                try order.insert(db)
                return try outbox.deliver(OrderPlaced(number: order.id), in: db)
            }
            let receipt = await delivery.receipt(within: .seconds(5))
            return await delivery.receipt(within: receipt.isComplete ? .zero : .seconds(600))
        }
    }
#endif

#if Libpq
    import Tidings
    import TidingsOutbox

    private struct OrderStored: RemoteNotification {
        static let wireName = "test.article.order-stored"
        let number: Int
    }

    private func store(with connection: LibpqConnection, center: NativeNotificationCenter) async throws {
        typealias OrderPlaced = OrderStored

        let connector = LibpqConnector("host=127.0.0.1 user=shop dbname=shop")
        let outbox = try await NotificationOutbox(in: connector, of: center)

        try await connection.transaction { transaction in
            try await transaction.run("INSERT INTO orders(id) VALUES($1::text::bigint)", ["7"])
            try await outbox.post(OrderPlaced(number: 7), in: transaction)
        }
    }

    private func storeInSchema(_ connector: LibpqConnector, center: NativeNotificationCenter) async throws {
        let outbox = try await NotificationOutbox(in: connector, schema: "shop", of: center)
        await outbox.finish(within: .zero)
    }

    private func storeThroughPooler(center: NativeNotificationCenter) async throws {
        let connector = LibpqConnector("host=127.0.0.1 port=6432 dbname=shop", preparesStatements: false)
        let store = PostgresOutboxStore(connector, isPooled: true)
        let outbox = try await NotificationOutbox(store, of: center)
        await outbox.finish(within: .zero)
    }

    private func prune(_ inbox: PostgresInbox) async throws {
        try await inbox.prune(olderThan: .seconds(7 * 86_400))
    }
#endif
