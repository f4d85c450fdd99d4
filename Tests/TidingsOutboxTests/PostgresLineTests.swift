import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsOutbox

/// Tests of `PostgresLine`, a connection that is replaced when it has ended. They need no server.
@Suite(.timeLimit(.minutes(2))) struct PostgresLineTests {
    private final class Connector: OutboxPostgresConnector {
        let opened = ReceivedValues<Connection>()
        /// New connections open only when this gate is open.
        let gate = Gate()

        func connect() async throws -> any OutboxPostgresConnection {
            let connection = Connection()
            opened.append(connection)
            await gate.wait()
            return connection
        }
    }

    private final class Connection: OutboxPostgresConnection {
        let statements = ReceivedValues<String>()
        let closed = Gate()
        /// How many of the next statements fail as if the connection had ended.
        let failures = Lock(0)

        func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
            statements.append(statement)
            let fails = failures.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
            if fails { throw OutboxPostgresConnectionEnded("cut") }
            return [[statement]]
        }

        func onNotification(_ receive: @escaping @Sendable (String?) -> Void) {}
        func close() async { closed.open() }
    }

    private let connector = Connector()

    private func line(isRepeatable: Bool = false) -> PostgresLine {
        PostgresLine(connector, timeout: .seconds(3600), isRepeatable: isRepeatable)
    }

    @Test func `a line opens one connection and keeps it`() async throws {
        connector.gate.open()
        let line = line()
        #expect(try await line.run("a") == [["a"]])
        #expect(try await line.run("b") == [["b"]])
        #expect(connector.opened.values.map(\.statements.values) == [["a", "b"]])
        #expect(await line.generation == 1)
        await line.close()
        #expect(connector.opened.values.allSatisfy { $0.closed.isOpen })
    }

    @Test func `a closed line runs nothing, and opens no connection`() async throws {
        connector.gate.open()
        let line = line(isRepeatable: true)
        await line.close()
        let error = await #expect(throws: OutboxError.self) { try await line.run("a") }
        #expect(error?.code == .unreachable && error?.description.contains("has ended") == true)
        await #expect(throws: OutboxError.self) { try await line.connect() }
        #expect(connector.opened.values.isEmpty)
    }

    @Test func `if a line is closed while it connects, the new connection is closed and runs nothing`() async throws {
        let line = line()
        let running = Task { try await line.run("a") }
        await connector.opened.wait(for: 1)
        await line.close()
        connector.gate.open()
        await #expect(throws: OutboxError.self) { try await running.value }
        await connector.opened.values[0].closed.wait()
        #expect(connector.opened.values[0].statements.values == [])
    }

    @Test(arguments: [true, false])
    func `a statement is repeated on a new connection only if the statements of the line may run twice`(
        isRepeatable: Bool
    ) async throws {
        connector.gate.open()
        let line = line(isRepeatable: isRepeatable)
        try await line.connect()
        connector.opened.values[0].failures.withLock { $0 = 1 }
        if isRepeatable {
            #expect(try await line.run("a") == [["a"]])
            #expect(connector.opened.values[1].statements.values == ["a"])
        } else {
            let error = await #expect(throws: OutboxError.self) { try await line.run("a") }
            #expect(error?.code == .unreachable)
        }
        #expect(connector.opened.values[0].statements.values == ["a"])
        await connector.opened.values[0].closed.wait()
        #expect(try await line.run("b") == [["b"]])
        #expect(connector.opened.count == 2)
        #expect(await line.generation == 2)
        await line.close()
    }

    @Test func `a statement that must not run twice isn't repeated, even on a line that repeats statements`()
        async throws
    {
        connector.gate.open()
        let line = line(isRepeatable: true)
        try await line.connect()
        connector.opened.values[0].failures.withLock { $0 = 1 }
        await #expect(throws: OutboxError.self) { try await line.run("a", repeating: false) }
        #expect(connector.opened.count == 1)
        await line.close()
    }

    @Test func `a connection whose preparation fails is closed`() async throws {
        connector.gate.open()
        let line = PostgresLine(connector, timeout: .seconds(3600)) { _ in throw Refused() }
        await #expect(throws: Refused.self) { try await line.run("a") }
        #expect(connector.opened.values[0].closed.isOpen)
        #expect(await line.generation == 0)
        await line.close()
    }
}
