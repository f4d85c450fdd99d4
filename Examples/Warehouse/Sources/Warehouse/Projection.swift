import GRDB

/// The orders in SQLite, for who asks later. One statement at a time, in the order in which the orders were placed.
actor Projection {
    private let database: DatabaseQueue

    /// - Parameter path: The database file.
    /// - Throws: What SQLite says, if the file cannot be opened.
    init(path: String) throws {
        // The write-ahead log is on the disk when the database is closed, not after each order.
        var configuration = Configuration()
        configuration.journalMode = .wal
        database = try DatabaseQueue(path: path, configuration: configuration)
        try database.write { database in
            try database.execute(
                sql: "CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, item TEXT, quantity INTEGER)")
        }
    }

    /// Stores an order. An error stands in the receipt of who delivers, and monitors are told; the next order follows.
    func store(_ order: Order) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO orders VALUES (?, ?, ?)", arguments: [order.id, order.item, order.quantity])
        }
    }

    /// How many orders are stored.
    func count() async throws -> Int {
        try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM orders") ?? 0 }
    }
}
