#if Libpq
    import Tidings
    import TidingsOutbox

    /// A PostgreSQL database and a program that uses it. The program dies by losing all of its connections.
    struct PostgresSurvival: SurvivalDatabase {
        private let database: TestDatabase
        private let connector: CuttingConnector
        private let typed: NotificationOutbox<PostgresOutboxStore>
        private let inbox: PostgresInbox
        private let posts: Line, work: Line
        var outbox: any SurvivalOutbox { typed }
        let hasInbox = true

        /// A connection for transactions. ``goAway()`` closes it. After ``comeBack()``, ``get()`` opens a new one.
        private actor Line {
            private let database: TestDatabase
            private var connection: LibpqConnection?
            private var isAway = false

            init(_ database: TestDatabase) { self.database = database }

            func get() async throws -> LibpqConnection {
                if isAway { throw OutboxPostgresConnectionEnded("the server is away") }
                if let connection { return connection }
                let made = try await database.connector.open()
                if isAway {
                    await made.close()
                    throw OutboxPostgresConnectionEnded("the server is away")
                }
                connection = made
                return made
            }

            func goAway() async {
                isAway = true
                await connection?.close()
                connection = nil
            }

            func comeBack() { isAway = false }
        }

        init(_ center: NativeNotificationCenter, _ database: TestDatabase) async throws {
            self.database = database
            connector = CuttingConnector(database.connector)
            (posts, work) = (Line(database), Line(database))
            typed = try await NotificationOutbox(
                PostgresOutboxStore(connector, leaseTime: .seconds(60)), of: center, options: .quick)
            inbox = try await PostgresInbox(in: database.connector)
            try await work.get().run(
                "CREATE TABLE IF NOT EXISTS effects(id bigserial PRIMARY KEY, number bigint NOT NULL)", [])
        }

        func post(_ number: Int) async throws {
            try await posts.get().transaction { try await typed.post(Placed(number: number), in: $0) }
        }

        func rollBack(_ number: Int) async throws {
            try? await posts.get().transaction { transaction in
                try await typed.post(Placed(number: number), in: transaction)
                throw Refused()
            }
        }

        func effect(of stored: StoredNotification<Placed>) async throws {
            try await work.get().transaction { transaction in
                _ = try await inbox.once(stored, in: transaction) {
                    try await transaction.run(
                        "INSERT INTO effects(number) VALUES($1::text::bigint)", ["\(stored.notification.number)"])
                }
            }
        }

        func effects() async throws -> [Int] {
            let connection = try await database.connector.open()
            let rows = try await connection.run("SELECT number::text FROM effects ORDER BY effects.id", [])
            await connection.close()
            return rows.compactMap { $0[0].flatMap(Int.init) }
        }

        func goAway() async {
            await connector.goAway()
            await posts.goAway()
            await work.goAway()
        }

        func comeBack() async {
            await posts.comeBack()
            await work.comeBack()
            connector.comeBack()
        }

        func die() async { await goAway() }

        func dieBeforeCommit(of number: Int) async throws {
            let connection = try await posts.get()
            try await connection.run("BEGIN", [])
            try await typed.post(Placed(number: number), in: connection)
            await die()
        }

        func dieAfterCommit(of number: Int) async throws {
            let connection = try await posts.get()
            try await connection.run("BEGIN", [])
            // The outbox isn't notified of the commit.
            try await typed.post(Placed(number: number), in: Untold(connection: connection))
            try await connection.run("COMMIT", [])
            await die()
        }

        func next(_ center: NativeNotificationCenter) async throws -> any SurvivalDatabase {
            try await PostgresSurvival(center, database)
        }
    }
#endif
