#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends the heartbeats that renew this program's leases, and receives PostgreSQL's notifications. Both use the same
/// connection, so a failed heartbeat shows that notifications may be missing.
final class PostgresHeart: Sendable {
    /// The payload that announces released observers. Other payloads are lists of names, which never contain `\u{1}`.
    static let released = "\u{1}released"

    /// The identity of this program. The `3` at the beginning shows that the program supports partitions.
    let id = "3-" + UUID().uuidString.lowercased()
    private let names: SharedTables
    private let leaseTime: Duration
    private let line: PostgresLine
    private let isPooled: Bool
    let shares = PostgresShares()
    private let receiver = Receiver()
    private let task = Lock<Task<Void, Never>?>(nil)
    private let error = Lock<(any Error)?>(nil)

    private final class Receiver: Sendable {
        let closure = Lock<(@Sendable (String?) -> Void)?>(nil)
        let ended = Lock<(@Sendable () -> Void)?>(nil)
    }

    init(
        _ connector: any OutboxPostgresConnector, _ names: SharedTables, leaseTime: Duration, timeout: Duration,
        isPooled: Bool
    ) {
        self.isPooled = isPooled
        self.names = names
        self.leaseTime = leaseTime
        // A heartbeat whose connection was cut is repeated on a new connection, so that the leases don't expire.
        line = PostgresLine(connector, timeout: timeout, isRepeatable: true) { [receiver] connection in
            if isPooled { return }
            connection.onNotification { payload in
                if payload == nil { receiver.ended.withLock { $0 }?() }
                receiver.closure.withLock { $0 }?(payload)
            }
            try await connection.run("LISTEN \(PostgresTables.quoted(names.tables.channel))", [])
        }
        let line = line
        receiver.ended.withLock { $0 = { [weak line] in Task { await line?.reset() } } }
    }

    /// Sets the closure, which receives the payload of each notification, and `nil` when some may have been missed.
    func receive(_ closure: @escaping @Sendable (String?) -> Void) { receiver.closure.withLock { $0 = closure } }

    /// Starts the heartbeats. `isNeeded` returns whether there are leases or requests, or `nil` if the store is gone.
    func start(while isNeeded: @escaping @Sendable () -> Bool?) async {
        let interval = max(.milliseconds(20), leaseTime / 4)
        let heart = Task.detached { [weak self] in
            var rest = 0
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                guard !Task.isCancelled, let self, let isNeeded = isNeeded() else { return }
                rest = isNeeded ? 0 : rest + 1
                if isNeeded || rest % 8 == 0 { try? await self.beat(isNeeded) }
            }
        }
        task.withLock { $0 = heart }
        _ = try? await line.connect()
    }

    func beat(_ isNeeded: Bool = true) async throws {
        do {
            if isNeeded {
                try await renew()
            } else {
                try await line.run("SELECT 1::text")
            }
            error.withLock { $0 = nil }
        } catch {
            self.error.withLock { $0 = error }
            throw error
        }
    }

    private func renew() async throws {
        let tables = names.tables
        let (wants, listed) = (shares.wanted, shares.listed(at: .now))
        let renewal = """
            INSERT INTO \(tables.replica)(id, expires, pid, wants) VALUES($1::text,
                clock_timestamp() + make_interval(secs => $2::text::double precision),
                CASE WHEN $3::text = 'false' THEN pg_backend_pid() END, $4::text::text[])
            ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, pid = excluded.pid, wants = excluded.wants
            """
        let values = [id, "\(leaseTime / .seconds(1))", "\(isPooled)", PostgresTables.array(listed)]
        if wants.isEmpty {
            try await line.run(renewal, values)
        } else {
            let rows = try await line.run(
                "WITH b AS (\(renewal)) \(PostgresShares.question(tables, "$1", "$5::text"))",
                values + [PostgresTables.array(wants)])
            shares.note(rows, of: id)
        }
    }

    func check() async throws { if error.withLock({ $0 != nil }) { try await beat() } }

    func stop() async {
        task.withLock { $0 }?.cancel()
        let isAlive = error.withLock { $0 == nil }
        receiver.closure.withLock { $0 = nil }
        if isAlive {
            _ = try? await line.run("DELETE FROM \(names.tables.replica) WHERE id = $1::text", [id])
            _ = try? await line.run(
                "SELECT pg_notify($1::text, $2::text)::text", [names.tables.channel, Self.released])
        }
        await line.close()
    }
}
