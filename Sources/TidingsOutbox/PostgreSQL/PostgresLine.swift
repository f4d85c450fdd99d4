import Tidings

/// A connection that is made when it is needed, and made anew when it has ended. Its statements wait for each other.
actor PostgresLine {
    private let connector: any OutboxPostgresConnector
    private let prepare: @Sendable (any OutboxPostgresConnection) async throws -> Void
    private var connection: (any OutboxPostgresConnection)?
    private var making: Task<any OutboxPostgresConnection, any Error>?
    /// How many connections there have been: a lock of a session ends with its connection.
    private(set) var number = 0
    private var isClosed = false

    /// - Parameters:
    ///   - connector: Makes connections.
    ///   - prepare: Prepares a new one.
    init(
        _ connector: any OutboxPostgresConnector,
        prepare: @escaping @Sendable (any OutboxPostgresConnection) async throws -> Void = { _ in }
    ) {
        self.connector = connector
        self.prepare = prepare
    }

    /// Runs a statement on the connection with a number, or on any one.
    ///
    /// - Throws: ``OutboxError/Code/leaseLost`` if that connection has ended.
    @discardableResult
    func run(_ statement: String, _ values: [String?] = [], on wanted: Int? = nil) async throws -> [[String?]] {
        if let wanted, wanted != number || connection == nil {
            throw OutboxError(.leaseLost, "the connection to the database has ended")
        }
        let connection = try await connected()
        if let wanted, wanted != number { throw OutboxError(.leaseLost, "the connection to the database has ended") }
        do { return try await connection.run(statement, values) } catch let error as OutboxPostgresConnectionEnded {
            drop(connection)
            if wanted != nil { throw OutboxError(.leaseLost, "\(error)") }
            throw OutboxError(.unreachable, "\(error)")
        }
    }

    /// Has a connection, and says which one it is.
    func connect() async throws -> Int {
        _ = try await connected()
        return number
    }

    private func connected() async throws -> any OutboxPostgresConnection {
        if isClosed { throw OutboxError(.unreachable, "the outbox has ended") }
        if let connection { return connection }
        if let making { return try await making.value }
        let task = Task { [connector, prepare] in
            let connection = try await connector.connect()
            do { try await prepare(connection) } catch {
                await connection.close()
                throw error
            }
            return connection
        }
        making = task
        defer { making = nil }
        let made = try await task.value
        if isClosed {
            await made.close()
            throw OutboxError(.unreachable, "the outbox has ended")
        }
        number += 1
        connection = made
        return made
    }

    private func drop(_ ended: any OutboxPostgresConnection) {
        guard let connection, connection as AnyObject === ended as AnyObject else { return }
        self.connection = nil
        Task { await ended.close() }
    }

    /// Notes that the connection has ended, as it was told by itself.
    func reset() {
        if let connection { drop(connection) }
    }

    func close() async {
        isClosed = true
        await connection?.close()
        connection = nil
    }
}

/// A connection to PostgreSQL has ended. A ``OutboxPostgresConnection`` throws it for a statement that it cannot run for that reason.
public struct OutboxPostgresConnectionEnded: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why, in words.
    public let description: String

    /// Describes the end of a connection.
    ///
    /// - Parameter description: Why, in words.
    public init(_ description: String) { self.description = description }
}
