import Foundation
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct DeadLetterTests {
    private let recorder = RecordingNotificationCenter()
    private let store = InMemoryOutboxStore()
    private let clock = ManualClock()
    private let worker = Worker()

    private func open(keeping age: Duration? = nil) async throws -> NotificationOutbox<InMemoryOutboxStore> {
        var options = OutboxOptions.quick
        options.deadLetterRetention = age
        let outbox = try await NotificationOutbox(store, of: recorder, options: options, clock: clock)
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.number), from: .stored,
            retrying: RetryPolicy([])
        ) { me, note in
            try await me.handle(note)
        }
        return outbox
    }

    private func bury(_ numbers: [Int], _ outbox: NotificationOutbox<InMemoryOutboxStore>) async throws {
        for number in numbers {
            await worker.fail(number, times: .max)
            try outbox.post(Placed(number: number))
        }
        while try await outbox.deadLetters(for: "worker").count < numbers.count { await clock.advanceForSleepers() }
    }

    @Test func `the row of a dropped dead letter is removed`() async throws {
        let outbox = try await open()
        try await bury([1, 2, 3], outbox)
        let letters = try await outbox.deadLetters(for: "worker")
        #expect(try await outbox.drop(for: "worker", positions: [letters[1].row.position]) == 1)
        #expect(try await outbox.drop(for: "worker", positions: [letters[1].row.position]) == 0)
        #expect(try await outbox.deadLetters(for: "worker").map(\.row.position) == [1, 3])
        await worker.fail(1, times: 0)
        #expect(try await outbox.redrive(for: "worker", positions: [1, 2]) == 1)
        while await worker.numbers.isEmpty { await clock.advanceForSleepers() }
        #expect(await worker.numbers == [1])
        while try await store.rows(at: [1, 2, 3]).map(\.position) != [3] {
            await clock.advanceForSleepers(by: .seconds(10))
        }
        #expect(outbox.removals.notifications == 2)
        await outbox.finish(within: .zero)
    }

    @Test func `expired dead letters are removed, counted, and reported for each observer`() async throws {
        let outbox = try await open(keeping: .seconds(86_400))
        try await bury([1, 2], outbox)
        let buried = clock.now
        while outbox.removals.deadLetters < 2 { await clock.advanceForSleepers(by: .seconds(600)) }
        #expect(buried.duration(to: clock.now) >= .seconds(86_400))
        #expect(try await outbox.deadLetters(for: "worker").isEmpty)
        let faults = recorder.posted(OutboxFault.self).filter { $0.kind == .deadLettersExpired }
        // The two dead letters may expire at different times. Each expiry causes one fault.
        #expect((1...2).contains(faults.count) && faults.allSatisfy { $0.observer == "worker" })
        #expect(faults.last?.detail.hasSuffix(" removed at an age of more than 86400.0 seconds") == true)
        await outbox.finish(within: .zero)
    }

    @Test func `dead letters are kept unless the options limit their age`() async throws {
        let outbox = try await open()
        try await bury([1], outbox)
        for _ in 0..<20 { await clock.advanceForSleepers(by: .seconds(86_400)) }
        #expect(try await outbox.deadLetters(for: "worker").count == 1)
        #expect(outbox.removals.deadLetters == 0)
        await outbox.finish(within: .zero)
    }

    @Test func `a retried notification and the notifications behind it are listed as waiting`()
        async throws
    {
        let outbox = try await NotificationOutbox(store, of: recorder, options: .quick, clock: clock)
        await worker.fail(1, times: .max)
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, from: .stored,
            retrying: RetryPolicy([.seconds(1_000_000)])
        ) { me, note in
            try await me.handle(note)
        }
        for number in 1...3 { try outbox.post(Placed(number: number)) }
        await worker.waitForAttempts(1)
        while try await outbox.waitingNotifications(for: "worker").first?.attempts != 1 {
            await clock.advanceForSleepers()
        }
        let waiting = try await outbox.waitingNotifications(for: "worker")
        #expect(waiting.map(\.row.position) == [1, 2, 3])
        #expect(waiting[0].error?.isEmpty == false && waiting[0].due > 0 && waiting[1].attempts == 0)
        #expect(try await outbox.waitingNotifications(for: "worker", limit: 2).count == 2)
        #expect(try await outbox.waitingNotifications(for: "other").isEmpty)
        await outbox.finish(within: .zero)
    }

    @Test(arguments: [false, true])
    func `a redelivered dead letter is marked as possibly repeated`(inAnotherProgram: Bool) async throws {
        func openMarking() async throws -> NotificationOutbox<InMemoryOutboxStore> {
            let outbox = try await NotificationOutbox(store, of: recorder, options: .quick, clock: clock)
            outbox.addObserver(
                worker, named: "worker", on: .actor, forStored: Placed.self, from: .stored, retrying: RetryPolicy([])
            ) { me, stored in
                try await me.handle(stored)
            }
            return outbox
        }
        var outbox = try await openMarking()
        try await bury([1], outbox)
        #expect(await worker.repeated == [])
        await worker.fail(1, times: 0)
        if inAnotherProgram {
            await outbox.finish(within: .zero)
            outbox = try await openMarking()
        }
        #expect(try await outbox.redrive(for: "worker") == 1)
        while await worker.numbers.isEmpty { await clock.advanceForSleepers() }
        #expect(await worker.repeated == [1])
        await outbox.finish(within: .zero)
    }

    private func open(retrying delays: [Duration]) async throws -> NotificationOutbox<InMemoryOutboxStore> {
        let outbox = try await NotificationOutbox(store, of: recorder, options: .quick, clock: clock)
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, from: .stored, retrying: RetryPolicy(delays)
        ) { me, note in
            try await me.handle(note)
        }
        return outbox
    }

    private func waitUntilHeld(_ outbox: NotificationOutbox<InMemoryOutboxStore>, attempts: Int) async throws {
        while try await store.waiting(for: "worker", limit: 1).first?.attempts != attempts {
            await clock.advanceForSleepers()
        }
    }

    @Test func `an inspector can drop a notification that is retried, but not one that hasn't been received`()
        async throws
    {
        let outbox = try await open(retrying: [.seconds(1_000_000)])
        await worker.fail(1, times: .max)
        for number in 1...2 { try outbox.post(Placed(number: number)) }
        try await waitUntilHeld(outbox, attempts: 1)
        let waiting = try await outbox.storedNotifications(limit: 10).entries.filter { $0.kind == .waiting }
        #expect(waiting.map(\.attempts) == [1, 0] && waiting.map(\.isHeld) == [true, false])
        #expect(try await outbox.perform(.redrive, on: .waiting, of: "worker", id: waiting[0].id) == 0)
        #expect(try await outbox.perform(.drop, on: .waiting, of: "worker", id: waiting[1].id) == 0)
        #expect(try await outbox.perform(.drop, on: .waiting, of: "worker", id: nil) == 0)
        #expect(try await outbox.perform(.drop, on: .waiting, of: "worker", id: waiting[0].id) == 1)
        #expect(await outbox.drain(within: .seconds(10)) == [])
        await outbox.finish(within: .zero)
    }

    @Test func `a scheduled notification can be made due now`() async throws {
        let outbox = try await open()
        let id = try outbox.post(Placed(number: 1), after: .seconds(1_000_000))
        #expect(try await outbox.makeDue(id))
        while await worker.attempts.isEmpty { await clock.advanceForSleepers() }
        #expect(try await !outbox.makeDue(id))
        #expect(clock.now.offset < .seconds(900_000))
        await outbox.finish(within: .zero)
    }
}
