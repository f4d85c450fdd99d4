#if SENDING
    import Foundation
    import GRDB
    import Tidings
    import TidingsOutbox
    import TidingsRelay

    struct SendingSource<Store: OutboxStore>: Sendable {
        let center: NativeNotificationCenter
        let outbox: NotificationOutbox<Store>
        let fill: @Sendable (Int) async throws -> Void
        /// Stores a notification, and a row in the program's own table, in one transaction.
        let deliver: @Sendable (OutboxBenchmark.Placed) async throws -> StoredDelivery
    }

    /// Measures how fast a relay sends the stored notifications of an outbox to a stream on disk, and the latency at
    /// 500 transactions a second.
    struct Sending<Store: OutboxStore>: Sendable {
        let name: String
        let open: @Sendable () async throws -> SendingSource<Store>

        func measure() async throws {
            let rows = Bar.isShort ? 20_000 : 100_000
            try await Bar.hold {
                let server = try await Server(isEncrypted: false)
                try await backlog(rows, server)
                try await lateness(server)
                withExtendedLifetime(server) {}
            }
        }

        private func relay(
            _ source: SendingSource<Store>, _ server: Server, _ stream: String
        ) async throws -> (relay: NotificationRelay, running: Task<Void, Never>) {
            // Each stream has its own prefix, because NATS allows a subject in only one stream.
            var options = RelayOptions(name: "shop")
            options.subjectPrefix = stream.lowercased()
            let relay = try NotificationRelay(
                source.center, to: server.way, options: options,
                routes: [.durable(OutboxBenchmark.Placed.self, .outgoing, stream: stream)], outbox: source.outbox)
            let running = Task { await relay.run() }
            await relay.waitUntilReady()
            return (relay, running)
        }

        private func backlog(_ rows: Int, _ server: Server) async throws {
            let source = try await open()
            try await source.fill(rows)
            let began = ContinuousClock.now
            let (relay, running) = try await relay(source, server, "BACKLOG")
            let left = await source.outbox.drain(within: .seconds(200))
            let seconds = began.duration(to: .now) / .seconds(1)
            Bar.report(
                "\(name), a backlog of \(rows) sent to a stream, rows per second", Double(rows) / seconds,
                .atLeast(2_000)
            )
            Bar.report("\(name), incomplete streams", Double(left.count), .atMost(0))
            await relay.finish()
            await running.value
            await source.outbox.finish(within: .seconds(5))
        }

        private func lateness(_ server: Server) async throws {
            let source = try await open()
            let (relay, running) = try await relay(source, server, "LATE")
            var next = ContinuousClock.now
            let times = try await withThrowingTaskGroup(of: Double.self) { group in
                for number in 0..<(Bar.isShort ? 1_000 : 5_000) {
                    let delivery = try await source.deliver(OutboxBenchmark.Placed(number))
                    let committed = ContinuousClock.now
                    group.addTask {
                        // The receipt is complete when the relay has recorded the response of the stream.
                        let receipt = await delivery.receipt(within: .seconds(100))
                        if !receipt.isComplete { throw Failure(description: "\(receipt)") }
                        return committed.duration(to: .now) / .milliseconds(1)
                    }
                    next += .milliseconds(2)
                    try await Task.sleep(until: next, clock: .continuous)
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
            let words = "\(name), from the commit of a notification until the stream has it, 500 per second, ms"
            Bar.report("\(words), p50", times[times.count / 2], .atMost(20))
            Bar.report("\(words), p99", times[times.count * 99 / 100])
            await relay.finish()
            await running.value
            await source.outbox.finish(within: .seconds(5))
        }
    }

    extension Sending where Store == SQLiteOutboxStore {
        init(path: @escaping @Sendable () -> String) {
            name = "SQLite"
            open = {
                let pool = try OutboxBenchmark.open(path())
                let center = NativeNotificationCenter()
                let outbox = try await NotificationOutbox(in: pool, of: center)
                return SendingSource(center: center, outbox: outbox) { rows in
                    try await pool.write { db in
                        for number in 0..<rows { try outbox.post(OutboxBenchmark.Placed(number), in: db) }
                    }
                } deliver: { placed in
                    try await pool.write { db in
                        try OutboxBenchmark.order(db, placed.order)
                        return try outbox.deliver(placed, in: db)
                    }
                }
            }
        }
    }

    extension Sending where Store == PostgresOutboxStore {
        init(server: String) {
            name = "PostgreSQL"
            open = {
                let source = try await PostgresCosts.database(at: server, options: OutboxOptions())
                return SendingSource(center: source.center, outbox: source.outbox, fill: source.fill) { placed in
                    try await source.connection.transaction { transaction in
                        try await PostgresCosts.order(transaction, placed.order)
                        return try await source.outbox.deliver(placed, in: transaction)
                    }
                }
            }
        }
    }
#endif
