import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct WaitingRowsTests {
    @Test func `a handled notification isn't listed as waiting, even if another partition is behind`() async throws {
        let outbox = try await NotificationOutbox(
            InMemoryOutboxStore(), of: NativeNotificationCenter(), options: .quick)
        let (gate, handled) = (Gate(), ReceivedValues<Int>())
        // The keys "a" and "b" belong to different partitions.
        let token = outbox.addObserver(
            named: "worker", on: .task, for: Placed.self, ordered: .by(\.customer, partitions: 2)
        ) { note in
            if note.customer == "a" { await gate.wait() }
            handled.append(note.number)
        }
        try outbox.post(Placed(number: 1, customer: "a"))
        try outbox.post(Placed(number: 2, customer: "b"))
        await handled.wait(for: 1)
        try await eventually(
            "only the first row waits", { try await outbox.waitingNotifications(for: "worker").map(\.row.position) },
            until: { $0 == [1] })
        gate.open()
        #expect(await outbox.drain(within: .seconds(600)) == [])
        #expect(handled.values == [2, 1])
        token.cancel()
        await outbox.finish(within: .seconds(600))
    }

    @Test func `listing waiting notifications evaluates each key once, even with several partitions`()
        async throws
    {
        let outbox = try await NotificationOutbox(
            InMemoryOutboxStore(), of: NativeNotificationCenter(), options: .quick)
        let (begun, gate, handled) = (Gate(), Gate(), ReceivedValues<Int>())
        let keys = Lock(0)
        // The keys belong to different partitions.
        for (index, customer) in ["a", "b", "g", "i"].enumerated() {
            try outbox.post(Placed(number: index + 1, customer: customer))
        }
        let order = DurableOrder<Placed>.by(
            { note -> String in
                keys.withLock { $0 += 1 }
                return note.customer
            }, partitions: 4)
        let token = outbox.addObserver(
            named: "worker", on: .task, for: Placed.self, ordered: order, from: .stored
        ) { note in
            if note.customer == "a" {
                begun.open()
                await gate.wait()
            }
            handled.append(note.number)
        }
        // When both waits have returned, each partition has read a page with all four rows and evaluated their keys.
        // From then on, only listings evaluate keys.
        await begun.wait()
        await handled.wait(for: 3)
        try await eventually(
            "only the first row waits", { try await outbox.waitingNotifications(for: "worker").map(\.row.position) },
            until: { $0 == [1] })
        let before = keys.withLock { $0 }
        #expect(try await outbox.waitingNotifications(for: "worker").count == 1)
        let after = keys.withLock { $0 }
        #expect(after - before == 4)
        gate.open()
        #expect(await outbox.drain(within: .seconds(600)) == [])
        token.cancel()
        await outbox.finish(within: .seconds(600))
    }

    @Test(arguments: TestedStore.all)
    func `a negative limit lists nothing, like a limit of 0`(kind: TestedStore) async throws {
        func test(_ database: some TestedDatabase) async throws {
            let worker = Worker()
            let outbox = try await database.open(NativeNotificationCenter(), isSecond: false)
            await worker.fail(1, times: .max)
            outbox.addObserver(
                worker, named: "worker", on: .actor, for: Placed.self, from: .stored, retrying: RetryPolicy([])
            ) { me, note in
                try await me.handle(note)
            }
            try await database.post([Placed(number: 1)], in: outbox)
            try await eventually(
                "a dead letter is stored", { try await outbox.deadLetters(for: "worker").count }, until: { $0 == 1 })
            for limit in [-1, 0] {
                #expect(try await outbox.deadLetters(for: "worker", limit: limit).isEmpty)
                #expect(try await outbox.waitingNotifications(for: "worker", limit: limit).isEmpty)
                #expect(try await outbox.scheduledNotifications(limit: limit).isEmpty)
                #expect(try await outbox.storedNotifications(limit: limit).entries.isEmpty)
            }
            #expect(await worker.attempts == [1])
            await outbox.finish(within: .zero)
        }
        try await test(kind.create())
    }
}
