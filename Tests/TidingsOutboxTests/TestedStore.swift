import Tidings
import TidingsOutbox

#if GRDB
    import GRDB
#endif

enum TestedStore: String, Sendable, CaseIterable {
    case memory
    #if GRDB
        case sqlite
    #endif
    #if Libpq
        case postgres
    #endif

    /// The stores that are compiled in. PostgreSQL is included only if a server is available.
    static var all: [TestedStore] {
        #if Libpq
            allCases.filter { $0 != .postgres || postgresServer != nil }
        #else
            allCases
        #endif
    }

    func create() async throws -> any TestedDatabase {
        switch self {
        case .memory: return MemoryDatabase()
        #if GRDB
            case .sqlite: return try SQLiteDatabase()
        #endif
        #if Libpq
            case .postgres: return PostgresDatabase(database: try await TestDatabase())
        #endif
        }
    }
}

protocol TestedDatabase: Sendable {
    associatedtype Store: OutboxStore

    /// Opens a program's outbox. The second program uses its own connections.
    func open(_ center: any TypedNotificationCenter, isSecond: Bool) async throws -> NotificationOutbox<Store>

    /// Posts notifications in one transaction of the first program.
    func post(_ notes: [Placed], in outbox: NotificationOutbox<Store>) async throws
}

private struct MemoryDatabase: TestedDatabase {
    private let store = InMemoryOutboxStore()

    func open(_ center: any TypedNotificationCenter, isSecond: Bool) async throws
        -> NotificationOutbox<InMemoryOutboxStore>
    {
        try await NotificationOutbox(store, of: center, options: .quick)
    }

    func post(_ notes: [Placed], in outbox: NotificationOutbox<InMemoryOutboxStore>) async throws {
        for note in notes { try outbox.post(note) }
    }
}

#if GRDB
    private struct SQLiteDatabase: TestedDatabase {
        private let folder = TestFolder()
        private let pools: [DatabasePool]

        init() throws {
            let path = folder.path("shop.sqlite")
            pools = [try DatabasePool(path: path), try DatabasePool(path: path)]
        }

        func open(_ center: any TypedNotificationCenter, isSecond: Bool) async throws
            -> NotificationOutbox<SQLiteOutboxStore>
        {
            try await NotificationOutbox(in: pools[isSecond ? 1 : 0], of: center, options: .quick)
        }

        func post(_ notes: [Placed], in outbox: NotificationOutbox<SQLiteOutboxStore>) async throws {
            try await pools[0].write { db in for note in notes { try outbox.post(note, in: db) } }
        }
    }
#endif

#if Libpq
    private struct PostgresDatabase: TestedDatabase {
        let database: TestDatabase

        func open(_ center: any TypedNotificationCenter, isSecond: Bool) async throws
            -> NotificationOutbox<PostgresOutboxStore>
        {
            try await NotificationOutbox(in: database.connector, of: center, options: .quick)
        }

        func post(_ notes: [Placed], in outbox: NotificationOutbox<PostgresOutboxStore>) async throws {
            let connection = try await database.connector.open()
            try await connection.transaction { transaction in
                for note in notes { try await outbox.post(note, in: transaction) }
            }
            await connection.close()
        }
    }
#endif
