#if NATS
    import Foundation
    import TidingsRelay

    #if GRDB
        import GRDB
    #endif
    #if GRDB || Libpq
        import TidingsOutbox
    #endif

    /// The tests declare a notification with the same wire name.
    struct Tick: RemoteNotification {
        static let wireName = "test.tick"
        let poster: Int
        let number: Int
    }

    struct Tock: RemoteNotification {
        static let wireName = "test.tock"
        let number: Int
    }

    struct Ping: RemoteNotification {
        static let wireName = "test.ping"
        let poster: Int
        let number: Int
    }

    func write(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    /// Returns the server for an address. A `#` and the path of the trusted certificates may follow the address.
    func server(_ address: String) -> NATSServer {
        let parts = address.split(separator: "#").map(String.init)
        var server = NATSServer(parts[0])
        guard parts.count > 1 else { return server }
        server.encryption = NATSServer.Encryption()
        server.encryption?.authorities = parts[1]
        return server
    }

    /// Consumes ticks and prints their numbers. At the last tick, the program hangs until it is killed.
    func consume(_ address: String, last: Int) async throws {
        let center = NativeNotificationCenter()
        var options = RelayOptions(name: "probe")
        options.acknowledgementTime = .seconds(1)
        let relay = try NotificationRelay(
            center, to: server(address), options: options,
            routes: [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
        let token = center.addObserver(for: RelayedNotification<Tick>.self) { received in
            // The output isn't buffered, so the test sees the number even if the program is killed.
            write("\(received.notification.number)\(received.origin.deliveryCount > 1 ? " again" : "")")
            if received.notification.number == last { while true { pause() } }
        }
        await relay.run()
        withExtendedLifetime(token) {}
    }

    /// Consumes ticks, prints their numbers, and crashes at the tick with a given number.
    func crash(_ address: String, at number: Int, group: String?) async throws {
        let center = NativeNotificationCenter()
        var options = RelayOptions(name: "probe")
        options.acknowledgementTime = .milliseconds(500)
        options.retryPolicy = [.milliseconds(10), .milliseconds(10)]
        let relay = try NotificationRelay(
            center, to: server(address), options: options,
            routes: [.durable(Tick.self, .incoming, stream: "TICKS", group: group, from: .stored)])
        let tokens = [
            center.addObserver(for: RelayFault.self) { fault in
                if fault.kind == .programLost || fault.kind == .deadLetter { write("\(fault)") }
            },
            center.addObserver(for: RelayedNotification<Tick>.self) { received in
                write("\(received.notification.number)")
                if received.notification.number != number { return }
                write("delivery \(received.origin.deliveryCount)")
                _exit(7)
            },
        ]
        await relay.run()
        withExtendedLifetime(tokens) {}
    }

    func mirror(_ address: String, _ mode: RelayEventMode) async throws {
        let center = NativeNotificationCenter()
        var options = RelayOptions(name: "mirror")
        options.eventMode = mode
        let relay = try NotificationRelay(
            center, to: NATSServer(address), options: options,
            routes: [.transient(Tick.self, .incoming), .transient(Tock.self, .outgoing)])
        let tokens = [
            center.addObserver(for: Tick.self) { center.post(Tock(number: $0.number)) },
            center.addObserver(for: RelayFault.self) { fault in write("\(fault)") },
        ]
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        write("ready")
        await running.value
        withExtendedLifetime(tokens) {}
    }

    /// Returns `nil` at the end of the input.
    func read() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }

    /// Relays ticks durably and pings transiently, in both directions. The program prints the notifications it
    /// receives, posts `count` notifications of each type for each line it reads, and stops at the end of its input.
    func exchange(_ address: String, _ poster: Int, _ count: Int) async throws {
        let center = NativeNotificationCenter()
        let relay = try NotificationRelay(
            center, to: NATSServer(address), as: "program-\(poster)",
            routes: [.durable(Tick.self, stream: "TICKS"), .transient(Ping.self)])
        let tokens = [
            center.addObserver(for: Tick.self) { write("tick \($0.poster) \($0.number)") },
            center.addObserver(for: Ping.self) { write("ping \($0.poster) \($0.number)") },
            center.addObserver(for: RelayFault.self) { fault in write("\(fault)") },
        ]
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        write("ready")
        while await read() != nil {
            for number in 0..<count {
                center.post(Tick(poster: poster, number: number))
                center.post(Ping(poster: poster, number: number))
            }
        }
        await relay.finish()
        await running.value
        withExtendedLifetime(tokens) {}
    }

    #if GRDB
        /// Stores ticks in a database and relays them from there until the program is killed. If `isLast` is true, the
        /// program only relays the remaining ticks. It then prints the number of durable observers that haven't
        /// finished, and the number of ticks that were ever stored.
        func store(_ address: String, in path: String, isLast: Bool) async throws {
            let database = try DatabasePool(path: path)
            let center = NativeNotificationCenter()
            let outbox = try await NotificationOutbox(in: database, of: center)
            let relay = try NotificationRelay(
                center, to: NATSServer(address), as: "probe", routes: [.durable(Tick.self, .outgoing, stream: "TICKS")],
                outbox: outbox)
            let tokens = [
                center.addObserver(for: RelayFault.self) { fault in write("\(fault)") },
                center.addObserver(for: OutboxFault.self) { fault in write("\(fault)") },
            ]
            let running = Task { await relay.run() }
            try await database.write { db in
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS ticks(number INTEGER PRIMARY KEY AUTOINCREMENT)")
            }
            while !isLast {
                let number = try await database.write { db in
                    try db.execute(sql: "INSERT INTO ticks DEFAULT VALUES")
                    let number = Int(db.lastInsertedRowID)
                    try outbox.post(Tick(poster: 1, number: number), in: db)
                    return number
                }
                if number % 50 == 0 { write("stored \(number)") }
                // This transaction is rolled back, so no observer may receive its notification.
                try? await database.write { db in
                    try outbox.post(Tick(poster: 2, number: 0), in: db)
                    throw CancellationError()
                }
            }
            let left = await outbox.finish(within: .seconds(600))
            let count = try await database.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM ticks") }
            await relay.finish()
            await running.value
            write("\(left.count) left of \(count ?? 0)")
            withExtendedLifetime(tokens) {}
        }
    #endif

    #if Libpq
        /// Stores ticks in PostgreSQL until the program is killed. This program, or another program with the same
        /// database, relays the ticks. After every 20 ticks, the program prints whether it relays them. If `poster` is
        /// 0, the program only relays the remaining ticks.
        func share(_ address: String, in parameters: String, poster: Int) async throws {
            let center = NativeNotificationCenter()
            var options = OutboxOptions()
            options.claimInterval = .milliseconds(50)
            let connector = LibpqConnector(parameters)
            let outbox = try await NotificationOutbox(
                PostgresOutboxStore(connector, leaseTime: .seconds(5)), of: center, options: options)
            let relay = try NotificationRelay(
                center, to: server(address), as: "probe", routes: [.durable(Tick.self, .outgoing, stream: "TICKS")],
                outbox: outbox)
            let tokens = [
                center.addObserver(for: RelayFault.self) { fault in write("\(fault)") },
                center.addObserver(for: OutboxFault.self) { fault in write("\(fault)") },
            ]
            let running = Task { await relay.run() }
            let connection = try await connector.open()
            while poster > 0 {
                for _ in 0..<20 {
                    try await connection.transaction { transaction in
                        let rows = try await transaction.run(
                            "INSERT INTO ticks(poster) VALUES($1::text::int) RETURNING number::text", ["\(poster)"])
                        let number = rows.first?.first.flatMap { $0.flatMap { Int($0) } } ?? 0
                        try await outbox.post(Tick(poster: poster, number: number), in: transaction)
                    }
                    // This transaction is rolled back, so no observer may receive its notification.
                    try? await connection.transaction { transaction in
                        try await outbox.post(Tick(poster: poster, number: 0), in: transaction)
                        throw CancellationError()
                    }
                }
                write(outbox.runningObservers.contains { $0.state == .running } ? "sends" : "stores")
            }
            let left = await outbox.finish(within: .seconds(600))
            await relay.finish()
            await running.value
            write("\(left.count) left")
            withExtendedLifetime(tokens) {}
        }
    #endif

    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.count) {
    case ("consume", 3): try await consume(arguments[2], last: Int(arguments[3]) ?? 0)
    case ("crash", 3...4):
        try await crash(arguments[2], at: Int(arguments[3]) ?? 0, group: arguments.count > 3 ? arguments[4] : nil)
    case ("exchange", 4): try await exchange(arguments[2], Int(arguments[3]) ?? 0, Int(arguments[4]) ?? 0)
    #if GRDB
        case ("store", 3): try await store(arguments[2], in: arguments[3], isLast: false)
        case ("send", 3): try await store(arguments[2], in: arguments[3], isLast: true)
    #endif
    #if Libpq
        case ("share", 4): try await share(arguments[2], in: arguments[3], poster: Int(arguments[4]) ?? 0)
    #endif
    case ("mirror", 3): try await mirror(arguments[2], arguments[3] == "binary" ? .binary : .structured)
    default:
        write(
            """
            usage: RelayProbe consume ADDRESS LAST | crash ADDRESS NUMBER [GROUP] | mirror ADDRESS MODE
                | exchange ADDRESS POSTER COUNT | store ADDRESS PATH | send ADDRESS PATH
                | share ADDRESS PARAMETERS POSTER
            store and send require the trait GRDB, and share requires the trait Libpq.
            """)
    }
#endif
