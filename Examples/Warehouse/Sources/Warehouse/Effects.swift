import GRDB
import TidingsOutbox

/// What follows from orders, in SQLite: each effect in one transaction with the note that it has happened, so it happens once.
actor Effects {
    /// A table of effects.
    enum Kind: String, CaseIterable, Sendable {
        case projected, audited, mailed, sent
    }

    /// What an effect does outside the database, such as to send the mail. What throws is tried again, and it may happen twice if the
    /// server dies before it is noted.
    typealias Outside = @Sendable (Order) async throws -> Void

    private let kind: Kind
    private let database: DatabasePool
    private let inbox: SQLiteInbox
    private let outside: Outside?

    init(_ kind: Kind, in database: DatabasePool, _ inbox: SQLiteInbox, outside: Outside?) async throws {
        self.kind = kind
        self.database = database
        self.inbox = inbox
        self.outside = outside
        try await database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS \(kind.rawValue)(
                        number INTEGER PRIMARY KEY AUTOINCREMENT, order_id INTEGER NOT NULL, item TEXT, quantity INTEGER);
                    CREATE INDEX IF NOT EXISTS \(kind.rawValue)_order ON \(kind.rawValue)(order_id)
                    """)
        }
    }

    /// Adds an order to the table, once.
    func add(_ stored: StoredNotification<OrderPlaced>) async throws {
        let (order, kind, inbox) = (stored.notification.order, kind, inbox)
        try await outside?(order)
        _ = try await database.write { db in
            try inbox.once(stored, in: db) {
                try db.cachedStatement(sql: "INSERT INTO \(kind.rawValue)(order_id, item, quantity) VALUES(?, ?, ?)")
                    .execute(arguments: [order.id, order.item, order.quantity])
            }
        }
    }
}

/// What became of an order: how often each thing has happened to it.
struct OrderFate: Codable, Hashable, Sendable {
    let id: Int
    var stored = 0, projected = 0, audited = 0, mailed = 0, sent = 0

    init(of id: Int, in database: any DatabaseReader) async throws {
        self.id = id
        let counts = try await database.read { db in
            try (["orders WHERE id = ?"] + Effects.Kind.allCases.map { "\($0.rawValue) WHERE order_id = ?" }).map {
                try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \($0)", arguments: [id]) ?? 0
            }
        }
        (stored, projected, audited, mailed, sent) = (counts[0], counts[1], counts[2], counts[3], counts[4])
    }
}
