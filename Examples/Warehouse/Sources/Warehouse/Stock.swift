import GRDB
import Tidings
import TidingsOutbox

/// The orders and the pieces in stock, in SQLite. It knows the outbox and the center, and nobody who listens there.
struct Stock: Sendable {
    /// Why an order is not taken.
    enum Refusal: Error, Hashable {
        /// There are not enough pieces.
        case outOfStock(remaining: Int)
        /// The number of pieces asked for is not a positive one.
        case notAQuantity(Int)
        /// There is another order of the number.
        case known(Int)
        /// The warehouse is being closed.
        case closed
        /// Somebody else has locked the database, and not let go of it in time.
        case busy
    }

    private let database: DatabasePool
    private let outbox: NotificationOutbox<SQLiteStore>
    private let center: any TypedNotificationCenter

    init(
        _ pieces: [String: Int], in database: DatabasePool, _ outbox: NotificationOutbox<SQLiteStore>,
        center: any TypedNotificationCenter
    )
        async throws
    {
        self.database = database
        self.outbox = outbox
        self.center = center
        try await database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS orders(id INTEGER PRIMARY KEY, item TEXT NOT NULL, quantity INTEGER NOT NULL);
                    CREATE TABLE IF NOT EXISTS stock(item TEXT PRIMARY KEY, pieces INTEGER NOT NULL) WITHOUT ROWID;
                    """)
            for (item, count) in pieces {
                try db.execute(sql: "INSERT OR IGNORE INTO stock VALUES(?, ?)", arguments: [item, count])
            }
        }
    }

    /// Takes an order. When this returns it is on the disk, and with it what follows from it: that is the affair of those who observe.
    ///
    /// An order that was taken is not taken a second time, so a client that has got no answer sends it again.
    func place(_ order: Order) async throws {
        guard order.quantity > 0 else { throw Refusal.notAQuantity(order.quantity) }
        let remaining: Int?
        do {
            remaining = try await database.write { db in
                try db.cachedStatement(sql: "INSERT OR IGNORE INTO orders VALUES(?, ?, ?)")
                    .execute(arguments: [order.id, order.item, order.quantity])
                guard db.changesCount == 1 else {
                    let known = try Row.fetchOne(db, sql: "SELECT * FROM orders WHERE id = ?", arguments: [order.id])
                    guard known?["item"] == order.item, known?["quantity"] == order.quantity else {
                        throw Refusal.known(order.id)
                    }
                    return nil
                }
                let pieces =
                    try Int.fetchOne(
                        db.cachedStatement(sql: "SELECT pieces FROM stock WHERE item = ?"), arguments: [order.item])
                    ?? 0
                // Thrown in the transaction, which is rolled back with the order.
                guard pieces >= order.quantity else { throw Refusal.outOfStock(remaining: pieces) }
                try db.cachedStatement(sql: "UPDATE stock SET pieces = ? WHERE item = ?")
                    .execute(arguments: [pieces - order.quantity, order.item])
                try outbox.post(OrderPlaced(order: order), in: db)
                return pieces - order.quantity
            }
        } catch let error as OutboxError where error.code == .finished {
            throw Refusal.closed
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY { throw Refusal.busy }
        if let remaining { center.post(StockChanged(item: order.item, remaining: remaining)) }
    }
}
