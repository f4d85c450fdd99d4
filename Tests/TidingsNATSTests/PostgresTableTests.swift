#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox
    import TidingsTesting

    @testable import TidingsRelay

    /// The libpq parameters of the server that `.ci/steps/65-relay` starts, without the name of a database.
    private let postgres = ProcessInfo.processInfo.environment["TIDINGS_POSTGRES"]

    private struct TickDatabase: Sendable {
        let parameters: String
        let connection: LibpqConnection

        init() async throws {
            let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
            let admin = try await LibpqConnector("\(postgres ?? "") dbname=postgres").open()
            try await admin.run("CREATE DATABASE \(name)", [])
            await admin.close()
            parameters = "\(postgres ?? "") dbname=\(name)"
            connection = try await LibpqConnector(parameters).open()
            try await connection.run("CREATE TABLE ticks(number bigserial PRIMARY KEY, poster integer NOT NULL)", [])
        }

        func ticks() async throws -> Set<Tick> {
            let rows = try await connection.run("SELECT poster::text, number::text FROM ticks", [])
            return Set(
                rows.compactMap { row in
                    guard let poster = row[0].flatMap({ Int($0) }), let number = row[1].flatMap({ Int($0) }) else {
                        return nil
                    }
                    return Tick(poster: poster, number: number)
                })
        }
    }

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgres != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresTableTests {
        private let office: RelayedProgram
        private let server: ServerProcess

        init() async throws {
            server = try ServerProcess()
            try await server.start()
            office = try RelayedProgram(
                "office", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
            await office.relay.waitUntilReady()
        }

        /// Sends the remaining rows, and checks that the stream has each committed row once and in order.
        private func hold(_ database: TickDatabase, atLeast count: Int) async throws {
            let last = try RelayProbe("share", server.address, database.parameters, "0")
            await last.wait { lines in lines.contains { $0.hasSuffix("left") } }
            #expect(last.lines.last == "0 left")
            #expect(try await last.end() == 0)
            let committed = try await database.ticks()
            await office.received.wait(for: committed.count)
            #expect(committed.count >= count && Set(office.received.values) == committed)
            #expect(office.received.count == committed.count)
            for poster in Set(committed.map(\.poster)) {
                let numbers = office.received.values.filter { $0.poster == poster }.map(\.number)
                #expect(numbers == numbers.sorted(), "the order of poster \(poster)")
            }
            // The office drops copies, so the number of messages in the stream is checked separately.
            let stored = try await office.ask("STREAM.INFO.TICKS")?.object("state")?.number("messages")
            #expect(stored == committed.count)
            print("\(committed.count) rows were committed in PostgreSQL, and each is in the stream once")
            await office.stop()
            await database.connection.close()
        }

        @Test
        func `each committed row is in the stream once and in order even if the program or the NATS server is killed`()
            async throws
        {
            let database = try await TickDatabase()
            for run in 1...RelayTrials.runs * 5 {
                let probe = try RelayProbe("share", server.address, database.parameters, "1")
                if run % 3 == 2 { await server.kill9() }
                await probe.wait { lines in lines.count { $0 == "sends" || $0 == "stores" } >= 8 }
                if run % 3 == 2 {
                    try await server.start()
                } else {
                    await office.received.wait(for: office.received.count + 1)
                }
                await probe.kill9()
            }
            try await hold(database, atLeast: 500)
        }

        @Test
        func `each committed row is sent once even if the sending program is killed repeatedly`() async throws {
            let database = try await TickDatabase()
            var probes = [1, 2].map { try? RelayProbe("share", server.address, database.parameters, "\($0)") }
            for _ in 1...RelayTrials.runs * 5 {
                var victim: Int?
                while victim == nil {
                    victim = probes.firstIndex { $0?.lines.last { $0 == "sends" || $0 == "stores" } == "sends" }
                    await Task.yield()
                }
                guard let victim else { return }
                await office.received.wait(for: office.received.count + 50)
                await probes[victim]?.kill9()
                let (other, before) = (probes[1 - victim], probes[1 - victim]?.lines.count ?? 0)
                await other?.wait { lines in lines.dropFirst(before).contains("sends") }
                await office.received.wait(for: office.received.count + 50)
                probes[victim] = try RelayProbe("share", server.address, database.parameters, "\(victim + 1)")
            }
            for probe in probes { await probe?.kill9() }
            try await hold(database, atLeast: 500)
        }

        private final class Replica: Sendable {
            let outbox: NotificationOutbox<PostgresOutboxStore>
            let connector: CuttableConnector
            let faults = ReceivedValues<RelayFault>()
            private let relay: NotificationRelay
            private let running: Task<Void, Never>
            private let token: NotificationToken

            init(_ database: TickDatabase, _ server: ServerProcess) async throws {
                var (own, options) = (RelayOptions(name: "probe"), OutboxOptions())
                own.handOverTime = .milliseconds(500)
                options.claimInterval = .milliseconds(50)
                let center = NativeNotificationCenter()
                outbox = try await NotificationOutbox(
                    in: LibpqConnector(database.parameters), of: center, options: options)
                connector = CuttableConnector(NATSConnector(server: server.way, name: "probe"))
                let relay = try NotificationRelay(
                    center, connector: connector, options: own,
                    routes: [.durable(Tick.self, .outgoing, stream: "TICKS")], outbox: outbox)
                self.relay = relay
                token = center.addObserver(for: RelayFault.self) { [faults] in faults.append($0) }
                running = Task { await relay.run() }
            }

            var isHere: Bool { outbox.runningObservers.first?.state == .running }

            func stop() async {
                await relay.finish()
                await outbox.finish(within: .zero)
                await running.value
            }
        }

        @Test func `if a replica with the outbox's lease loses its NATS connection, a connected replica takes over`()
            async throws
        {
            let database = try await TickDatabase()
            let first = try await Replica(database, server)
            await eventually("the first replica holds the lease") { first.isHere }
            let second = try await Replica(database, server)
            var number = 0
            func post(_ replica: Replica, _ count: Int) async throws {
                for _ in 0..<count {
                    number += 1
                    let tick = Tick(poster: 1, number: number)
                    try await database.connection.transaction { try await replica.outbox.post(tick, in: $0) }
                }
            }
            try await post(first, 20)
            await office.received.wait(for: 20)
            for _ in 1...3 {
                // Either replica may hold the lease, because a replica that connects slowly releases it.
                await eventually("one replica holds the lease", { first.isHere }, until: { $0 != second.isHere })
                let (cut, other) = first.isHere ? (first, second) : (second, first)
                cut.connector.cut()
                try await post(cut, 100)
                try await post(other, 100)
                await office.received.wait(for: number)
                // The disconnected replica may claim the lease again before the other one does. It then releases the
                // lease again.
                await eventually("the other replica holds the lease") { other.isHere && !cut.isHere }
                await eventually("the disconnected replica releases the lease") {
                    cut.faults.values.contains(where: { $0.kind == .outboxReleased })
                }
                cut.connector.mend()
            }
            #expect(office.received.values.map(\.number) == Array(1...number))
            let stored = try await office.ask("STREAM.INFO.TICKS")?.object("state")?.number("messages")
            #expect(stored == number)
            for replica in [first, second] { await replica.stop() }
            await office.stop()
            await database.connection.close()
        }
    }

    private final class CuttableConnector: LinkConnector {
        private struct State {
            var isCut = false
            var links: [any Link] = []
        }
        private let base: any LinkConnector
        private let state = Lock(State())

        init(_ base: any LinkConnector) { self.base = base }

        func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
            func refuse() throws(RelayFault) {
                if state.withLock({ $0.isCut }) { throw RelayFault(.cannotConnect, "cut") }
            }
            try refuse()
            let link = try await base.connect(report)
            state.withLock { $0.links.append(link) }
            try refuse()
            return link
        }

        func cut() {
            let links = state.withLock { state in
                state.isCut = true
                defer { state.links = [] }
                return state.links
            }
            for link in links { link.close() }
        }

        func mend() { state.withLock { $0.isCut = false } }
    }
#endif
