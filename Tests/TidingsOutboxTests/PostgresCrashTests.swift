#if Libpq
    import Foundation
    import TestSupport
    import Testing
    import Tidings
    import TidingsOutbox

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
        .timeLimit(.ofServers), .enabled(if: postgresServer != nil, "TIDINGS_POSTGRES names no server"), .serialized)
    struct PostgresCrashTests {
        @Test
        func `if a connection is cut at any statement, nothing is lost, the order is kept and repetitions are marked`()
            async throws
        {
            let database = try await TestDatabase()
            let connector = CuttingConnector(database.connector)
            let poster = try await database.connector.open()
            let store = PostgresOutboxStore(connector)
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
                        retrying: RetryPolicy([.milliseconds(1), .milliseconds(1)])
                    ) { me, stored in try me.handle(stored) }
                    connector.cut(at: statement, after: after)
                    for number in numbers {
                        try await poster.transaction { transaction in
                            try await outbox.post(Placed(number: number, customer: "\(number % 2)"), in: transaction)
                        }
                    }
                    await eventually("all numbers are handled") {
                        await Set(handler.numbers).isSuperset(of: numbers)
                    }
                    #expect(await outbox.drain(within: .seconds(600)).isEmpty)
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
                    await eventually("the worker has ended") {
                        !outbox.runningObservers.contains(where: { $0.name == "worker" })
                    }
                }
            }
            await outbox.finish(within: .seconds(600))
            await poster.close()
        }
    }
#endif
