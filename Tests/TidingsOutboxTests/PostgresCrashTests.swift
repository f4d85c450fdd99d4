#if Libpq
    import Foundation
    import Testing
    import Tidings
    import TidingsOutbox

    /// Cuts a connection at one statement, before or after the server has run it, as a network does.
    private final class CuttingConnector: PostgresConnector {
        private struct State {
            var left: Int?
            var isCutAfter = false
        }

        private let base: LibpqConnector
        private let state = Lock(State())

        init(_ base: LibpqConnector) { self.base = base }

        /// Has the connection cut that runs a statement, counted from now.
        func cut(at statement: Int?, after: Bool) { state.withLock { $0 = State(left: statement, isCutAfter: after) } }

        /// Whether there were not as many statements.
        var isWaiting: Bool { state.withLock { $0.left != nil } }

        func connect() async throws -> any PostgresConnection {
            Connection(base: try await base.open(), connector: self)
        }

        private func turn() -> (isCut: Bool, after: Bool) {
            state.withLock { state in
                guard let left = state.left else { return (false, false) }
                state.left = left > 1 ? left - 1 : nil
                return (left == 1, state.isCutAfter)
            }
        }

        private final class Connection: PostgresConnection {
            let base: LibpqConnection
            let connector: CuttingConnector

            init(base: LibpqConnection, connector: CuttingConnector) {
                self.base = base
                self.connector = connector
            }

            func run(_ statement: String, _ values: [String?]) async throws -> [[String?]] {
                let (isCut, after) = connector.turn()
                if isCut {
                    if after { _ = try? await base.run(statement, values) }
                    await base.close()
                    throw PostgresConnectionEnded("cut by the test")
                }
                return try await base.run(statement, values)
            }

            func onNotification(_ receive: @escaping @Sendable (String?) -> Void) { base.onNotification(receive) }
            func close() async { await base.close() }
        }
    }

    private actor Handler {
        private(set) var numbers: [Int] = []
        private(set) var unmarked: [Int] = []
        private var failures: Set<Int>

        init(failing: Set<Int>) { failures = failing }

        func handle(_ stored: StoredNotification<Placed>) throws {
            let number = stored.notification.number
            if failures.remove(number) != nil { throw Refused() }
            numbers.append(number)
            if !stored.mayBeRepeated { unmarked.append(number) }
        }
    }

    @Suite(
        .timeLimit(.minutes(20)), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresCrashTests {
        @Test
        func `a connection that is cut at any statement loses nothing, keeps the order, and repeats nothing unmarked`()
            async throws
        {
            let database = try await TestDatabase()
            let connector = CuttingConnector(database.connector)
            let poster = try await database.connector.open()
            let store = PostgresStore(connector)
            let outbox = try await NotificationOutbox(store, of: NativeNotificationCenter(), options: .quick)
            var base = 0
            for statement in 1...30 {
                for after in [false, true] {
                    let numbers = Array(base..<base + 6)
                    base += 6
                    let handler = Handler(failing: [numbers[2]])
                    let token = outbox.addObserver(
                        handler, named: "worker", on: .actor, forStored: Placed.self, ordered: .by(\.customer),
                        from: .stored,
                        retrying: RetryDelays([.milliseconds(1), .milliseconds(1)])
                    ) { me, stored in try me.handle(stored) }
                    connector.cut(at: statement, after: after)
                    for number in numbers {
                        try await poster.transaction { transaction in
                            try await outbox.post(Placed(number: number, customer: "\(number % 2)"), in: transaction)
                        }
                    }
                    while await Set(handler.numbers).isSuperset(of: numbers) == false { await Task.yield() }
                    #expect(await outbox.drain(within: .seconds(30)).isEmpty)
                    var seen: Set<Int> = []
                    let firsts = await handler.numbers.filter { seen.insert($0).inserted && $0 >= numbers[0] }
                    for key in 0..<2 {
                        let ofKey = firsts.filter { $0 % 2 == key }
                        #expect(ofKey == ofKey.sorted(), "cut at \(statement), after: \(after)")
                    }
                    let unmarked = await handler.unmarked
                    #expect(Set(unmarked).count == unmarked.count, "cut at \(statement), after: \(after)")
                    await token.cancelAndDrain()
                    connector.cut(at: nil, after: false)
                    while outbox.observers.contains(where: { $0.name == "worker" }) { await Task.yield() }
                }
            }
            await outbox.finish(within: .seconds(20))
            await poster.close()
        }
    }
#endif
