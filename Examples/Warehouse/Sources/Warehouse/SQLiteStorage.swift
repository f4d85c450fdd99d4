import GRDB
import Tidings
import TidingsOutbox

/// A storage in a single SQLite file.
struct SQLiteStorage: Storage {
    let outbox: NotificationOutbox<SQLiteOutboxStore>
    let database: DatabasePool
    private let inbox: SQLiteInbox

    init(path: String, stock: [String: Int], center: any TypedNotificationCenter) async throws {
        var configuration = Configuration()
        // A backup, or an interactive session, can lock the database for a moment.
        configuration.busyMode = .timeout(1)
        database = try DatabasePool(path: path, configuration: configuration)
        outbox = try await NotificationOutbox(in: database, of: center)
        inbox = try await SQLiteInbox(in: database)
        try await database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS orders(id INTEGER PRIMARY KEY, item TEXT NOT NULL, quantity INTEGER NOT NULL);
                    CREATE TABLE IF NOT EXISTS stock(item TEXT PRIMARY KEY, pieces INTEGER NOT NULL) WITHOUT ROWID;
                    """)
            for (item, count) in stock {
                try db.execute(sql: "INSERT OR IGNORE INTO stock VALUES(?, ?)", arguments: [item, count])
            }
            for kind in Effects.Kind.allCases {
                try db.execute(
                    sql: """
                        CREATE TABLE IF NOT EXISTS \(kind.rawValue)(
                            number INTEGER PRIMARY KEY AUTOINCREMENT, order_id INTEGER NOT NULL, item TEXT, quantity INTEGER);
                        CREATE INDEX IF NOT EXISTS \(kind.rawValue)_order ON \(kind.rawValue)(order_id)
                        """)
            }
        }
    }

    func place(_ order: Order) async throws -> Int? {
        do {
            return try await database.write { db in
                try db.cachedStatement(sql: "INSERT OR IGNORE INTO orders VALUES(?, ?, ?)")
                    .execute(arguments: [order.id, order.item, order.quantity])
                guard db.changesCount == 1 else {
                    let known = try Row.fetchOne(db, sql: "SELECT * FROM orders WHERE id = ?", arguments: [order.id])
                    guard known?["item"] == order.item, known?["quantity"] == order.quantity else {
                        throw Stock.Refusal.known(order.id)
                    }
                    return nil
                }
                let pieces =
                    try Int.fetchOne(
                        db.cachedStatement(sql: "SELECT pieces FROM stock WHERE item = ?"), arguments: [order.item])
                    ?? 0
                // The error is thrown inside the transaction, which rolls back the order as well.
                guard pieces >= order.quantity else { throw Stock.Refusal.outOfStock(remaining: pieces) }
                try db.cachedStatement(sql: "UPDATE stock SET pieces = ? WHERE item = ?")
                    .execute(arguments: [pieces - order.quantity, order.item])
                try outbox.post(OrderPlaced(order: order), in: db)
                return pieces - order.quantity
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY { throw Stock.Refusal.busy }
    }

    func add(_ effect: Effects.Kind, of delivery: some IdentifiedDelivery, _ order: Order) async throws {
        _ = try await database.write { db in
            try inbox.once(delivery, in: db) {
                try db.cachedStatement(sql: "INSERT INTO \(effect.rawValue)(order_id, item, quantity) VALUES(?, ?, ?)")
                    .execute(arguments: [order.id, order.item, order.quantity])
            }
        }
    }

    func fate(of id: Int) async throws -> OrderFate {
        let counts = try await database.read { db in
            try OrderFate.counted.map {
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0.table) WHERE \($0.column) = ?", arguments: [id])
                    ?? 0
            }
        }
        return OrderFate(id: id, counts)
    }

    func count() async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM projected") ?? 0 }
    }
}
