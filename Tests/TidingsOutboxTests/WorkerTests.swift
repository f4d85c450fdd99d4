import TestSupport
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct WorkerTests {
    private let store = InMemoryOutboxStore()
    private let recorder = RecordingNotificationCenter()

    private func open() async throws -> NotificationOutbox<InMemoryOutboxStore> {
        try await NotificationOutbox(store, of: recorder, options: .quick)
    }

    @discardableResult
    private func observe(
        _ outbox: NotificationOutbox<InMemoryOutboxStore>, _ worker: KeyedWorker,
        ordered order: DurableOrder<Placed> = .by(\.customer, partitions: 4),
        retrying delays: RetryPolicy = RetryPolicy([.milliseconds(1), .milliseconds(1)])
    ) -> NotificationToken {
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, ordered: order, from: .stored,
            retrying: delays
        ) { me, note in try await me.handle(note) }
    }

    private func post(_ outbox: NotificationOutbox<InMemoryOutboxStore>, _ numbers: ClosedRange<Int>)
        throws
    {
        for number in numbers {
            for customer in 0..<20 { try outbox.post(Placed(number: number, customer: "\(customer)")) }
        }
    }

    @Test
    func `the notifications of each key arrive in order, and a call that doesn't return blocks only its partition`()
        async throws
    {
        let outbox = try await open()
        let worker = KeyedWorker()
        await worker.hold("7")
        observe(outbox, worker)
        try post(outbox, 1...10)
        // At least half of the twenty customers are in partitions other than the blocked one.
        await eventually(
            "ten customers have received all notifications", { await worker.keysDone(10).count }, until: { $0 >= 10 })
        #expect(await worker.numbers("7") == [])
        await worker.letGo()
        #expect(await outbox.drain(within: .seconds(60)) == [])
        for customer in 0..<20 { #expect(await worker.numbers("\(customer)") == Array(1...10)) }
        await outbox.finish(within: .seconds(60))
    }

    @Test func `a retry blocks only notifications of the same key, not the rest of the partition`() async throws {
        let outbox = try await open()
        let worker = KeyedWorker()
        await worker.fail("7", times: 1)
        observe(outbox, worker, retrying: RetryPolicy([.seconds(3600)]))
        try post(outbox, 1...3)
        await eventually(
            "the other customers have received everything", { await worker.keysDone(3).count }, until: { $0 == 19 })
        #expect(await worker.numbers("7") == [])
        await outbox.finish(within: .zero)
    }

    @Test func `an unordered observer with eight partitions runs eight calls at the same time`() async throws {
        let outbox = try await open()
        let worker = KeyedWorker()
        await worker.hold("a")
        observe(outbox, worker, ordered: .unordered(partitions: 8))
        for number in 1...200 { try outbox.post(Placed(number: number)) }
        await eventually("eight calls wait", { await worker.waitingCount }, until: { $0 == 8 })
        await worker.letGo()
        #expect(await outbox.drain(within: .seconds(60)) == [])
        #expect(await worker.numbers("a").sorted() == Array(1...200))
        await outbox.finish(within: .seconds(60))
    }

    @Test func `the status and the stored record of an observer cover all its partitions`() async throws {
        let outbox = try await open()
        let worker = KeyedWorker()
        observe(outbox, worker)
        await eventually(
            "all partitions run", { outbox.runningObservers.first?.partitions }, until: { $0 == 4 })
        try post(outbox, 1...5)
        #expect(await outbox.drain(within: .seconds(60)) == [])
        let status = try #require(outbox.runningObservers.first)
        #expect(outbox.runningObservers.count == 1 && status.name == "worker" && status.handled == 100)
        #expect(status.state == .running && status.cursor == 100 && status.backlog == 0)
        await outbox.finish(within: .seconds(60))
        let records = try await outbox.registeredObservers()
        #expect(records.map(\.name) == ["worker"] && records[0].partitions == 4)
        #expect(records[0].cursor == 100 && records[0].backlog == 0)
        try await outbox.removeObserver(named: "worker")
        #expect(try await outbox.registeredObservers() == [])
    }

    @Test func `cancelling the token ends all partitions, and a new observer of the same name continues`()
        async throws
    {
        let outbox = try await open()
        let (worker, next) = (KeyedWorker(), KeyedWorker())
        let token = observe(outbox, worker)
        try post(outbox, 1...2)
        #expect(await outbox.drain(within: .seconds(60)) == [])
        #expect(token.isActive)
        await token.cancelAndDrain()
        #expect(!token.isActive)
        observe(outbox, next)
        try post(outbox, 3...4)
        for customer in 0..<20 {
            await eventually(
                "the next observer has both rows", { await next.numbers("\(customer)") }, until: { $0 == [3, 4] })
        }
        #expect(await worker.count == 40)
        #expect(Faults(recorder).kinds == [])
        await outbox.finish(within: .seconds(60))
    }

    @Test func `a receipt reports the outcome, whichever partition the notification is in`()
        async throws
    {
        let outbox = try await open()
        let worker = KeyedWorker()
        await worker.fail("3", times: 1_000)
        observe(outbox, worker)
        for customer in 0..<8 {
            let delivery = try outbox.deliver(Placed(number: 1, customer: "\(customer)"))
            let receipt = await delivery.receipt(within: .seconds(60))
            #expect(receipt.outcomes == ["worker": customer == 3 ? .deadLetter("Refused()") : .handled])
        }
        #expect(try await outbox.deadLetters(for: "worker").count == 1)
        await worker.fail("3", times: 0)
        #expect(try await outbox.redrive(for: "worker") == 1)
        await eventually(
            "the dead letter is handled", { await worker.numbers("3") }, until: { $0 == [1] })
        await outbox.finish(within: .seconds(60))
    }

    @Test(arguments: [[1, 4, 8], [4, 1, 16], [2, 2, 64], [8, 4, 2]])
    func `each key keeps its order if the number of partitions changes between programs`(
        counts: [Int]
    )
        async throws
    {
        var workers: [KeyedWorker] = []
        for (index, count) in counts.enumerated() {
            let outbox = try await open()
            let worker = KeyedWorker()
            workers.append(worker)
            // In the first two programs, calls for customer 5 fail, and each retry is due an hour later.
            if index < 2 { await worker.fail("5", times: 1_000) }
            observe(
                outbox, worker, ordered: .by(\.customer, partitions: count),
                retrying: RetryPolicy(
                    Array(repeating: index < 2 ? .seconds(3600) : .milliseconds(1), count: 10)))
            try post(outbox, (index * 10 + 1)...(index * 10 + 10))
            let wanted = index < 2 ? 19 : 20
            await eventually(
                "the customers have received everything", { await worker.keys(reaching: index * 10 + 10).count },
                until: { $0 == wanted })
            // The first program ends like a killed program, so the next program may repeat calls.
            if index == 0 { store.interrupt() }
            await outbox.finish(within: .zero)
        }
        for customer in 0..<20 where customer != 5 {
            var seen: [Int] = []
            for worker in workers { seen += await worker.numbers("\(customer)") }
            var firsts: Set<Int> = []
            #expect(seen.filter { firsts.insert($0).inserted } == Array(1...30), "customer \(customer)")
        }
        #expect(await workers[2].numbers("5") == Array(1...30))
        let outbox = try await open()
        #expect(try await outbox.registeredObservers().map(\.partitions) == [counts.max()])
        await outbox.finish(within: .zero)
    }

    @Test func `if a stored observer has partitions, an observation in strict order ends with a fault`() async throws {
        let first = try await open()
        let worker = KeyedWorker()
        observe(first, worker)
        await eventually(
            "the observer has four partitions", { first.runningObservers.first?.partitions }, until: { $0 == 4 })
        await first.finish(within: .seconds(60))
        let second = try await open()
        let token = observe(second, worker, ordered: .strict)
        await eventually("the observer has ended", { second.runningObservers.map(\.name) }, until: \.isEmpty)
        #expect(!token.isActive)
        #expect(Faults(recorder).kinds == [.invalidName])
        let fault = recorder.posted(OutboxFault.self).last
        #expect(fault?.detail.contains("worker has 4 partitions and can't keep strict order") == true)
        await second.finish(within: .zero)
    }

    @Test func `a row that can't be decoded becomes one dead letter, and is handled when a program can decode it`()
        async throws
    {
        let outbox = try await open()
        let worker = KeyedWorker()
        try store.append([try OutboxPost(ForeignPlaced(text: "x"))])
        observe(outbox, worker)
        #expect(await outbox.drain(within: .seconds(60)) == [])
        #expect(try await outbox.deadLetters(for: "worker").count == 1)
        #expect(try await outbox.registeredObservers().map(\.deadLetters) == [1])
        #expect(try await outbox.redrive(for: "worker") == 1)
        await eventually(
            "there is a dead letter again", { try? await outbox.deadLetters(for: "worker").count },
            until: { $0 == 1 })
        await outbox.finish(within: .seconds(60))
        let next = try await open()
        let seen = ReceivedValues<String>()
        let token = next.addObserver(
            named: "worker", on: .task, for: ForeignPlaced.self, ordered: .by(\.text, partitions: 4)
        ) { seen.append($0.text) }
        #expect(try await next.redrive(for: "worker") == 1)
        await eventually("the row is handled", { seen.values }, until: { $0 == ["x"] })
        await eventually(
            "no notification is held back", { try? await next.registeredObservers().map(\.held) }, until: { $0 == [0] }
        )
        #expect(try await next.deadLetters(for: "worker") == [])
        #expect(seen.values == ["x"])
        await next.finish(within: .seconds(60))
        withExtendedLifetime(token) {}
    }
}

actor KeyedWorker {
    private var handled: [String: [Int]] = [:]
    private var held: String?
    private var gates: [CheckedContinuation<Void, Never>] = []
    private var failures: [String: Int] = [:]

    func fail(_ key: String, times: Int) { failures[key] = times }
    /// Makes calls for a key wait until ``letGo()``.
    func hold(_ key: String) { held = key }
    func letGo() {
        held = nil
        for gate in gates { gate.resume() }
        gates = []
    }
    var waitingCount: Int { gates.count }

    func handle(_ note: Placed) async throws {
        if note.customer == held { await withCheckedContinuation { gates.append($0) } }
        if let left = failures[note.customer], left > 0 {
            failures[note.customer] = left - 1
            throw Refused()
        }
        handled[note.customer, default: []].append(note.number)
    }

    func numbers(_ key: String) -> [Int] { handled[key] ?? [] }
    var count: Int { handled.values.reduce(0) { $0 + $1.count } }
    func keysDone(_ count: Int) -> [String] {
        handled.filter { $0.value.count == count }.keys.sorted()
    }
    func keys(reaching number: Int) -> [String] {
        handled.filter { $0.value.last == number }.keys.sorted()
    }
}
