#if GRDB
    import Foundation
    import GRDB
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    @testable import TidingsRelay

    func sendFromTable(
        _ center: NativeNotificationCenter, _ database: DatabasePool, to server: NATSServer
    ) async throws -> NotificationRelay {
        let outbox = try await NotificationOutbox(in: database, of: center)
        let relay = try NotificationRelay(
            center, to: server, as: "shop", routes: [.durable(OrderPlaced.self, .outgoing, stream: "ORDERS")],
            outbox: outbox)
        return relay
    }

    @Suite(.timeLimit(.ofServers)) struct TableTests {
        @Test
        func
            `even if the program or the server is killed, each committed row is in the stream once and in order`()
            async throws
        {
            let server = try ServerProcess()
            try await server.start()
            let folder = FileManager.default.temporaryDirectory.appending(path: "table-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "db.sqlite").path(percentEncoded: false)
            let office = try RelayedProgram(
                "office", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
            await office.relay.waitUntilReady()
            var sizes: [Int] = []
            for run in 1...RelayTrials.runs * 5 {
                let probe = try RelayProbe("store", server.address, path)
                // While the server is down, rows are stored but not sent.
                if run % 3 == 2 { await server.kill9() }
                await probe.wait { lines in lines.count { $0.hasPrefix("stored") } >= 4 }
                if run % 3 == 2 {
                    try await server.start()
                } else {
                    await office.received.wait(for: office.received.count + 1)
                }
                await probe.kill9()
                sizes.append(office.received.count)
            }
            let last = try RelayProbe("send", server.address, path)
            await last.wait { lines in lines.contains { $0.contains("left of") } }
            let words = try #require(last.lines.last { $0.contains("left of") })
            #expect(try await last.end() == 0)
            let count = try #require(words.split(separator: " ").last.flatMap { Int($0) })
            #expect(words.hasPrefix("0 left of") && count >= 1000)
            await office.received.wait(for: count)
            #expect(office.received.values.map(\.number) == Array(1...count))
            #expect(office.received.values.allSatisfy { $0.poster == 1 })
            // The office drops copies, so the number of messages in the stream is checked separately.
            let stored = try await office.ask("STREAM.INFO.TICKS")?.object("state")?.number("messages")
            #expect(stored == count)
            print("\(count) rows were committed, and the numbers that had arrived at each kill are \(sizes)")
            await office.stop()
        }
    }
#endif
