#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings

    @testable import TidingsOutbox

    @Suite(
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresGroupTests {
        @Test
        func `saving the progress of a hundred observers takes few statements, and fails for a removed observer`()
            async throws
        {
            let database = try await TestDatabase()
            let connector = CountingConnector(database.connector)
            let store = PostgresOutboxStore(connector, leaseTime: .seconds(600))
            _ = try await store.prepare()
            var sessions: [any OutboxObserverSession] = []
            // One of the names is an SQL keyword.
            let names = ["null"] + (1..<100).map { "w\($0)" }
            for name in names { sessions.append(try #require(try await store.claim(name, beginningAt: 0))) }
            try await store.remove("w7")
            connector.hold(true)
            let before = connector.count
            let saves = sessions.map { session in
                Task {
                    try await session.confirm()
                    try await session.save(OutboxProgressChange(cursor: 9))
                }
            }
            await eventually("a hundred writes wait", { store.confirms.pendingCount }, until: { $0 >= 100 })
            connector.hold(false)
            var failed: [String] = []
            for (name, save) in zip(names, saves) {
                do { _ = try await save.value } catch let error as OutboxError where error.code == .leaseLost {
                    failed.append(name)
                }
            }
            #expect(failed == ["w7"])
            // Each session confirms and saves. Without groups, this would take 200 statements.
            #expect(connector.count - before < 100)
            let known = try await store.observers()
            #expect(known.count == 99 && known.allSatisfy { $0.cursor == 9 })
            let ending = connector.count
            await withTaskGroup { group in
                for session in sessions { group.addTask { await session.end(isClean: true) } }
            }
            #expect(connector.count - ending < 100)
            let rows = try await database.connector.open().run(
                "SELECT count(*)::text FROM tidings_observer WHERE clean", [])
            #expect(rows.first?[0] == "99")
            let again = try await store.claim("null", beginningAt: 0)
            #expect(again?.beginning.cursor == 9 && again?.beginning.wasInterrupted == false)
            await again?.end(isClean: true)
            await store.stop()
        }

        @Test
        func `after a commit, observers of other types don't query the table in any replica`()
            async throws
        {
            let database = try await TestDatabase()
            let connector = CountingConnector(database.connector)
            var options = OutboxOptions()
            // Observers query only when the server notifies them.
            options.pollInterval = .seconds(3600)
            // With a short lease, the connection of the heartbeats may be replaced because the machine is slow. All
            // observers would then query the table.
            func open() async throws -> NotificationOutbox<PostgresOutboxStore> {
                try await NotificationOutbox(
                    PostgresOutboxStore(connector, leaseTime: .seconds(600)), of: NativeNotificationCenter(),
                    options: options
                )
            }
            let (here, there) = (try await open(), try await open())
            let (worker, others) = (Worker(), Others())
            for (outbox, name) in [(here, "here"), (there, "there")] {
                outbox.addObserver(others, named: name, on: .actor, for: Cancelled.self) { me, _ in me.add() }
            }
            there.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
            await eventually("the observers of both programs run") {
                !(here.runningObservers + there.runningObservers).contains(where: { $0.state != .running })
            }
            // A drain makes each observer query the table. The drains are made now, before the test counts queries.
            for outbox in [here, there] { #expect(await outbox.drain(within: .seconds(600)) == []) }
            func questions() -> Int {
                connector.statements.count { $0.contains("WHERE pos > ") && $0.contains("{\\\"test.cancelled\\\"}") }
            }
            // Some of the observers that were woken may not have queried yet.
            var (before, unchanged) = (questions(), 0)
            try await eventually("nothing queries the table any longer") {
                _ = try await here.registeredObservers()
                unchanged = questions() == before ? unchanged + 1 : 0
                before = questions()
                return unchanged >= 100
            }
            #expect(before > 0)
            let connection = try await database.connector.open()
            for number in 1...20 {
                try await connection.transaction { try await here.post(Placed(number: number), in: $0) }
                await worker.waitForAttempts(number)
            }
            #expect(questions() == before)
            try await connection.transaction { transaction in
                try await here.post(Placed(number: 21), in: transaction)
                try await here.post(Cancelled(number: 1), in: transaction)
            }
            await worker.waitForAttempts(21)
            await eventually(
                "both other observers have handled a notification", { await others.count }, until: { $0 >= 2 })
            #expect(questions() > before)
            await connection.close()
            for outbox in [here, there] { await outbox.finish(within: .seconds(600)) }
        }

        @Test
        func `progress is saved on another connection if one is lost, unless another program has claimed the observer`()
            async throws
        {
            let database = try await TestDatabase()
            let store = PostgresOutboxStore(database.connector, leaseTime: .seconds(600))
            _ = try await store.prepare()
            var sessions: [any OutboxObserverSession] = []
            for number in 0..<20 { sessions.append(try #require(try await store.claim("w\(number)", beginningAt: 0))) }
            try await database.cut()
            // The next statement on each connection finds that the connection has ended.
            _ = try? await store.last()
            try? await sessions[0].confirm()
            let other = PostgresOutboxStore(database.connector, leaseTime: .seconds(600))
            var theirs: (any OutboxObserverSession)?
            try await eventually("the observer can be claimed") {
                theirs = try await other.claim("w3", beginningAt: 0)
                return theirs != nil
            }
            let saves = sessions.map { session in Task { try await session.save(OutboxProgressChange(cursor: 9)) } }
            var lost: [Int] = []
            for (number, save) in saves.enumerated() {
                do { _ = try await save.value } catch let error as OutboxError where error.code == .leaseLost {
                    lost.append(number)
                }
            }
            #expect(lost == [3])
            try await theirs?.save(OutboxProgressChange(cursor: 11))
            for old in sessions { await old.end(isClean: true) }
            await theirs?.end(isClean: true)
            #expect(try await store.observers().map(\.cursor).sorted().suffix(2) == [9, 11])
            await other.stop()
            await store.stop()
        }
    }

    private actor Others {
        private(set) var count = 0
        func add() { count += 1 }
    }

    /// Records the statements of all connections with their values, and can make statements wait.
    final class CountingConnector: OutboxPostgresConnector {
        private struct State {
            var statements: [String] = []
            var isHeld = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let base: LibpqConnector
        private let state = Lock(State())

        init(_ base: LibpqConnector) { self.base = base }

        var statements: [String] { state.withLock { $0.statements } }
        var count: Int { statements.count }

        func hold(_ isHeld: Bool) {
            let waiting = state.withLock { state in
                state.isHeld = isHeld
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }

        fileprivate func pass(_ statement: String, _ values: [String?]) async {
            await withCheckedContinuation { continuation in
                let passes = state.withLock { state in
                    state.statements.append("\(statement) \(values.map { $0 ?? "" })")
                    if state.isHeld { state.waiting.append(continuation) }
                    return !state.isHeld
                }
                if passes { continuation.resume() }
            }
        }

        func connect() async throws -> any OutboxPostgresConnection {
            Connection(base: try await base.open(), connector: self)
        }

        private final class Connection: OutboxPostgresConnection {
            let base: LibpqConnection
            let connector: CountingConnector

            init(base: LibpqConnection, connector: CountingConnector) {
                self.base = base
                self.connector = connector
            }

            func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
                await connector.pass(statement, values)
                return try await base.run(statement, values)
            }

            func onNotification(_ receive: @escaping @Sendable (String?) -> Void) { base.onNotification(receive) }
            func close() async { await base.close() }
        }
    }
#endif
