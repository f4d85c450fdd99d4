// The code that the articles about the outbox show. `.ci/steps/45-readme` checks that it is here.
#if GRDB
    import GRDB
    import TestSupport
    import Testing
    import Tidings
    import TidingsInspector
    import TidingsOutbox
    import TidingsTesting

    private struct PaymentDue: RemoteNotification {
        static let wireName = "test.article.payment-due"
        let order: Int
    }

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
                // A rollback also removes the notification.
                try outbox.post(OrderPlaced(number: order.id), in: db)
            }

            var mails = mailer.mails.makeAsyncIterator()
            #expect(await mails.next() == 7)
            observeInPartitions(outbox, mailer)
            #expect(try await wait(for: Order(id: 8), in: database, outbox).isComplete)
            await outbox.finish(within: .seconds(600))
        }

        @Test func `a reminder can be stored with an order, and be cancelled or made due`() async throws {
            let database = try DatabaseQueue()
            try await database.write { try $0.execute(sql: "CREATE TABLE \"order\"(id INTEGER PRIMARY KEY)") }
            let center = NativeNotificationCenter()
            let (mailer, order) = (Mailer(), Order(id: 7))
            let outbox = try await NotificationOutbox(in: database, of: center)
            let reminder = try await database.write { db in
                try order.insert(db)
                // It is received in an hour, even if the program is restarted in the meantime.
                return try outbox.post(PaymentDue(order: order.id), after: .seconds(3_600), in: db)
            }
            let wasInTime = try await outbox.cancel(reminder)
            #expect(wasInTime)
            _ = try await database.write { db in
                try outbox.post(PaymentDue(order: 8), after: .seconds(3_600), in: db)
            }
            outbox.addObserver(mailer, named: "reminders", on: .actor, for: PaymentDue.self, from: .stored) {
                me, note in
                try await me.send(OrderPlaced(number: note.order))
            }
            for scheduled in try await outbox.scheduledNotifications() where scheduled.row.name == PaymentDue.wireName {
                try await outbox.makeDue(outbox.id(of: scheduled.row))
            }
            var mails = mailer.mails.makeAsyncIterator()
            #expect(await mails.next() == 8)
            await outbox.finish(within: .seconds(600))
        }

        @Test func `one dead letter is dropped, and the other is redelivered`() async throws {
            let database = try DatabaseQueue()
            let center = NativeNotificationCenter()
            var options = OutboxOptions()
            options.deadLetterRetention = .seconds(30 * 86_400)
            options.inboxRetention = .seconds(7 * 86_400)
            let outbox = try await NotificationOutbox(in: database, of: center, options: options)
            let mailer = Mailer()
            let isMended = Lock(false)
            outbox.addObserver(
                mailer, named: "mails", on: .actor, for: OrderPlaced.self, ordered: .unordered,
                retrying: RetryPolicy([])
            ) { me, note in
                guard isMended.withLock({ $0 }) else { throw Refused() }
                try await me.send(note)
            }
            try await database.write { db in
                for number in 1...2 { try outbox.post(OrderPlaced(number: number), in: db) }
            }
            try await eventually("there are two dead letters") { try await outbox.deadLetters(for: "mails").count == 2 }
            for letter in try await outbox.deadLetters(for: "mails") {
                print(outbox.id(of: letter.row), letter.attempts, letter.error)
            }
            let poison = try #require(try await outbox.deadLetters(for: "mails").first)
            isMended.withLock { $0 = true }
            try await outbox.drop(for: "mails", positions: [poison.row.position])
            try await outbox.redrive(for: "mails")
            var mails = mailer.mails.makeAsyncIterator()
            #expect(await mails.next() == 2)
            await outbox.finish(within: .seconds(600))
        }

        @Test func `an inspector lists stored notifications, and may change them if its options permit it`()
            async throws
        {
            let center = NativeNotificationCenter()
            let outbox = try await NotificationOutbox(in: try DatabaseQueue(), of: center)
            var options = Inspector.Options()
            options.mayChangeStored = true
            let inspector = Inspector(of: center, Inspected(outbox), options: options)
            #expect(inspector.stored.mayChange)
            await eventually("the store has answered") { inspector.stored.outboxes.first?.isKnown == true }
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

    private func printMigrations() {
        for migration in PostgresOutboxStore.migrations(schema: "shop") {
            print("-- version \(migration.version)", migration.sql)
        }
        print(PostgresOutboxStore.grants(running: "shop", migrating: "shop_migrations", schema: "shop"))
    }

    private func prune(_ inbox: PostgresInbox) async throws {
        try await inbox.prune(olderThan: .seconds(7 * 86_400))
    }
#endif
