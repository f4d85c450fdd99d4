/// A connection that is replaced when it has ended or doesn't respond. The store keeps no state in a database session.
actor PostgresLine {
    private let connector: any OutboxPostgresConnector
    private let timeout: Duration
    private let isRepeatable: Bool
    private let prepare: @Sendable (any OutboxPostgresConnection) async throws -> Void
    private var connection: (any OutboxPostgresConnection)?
    private var making: Task<any OutboxPostgresConnection, any Error>?
    private(set) var generation = 0
    private var answeredAt = ContinuousClock.now
    private var isClosed = false

    /// After `timeout` without a response, the connection is replaced. If `isRepeatable` is true, a statement whose
    /// connection has ended is repeated on a new connection.
    init(
        _ connector: any OutboxPostgresConnector, timeout: Duration, isRepeatable: Bool = false,
        prepare: @escaping @Sendable (any OutboxPostgresConnection) async throws -> Void = { _ in }
    ) {
        self.connector = connector
        self.timeout = timeout
        self.isRepeatable = isRepeatable
        self.prepare = prepare
    }

    /// Runs a statement. If the database doesn't respond in time, throws ``OutboxError/Code/unreachable`` and replaces
    /// the connection. Statements wait for each other, so a response to any of them restarts the time limit of all.
    @discardableResult
    func run(
        _ statement: String, _ values: [String?] = [], within limit: Duration? = nil, repeating mayRepeat: Bool = true
    ) async throws -> [[String?]] {
        do {
            do { return try await runOnce(statement, values, within: limit) } catch is OutboxPostgresConnectionEnded
                where isRepeatable && mayRepeat
            { return try await runOnce(statement, values, within: limit) }
        } catch let error as OutboxPostgresConnectionEnded { throw OutboxError(.unreachable, "\(error)") }
    }

    private func runOnce(_ statement: String, _ values: [String?], within limit: Duration?) async throws -> [[String?]]
    {
        let connection = try await connected()
        do {
            let rows = try await withTimeout(limit ?? timeout, silence: { await self.silence }) {
                try await connection.run(statement, values)
            }
            answeredAt = .now
            return rows
        } catch {
            let isUnreachable = (error as? OutboxError)?.code == .unreachable
            if isUnreachable || error is OutboxPostgresConnectionEnded { drop(connection) }
            throw error
        }
    }

    private var silence: Duration { answeredAt.duration(to: .now) }

    func connect() async throws { _ = try await connected() }

    private func connected() async throws -> any OutboxPostgresConnection {
        if isClosed { throw OutboxError(.unreachable, "the outbox has ended") }
        if let connection { return connection }
        if let making { return try await making.value }
        let task = Task { [connector, prepare, timeout] in
            try await withTimeout(timeout, discarding: { await $0.close() }) {
                do {
                    let connection = try await connector.connect()
                    do { try await prepare(connection) } catch {
                        await connection.close()
                        throw error
                    }
                    return connection
                } catch let error as OutboxPostgresConnectionEnded { throw OutboxError(.unreachable, "\(error)") }
            }
        }
        making = task
        defer { making = nil }
        let made = try await task.value
        if isClosed {
            await made.close()
            throw OutboxError(.unreachable, "the outbox has ended")
        }
        connection = made
        generation += 1
        return made
    }

    private func drop(_ ended: any OutboxPostgresConnection) {
        guard let connection, connection as AnyObject === ended as AnyObject else { return }
        self.connection = nil
        Task { await ended.close() }
    }

    func reset() {
        if let connection { drop(connection) }
    }

    func close() async {
        isClosed = true
        let ended = connection.take()
        guard let ended else { return }
        // Closing a connection that doesn't respond may never return.
        _ = try? await withTimeout(timeout) { await ended.close() }
    }
}

/// The error that an ``OutboxPostgresConnection`` throws for a statement if the connection to PostgreSQL has ended.
public struct OutboxPostgresConnectionEnded: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason as text.
    public let description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }
}
