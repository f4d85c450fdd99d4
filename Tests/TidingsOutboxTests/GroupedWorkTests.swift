import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsOutbox

@Suite(.timeLimit(.minutes(2))) struct GroupedWorkTests {
    /// Records each group of requests, and makes the group wait for a call of ``letGo()``.
    private final class Gate: Sendable {
        let groups = Lock<[[Int]]>([])
        let beginnings: AsyncStream<Void>
        private let beginning: AsyncStream<Void>.Continuation
        private let goesOn: AsyncStream<Void>
        private let go: AsyncStream<Void>.Continuation

        init() {
            (beginnings, beginning) = AsyncStream.makeStream()
            (goesOn, go) = AsyncStream.makeStream()
        }

        func wait(_ group: [Int]) async {
            groups.withLock { $0.append(group) }
            beginning.yield()
            for await _ in goesOn { return }
        }

        func waitForBeginning() async { for await _ in beginnings { return } }
        func letGo() { go.yield() }
    }

    @Test func `while a group is processed, arriving requests form the next group, up to the limit`() async throws {
        let gate = Gate()
        let work = GroupedWork<Int, Int>(atMost: 4) { numbers in
            await gate.wait(numbers)
            return numbers.map { $0 == 3 ? .failure(Refused()) : .success(10 * $0) }
        }
        var calls = [Task { try await work(0) }]
        await gate.waitForBeginning()
        for number in 1...6 {
            calls.append(Task { try await work(number) })
            await eventually("the work is queued", { work.pendingCount }, until: { $0 >= number + 1 })
        }
        for _ in 1...2 {
            gate.letGo()
            await gate.waitForBeginning()
        }
        gate.letGo()
        var results: [Int?] = []
        for call in calls { results.append(try? await call.value) }
        #expect(gate.groups.withLock { $0 } == [[0], [1, 2, 3, 4], [5, 6]])
        #expect(results == [0, 10, 20, nil, 40, 50, 60])
        gate.letGo()
        #expect(try await work(7) == 70)
    }

    /// A store that counts the requests it receives. If there is a gate, requests for pages wait at the gate.
    private final class CountingStore: OutboxStore {
        private struct Counts {
            var pages = 0
            var held = 0
            var polls = 0
            var isStopped = false
        }

        let base = InMemoryOutboxStore()
        private let counts = Lock(Counts())
        let gate = Lock<Gate?>(nil)
        /// The gate at which the ends of sessions wait, if any.
        let ending = Lock<Gate?>(nil)

        var pages: Int { counts.withLock { $0.pages } }
        var questionsForHeld: Int { counts.withLock { $0.held } }
        var polls: Int { counts.withLock { $0.polls } }
        var isStopped: Bool { counts.withLock { $0.isStopped } }

        private struct Session: OutboxObserverSession {
            let base: any OutboxObserverSession
            let store: CountingStore
            var beginning: OutboxProgress { base.beginning }
            func confirm() async throws { try await base.confirm() }
            func save(_ change: OutboxProgressChange) async throws -> Set<Int64> { try await base.save(change) }
            func held() async throws -> [OutboxHeldRow] {
                store.counts.withLock { $0.held += 1 }
                return try await base.held()
            }
            func end(isClean: Bool) async {
                await store.ending.withLock { $0 }?.wait([])
                await base.end(isClean: isClean)
            }
        }

        func prepare() async throws -> (identity: String, last: Int64) { try await base.prepare() }
        func start(_ onChange: @escaping @Sendable (_ names: Set<String>?) -> Void) async {}
        func stop() async { counts.withLock { $0.isStopped = true } }
        func last() async throws -> Int64 {
            counts.withLock { $0.polls += 1 }
            return try await base.last()
        }
        func claim(_ observer: String, partition index: Int, of count: Int, beginningAt beginning: Int64) async throws
            -> (any OutboxObserverSession)?
        {
            try await base.claim(observer, partition: index, of: count, beginningAt: beginning)
                .map { Session(base: $0, store: self) }
        }
        func page(after position: Int64, limit: Int, named names: Set<String>) async throws -> OutboxRowPage {
            counts.withLock { $0.pages += 1 }
            let page = try await base.page(after: position, limit: limit, named: names)
            await gate.withLock { $0 }?.wait([Int(position)])
            return page
        }
        func rows(at positions: [Int64]) async throws -> [OutboxRow] { try await base.rows(at: positions) }
        func observers() async throws -> [DurableObserverRecord] { try await base.observers() }
        func deadLetters(for observer: String, limit: Int) async throws -> [OutboxDeadLetter] {
            try await base.deadLetters(for: observer, limit: limit)
        }
        func redrive(for observer: String, positions: [Int64]?) async throws -> Int {
            try await base.redrive(for: observer, positions: positions)
        }
        func drop(for observer: String, positions: [Int64]?) async throws -> Int {
            try await base.drop(for: observer, positions: positions)
        }
        func waiting(for observer: String, limit: Int) async throws -> [OutboxWaitingRow] {
            try await base.waiting(for: observer, limit: limit)
        }
        func expire(deadLetters: Duration?, inbox: Duration?, at time: Int64, limit: Int) async throws -> OutboxExpiry {
            try await base.expire(deadLetters: deadLetters, inbox: inbox, at: time, limit: limit)
        }
        func remove(_ observer: String) async throws { try await base.remove(observer) }
        func prune(storedBefore time: Int64, abandonedBefore seen: Int64, limit: Int) async throws
            -> (removed: Int, abandoned: [String])
        { try await base.prune(storedBefore: time, abandonedBefore: seen, limit: limit) }
    }

    @Test func `if several requests for a page arrive during a read, they share the next read`() async throws {
        let store = CountingStore()
        let gate = Gate()
        store.gate.withLock { $0 = gate }
        let pages = SharedPages(of: store)
        let names: Set = [Placed.wireName]
        let first = Task { try await pages.page(after: 0, limit: 10, named: names) }
        await gate.waitForBeginning()
        // This row is committed after the first read has started. Later requests must receive it.
        try store.base.append([OutboxPost(name: Placed.wireName, version: 1, body: .init())])
        let others = (1...50).map { _ in Task { try await pages.page(after: 0, limit: 10, named: names) } }
        await eventually("fifty readers wait for a page", { pages.waitingCount }, until: { $0 >= 50 })
        let elsewhere = Task { try await pages.page(after: 1, limit: 10, named: names) }
        await gate.waitForBeginning()
        for _ in 1...3 { gate.letGo() }
        #expect(try await first.value.rows.isEmpty)
        for other in others { #expect(try await other.value.rows.count == 1) }
        #expect(try await elsewhere.value.end == 1)
        #expect(store.pages == 3 && pages.waitingCount == 0)
        // A request throws the error of its read, and the next request reads again.
        store.gate.withLock { $0 = nil }
        store.base.failure = Refused()
        await #expect(throws: Refused.self) { try await pages.page(after: 0, limit: 10, named: names) }
        store.base.failure = nil
        #expect(try await pages.page(after: 0, limit: 10, named: names).rows.count == 1)
    }

    @Test func `finish handles notifications and ends observers within one time limit`() async throws {
        let (store, clock, worker, ending) = (CountingStore(), ManualClock(), Worker(), Gate())
        store.ending.withLock { $0 = ending }
        try store.base.append([try OutboxPost(Placed(number: 1))])
        let outbox = try await NotificationOutbox(
            store, of: NativeNotificationCenter(), options: .quick, clock: clock)
        await worker.hold()
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
            try await me.handle(note)
        }
        await worker.waitForAttempts(1)
        let hasFinished = Lock(false)
        let finishing = Task {
            let left = await outbox.finish(within: .seconds(1_000))
            hasFinished.withLock { $0 = true }
            return left
        }
        await eventually("the outbox accepts no posts") { (try? outbox.encode(Placed(number: 2))) == nil }
        clock.advance(by: .seconds(900))
        await worker.letGo()
        // Everything is handled, but the end of the observer's session waits at the gate.
        await ending.waitForBeginning()
        await clock.advance("finish returns", by: .seconds(1), { hasFinished.withLock { $0 } }, until: { $0 })
        // The limit is 1,000 seconds. On a slow machine, the test may advance the clock further until `finish` returns.
        #expect(clock.now.offset < .seconds(1_800))
        #expect(await finishing.value.isEmpty)
        ending.letGo()
    }

    /// A manual clock that records the deadlines of all sleeps.
    private final class RecordingClock: Clock {
        let base = ManualClock()
        let deadlines = ReceivedValues<Duration>()

        var now: ManualClock.Instant { base.now }
        var minimumResolution: Duration { base.minimumResolution }

        func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
            deadlines.append(deadline.offset)
            try await base.sleep(until: deadline, tolerance: tolerance)
        }
    }

    @Test(arguments: [true, false])
    func `a cancelled finish stops the store when the durable observers have ended, or 100 milliseconds later`(
        endsInTime: Bool
    ) async throws {
        let (store, clock, worker, ending) = (CountingStore(), RecordingClock(), Worker(), Gate())
        store.ending.withLock { $0 = ending }
        let outbox = try await NotificationOutbox(
            store, of: NativeNotificationCenter(), options: .quick, clock: clock)
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
            try await me.handle(note)
        }
        await eventually("the observer runs", { outbox.runningObservers.map(\.state) }, until: { $0 == [.running] })
        let finishing = Task {
            cancelCurrentTask()
            await outbox.finish(within: .seconds(1_000))
        }
        // The end of the observer's session waits at the gate.
        await ending.waitForBeginning()
        // The clock is at zero, and no other sleep has this deadline.
        await eventually("finish waits for 100 milliseconds, or has stopped the store") {
            clock.deadlines.values.contains(.milliseconds(100)) || store.isStopped
        }
        #expect(!store.isStopped)
        if !endsInTime {
            clock.base.advance(by: .milliseconds(100))
            await eventually("the store is stopped") { store.isStopped }
        }
        ending.letGo()
        await returns("finish") { await finishing.value }
        #expect(store.isStopped)
        withExtendedLifetime(worker) {}
    }

    @Test func `durable observers without work read no rows from the store`() async throws {
        let store = CountingStore()
        var options = OutboxOptions()
        options.pollInterval = .milliseconds(5)
        let outbox = try await NotificationOutbox(store, of: NativeNotificationCenter(), options: options)
        let worker = Worker()
        for number in 0..<100 {
            outbox.addObserver(worker, named: "w\(number)", on: .actor, for: Placed.self) { me, note in
                try await me.handle(note)
            }
        }
        await eventually("all observers run") { !outbox.runningObservers.contains(where: { $0.state != .running }) }
        try store.base.append([try OutboxPost(Placed(number: 1))])
        await worker.waitForAttempts(100)
        #expect(await outbox.drain(within: .seconds(600)) == [])
        try await eventually("no observer has a backlog") {
            try await !outbox.registeredObservers().contains(where: { $0.backlog > 0 })
        }
        func waitForPolls() async {
            let polls = store.polls + 5
            await eventually("the store is polled five more times", { store.polls }, until: { $0 >= polls })
        }
        await waitForPolls()
        let before = (store.pages, store.questionsForHeld)
        await waitForPolls()
        #expect(store.pages == before.0 && store.questionsForHeld == before.1)
        await outbox.finish(within: .seconds(600))
    }
}
