import Logging
import Tidings
import TidingsOutbox

#if PostgreSQL
    /// A storage in a PostgreSQL database, which several servers can share.
    struct PostgresStorage: Storage {
        let outbox: NotificationOutbox<PostgresOutboxStore>
        private let connections: LibpqPool
        private let inbox: PostgresInbox

        /// Opens a database, which is given as a libpq connection string.
        init(_ server: String, stock: [String: Int], center: any TypedNotificationCenter) async throws {
            let connector = LibpqConnector(server)
            // A statement without an answer times out: the request is rejected, and the connection is replaced.
            connections = LibpqPool(LibpqConnector(server, timeout: .seconds(20)), size: 8)
            outbox = try await NotificationOutbox(in: connector, of: center)
            inbox = try await PostgresInbox(in: connector)
            try await connections.transaction { transaction in
                // If several servers start together, one server creates the tables, and the other servers wait.
                try await transaction.run("SELECT pg_advisory_xact_lock(hashtext('warehouse'))::text", [])
                let effects = Effects.Kind.allCases.flatMap {
                    [
                        "CREATE TABLE IF NOT EXISTS \($0)(order_id bigint NOT NULL, item text, quantity bigint)",
                        "CREATE INDEX IF NOT EXISTS \($0)_order ON \($0)(order_id)",
                    ]
                }
                for statement in [
                    "CREATE TABLE IF NOT EXISTS orders(id bigint PRIMARY KEY, item text NOT NULL, quantity bigint NOT NULL)",
                    "CREATE TABLE IF NOT EXISTS stock(item text PRIMARY KEY, pieces bigint NOT NULL)",
                ] + effects { try await transaction.run(statement, []) }
                for (item, count) in stock {
                    try await transaction.run(
                        "INSERT INTO stock VALUES($1::text, $2::text::bigint) ON CONFLICT DO NOTHING",
                        [item, "\(count)"])
                }
            }
        }

        func place(_ order: Order) async throws -> Int? {
            do {
                return try await connections.transaction { try await place(order, in: $0) }
            } catch is OutboxPostgresConnectionEnded { throw Stock.Refusal.busy }
        }

        private func place(_ order: Order, in transaction: any OutboxPostgresTransaction) async throws -> Int? {
            let (id, item, quantity) = ("\(order.id)", order.item, "\(order.quantity)")
            let new = try await transaction.run(
                """
                INSERT INTO orders VALUES($1::text::bigint, $2::text, $3::text::bigint)
                ON CONFLICT DO NOTHING RETURNING 1::text
                """, [id, item, quantity])
            if new.isEmpty {
                let known = try await transaction.run(
                    "SELECT item, quantity::text FROM orders WHERE id = $1::text::bigint", [id])
                if known != [[item, quantity]] { throw Stock.Refusal.known(order.id) }
                return nil
            }
            let left = try await transaction.run(
                """
                UPDATE stock SET pieces = pieces - $2::text::bigint WHERE item = $1::text AND pieces >= $2::text::bigint
                RETURNING pieces::text
                """, [item, quantity])
            guard let remaining = left.first?[0].flatMap(Int.init) else {
                let pieces = try await transaction.run("SELECT pieces::text FROM stock WHERE item = $1::text", [item])
                // The error is thrown inside the transaction, which rolls back the order as well.
                throw Stock.Refusal.outOfStock(remaining: pieces.first?[0].flatMap(Int.init) ?? 0)
            }
            try await outbox.post(OrderPlaced(order: order), in: transaction)
            return remaining
        }

        func add(_ effect: Effects.Kind, of delivery: some IdentifiedDelivery, _ order: Order) async throws {
            try await connections.transaction { transaction in
                _ = try await inbox.once(delivery, in: transaction) {
                    try await transaction.run(
                        "INSERT INTO \(effect) VALUES($1::text::bigint, $2::text, $3::text::bigint)",
                        ["\(order.id)", order.item, "\(order.quantity)"])
                }
            }
        }

        func fate(of id: Int) async throws -> OrderFate {
            let counts = OrderFate.counted.map {
                "(SELECT COUNT(*) FROM \($0.table) WHERE \($0.column) = $1::text::bigint)::text"
            }
            let row = try await connections.run("SELECT \(counts.joined(separator: ", "))", ["\(id)"])
            return OrderFate(id: id, row[0].map { $0.flatMap(Int.init) ?? 0 })
        }

        func count() async throws -> Int {
            try await connections.run("SELECT COUNT(*)::text FROM projected", [])[0][0].flatMap(Int.init) ?? 0
        }
    }

    extension Warehouse where Store == PostgresOutboxStore {
        /// - Parameters:
        ///   - settings: The settings of the deployment.
        ///   - server: The database, as a libpq connection string: `host=127.0.0.1 dbname=shop`.
        ///   - center: The center that connects the parts of the server. Tests pass a recording one.
        ///   - logger: The server's logger.
        /// - Throws: An error if a file can't be opened, or an error of the database.
        public init(
            _ settings: Settings, inPostgres server: String,
            center: any TypedNotificationCenter = NativeNotificationCenter(),
            logger: Logger = Logger(label: "warehouse")
        ) async throws {
            try await self.init(settings, center: center, logger: logger) {
                try await PostgresStorage(server, stock: settings.stock, center: center)
            }
        }
    }
#else
    extension Warehouse where Store == PostgresOutboxStore {
        /// Fails, because the server was built without the trait `PostgreSQL`.
        public init(_ settings: Settings, inPostgres server: String) async throws {
            throw NotBuilt(trait: "PostgreSQL")
        }
    }
#endif
