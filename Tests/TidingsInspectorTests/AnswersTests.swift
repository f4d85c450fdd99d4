import Foundation
import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsInspector

private actor Worker {
    let gate = Gate(), arrived = Gate()

    func work() async {
        arrived.open()
        await gate.wait()
    }
}

private struct Order: TypedNotification, Sendable {
    let sender: String
    var number = 0
}

private struct Branch: Hashable, CustomTidingsDescription {
    let secret: String
    var tidingsDescription: String { "a described sender" }
}

private struct Credentials: Hashable { let password: String }

private struct SignedIn: TypedNotification { let sender: Credentials }

private struct Opened: TypedNotification { let sender: Branch }

private struct Refused: Error { let card: String }

/// A continuous clock that simulates preemption. After `preempt()`, each reading returns only after a pause.
private final class PreemptedClock: Clock {
    private let start = ContinuousClock.now
    private let pause = Lock(Duration.zero)

    var minimumResolution: Duration { .zero }

    var now: ContinuousClock.Instant {
        let now = ContinuousClock.now
        let end = now + pause.withLock { $0 }
        while ContinuousClock.now < end {}
        return now
    }

    /// Sets the pause of each reading to the current age of the clock.
    func preempt() { pause.withLock { $0 = start.duration(to: .now) } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }
}

@Suite(.timeLimit(.minutes(2))) struct AnswersTests {
    private let clock = ManualClock()
    private let center = NativeNotificationCenter()

    private func inspector(stuckAfter: Duration = .seconds(10)) -> Inspector {
        var options = Inspector.Options.test
        options.stuckAfter = stuckAfter
        return Inspector(of: center, options: options, clock: clock)
    }

    // MARK: Which observer is slow, and which is stuck?

    @Test func `a call that began before the first snapshot is listed as running, and reported as stuck`() async throws
    {
        let worker = Worker()
        center.addObserver(worker, on: .actor, for: Ping.self) { worker, _ in await worker.work() }
        center.post(Ping())
        await worker.arrived.wait()
        #expect(center.observations.first?.runningFor != nil)
        let calm = inspector(stuckAfter: .seconds(86_400)).snapshot()
        #expect(calm.observers.map { $0.runningFor != nil } == [true])
        #expect(calm.stuck.isEmpty)
        let snapshot = inspector(stuckAfter: .zero).snapshot()
        #expect(snapshot.stuck.map(\.type) == ["TidingsInspectorTests.Ping"])
        #expect(snapshot.groups.map(\.stuck) == [1])
        let warning = try #require(snapshot.warnings.first { $0.kind == .stuck })
        #expect(warning.text.hasPrefix("a call of an observer has been running for "))
        #expect(warning.observer == snapshot.stuck.first?.id)
        worker.gate.open()
    }

    @Test func `a queue without progress is reported as stuck, with the age of its oldest notification`() throws {
        let inspector = inspector()
        let sequence = center.notifications(of: Ping.self)
        center.post(Ping())
        #expect(inspector.snapshot().stuck.isEmpty)
        clock.advance(by: .seconds(5))
        center.post(Ping())
        #expect(inspector.snapshot().observers.map(\.oldestWait) == [5])
        clock.advance(by: .seconds(5))
        let snapshot = inspector.snapshot()
        #expect(snapshot.stuck.map(\.waiting) == [2])
        #expect(snapshot.stuck.map(\.oldestWait) == [10])
        #expect(snapshot.warnings.first?.text.hasPrefix("an observer has handled nothing for 10 s, and 2 ") == true)
        withExtendedLifetime(sequence) {}
    }

    @Test func `a queue that was empty for a long time isn't reported as stuck when a notification arrives`() {
        let inspector = inspector()
        let sequence = center.notifications(of: Ping.self)
        _ = inspector.snapshot()
        clock.advance(by: .seconds(60))
        _ = inspector.snapshot()
        center.post(Ping())
        let snapshot = inspector.snapshot()
        #expect(snapshot.observers.map(\.waiting) == [1])
        #expect(snapshot.stuck.isEmpty)
        withExtendedLifetime(sequence) {}
    }

    @Test func `the queue that has made no progress for the longest time comes first among stuck observers`()
        async throws
    {
        let inspector = inspector()
        let moving = center.notifications(of: Ping.self)
        for _ in 0..<2 { center.post(Ping()) }
        _ = inspector.snapshot()
        clock.advance(by: .seconds(5))
        let still = center.notifications(of: Pong.self)
        center.post(Pong())
        _ = inspector.snapshot()
        clock.advance(by: .seconds(5))
        var iterator = moving.makeAsyncIterator()
        _ = await iterator.next()
        _ = inspector.snapshot()
        clock.advance(by: .seconds(10))
        let snapshot = inspector.snapshot(Inspector.Selection(sortedBy: .trouble))
        let types = ["TidingsInspectorTests.Pong", "TidingsInspectorTests.Ping"]
        #expect(snapshot.stuck.map(\.type) == types)
        #expect(snapshot.stuck.map(\.oldestWait) == [15, 20])
        #expect(snapshot.stuck.map(\.stuckFor) == [15, 10])
        // A row is also ranked by this time, and not by the age of its oldest notification.
        #expect(snapshot.observers.map(\.type) == types && snapshot.groups.map(\.type) == types)
        #expect(snapshot.groups.map(\.stuckFor) == [15, 10])
        // An older recording has no `stuckFor`, so its rows are ranked by the age.
        var old = try #require(snapshot.stuck.last)
        old.stuckFor = nil
        #expect(snapshot.stuck.map(\.trouble).max() ?? .infinity < old.trouble)
        withExtendedLifetime((moving, still)) {}
    }

    @Test func `a queue without progress is reported as stuck even if it drops notifications`() {
        let inspector = inspector()
        let sequence = center.notifications(of: Ping.self, buffering: .latest(1))
        for _ in 0..<2 {
            for number in 0..<2 { center.post(Ping(number: number)) }
            #expect(inspector.snapshot().stuck.isEmpty)
            clock.advance(by: .seconds(5))
        }
        let stuck = inspector.snapshot().stuck
        #expect(stuck.map(\.waiting) == [1])
        #expect(stuck.map(\.stuckFor) == [10])
        withExtendedLifetime(sequence) {}
    }

    @Test func `a synchronous observer that hangs is reported as stuck until its call returns`() async {
        let inspector = inspector()
        let entered = Gate()
        let release = Gate()
        let token = center.addObserver(for: Ping.self) { _ in
            entered.open()
            release.wait(patience: .seconds(3600))
        }
        async let hanging: Void = onOwnThread { [center] in center.post(Ping()) }
        await entered.wait()
        let running = inspector.snapshot().observers
        #expect(running.map(\.running) == [true] && running.map(\.stuckFor) == [nil])
        clock.advance(by: .seconds(12))
        let snapshot = inspector.snapshot()
        #expect(snapshot.stuck.map(\.runningFor) == [12] && snapshot.stuck.map(\.stuckFor) == [12])
        release.open()
        await hanging
        #expect(inspector.snapshot().stuck.isEmpty)
        #expect(inspector.snapshot().warnings.map { $0.recovered != nil } == [true])
        token.cancel()
    }

    @Test func `a call that begins during measuring is timed, even if its post came before measuring`() async throws {
        let worker = Worker()
        center.addObserver(worker, on: .actor, for: Ping.self) { worker, _ in await worker.work() }
        for _ in 0..<5 { center.post(Ping()) }
        await worker.arrived.wait()
        let inspector = inspector()
        inspector.measure(.count)
        worker.gate.open()
        await center.drain(within: .seconds(60))
        // The call that was running when measuring began isn't timed.
        let row = try #require(inspector.snapshot().observers.first)
        #expect(row.callTimes?.count == 4)
        #expect(row.waitTimes == nil)
        #expect(row.calls == 5)
        let details = try #require(inspector.details(ofObserver: row.id))
        #expect(details.calls.reduce(0) { $0 + $1.count } == 4)
        #expect(details.lastCalls.count == 4)
    }

    @Test func `a snapshot has the rate of calls even without a monitor`() async throws {
        let worker = Worker()
        worker.gate.open()
        center.addObserver(worker, on: .actor, for: Ping.self) { worker, _ in await worker.work() }
        let inspector = inspector()
        _ = inspector.snapshot()
        for _ in 0..<10 { await center.deliver(Ping()) }
        clock.advance(by: .seconds(2))
        let row = try #require(inspector.snapshot().observers.first)
        #expect(row.calls == 10 && row.callsPerSecond == 5)
        #expect(row.busy != nil)
        #expect(!center.monitoring.isActive)
    }

    // MARK: What leaks?

    @Test
    func `observers registered by one source line form a group, and a group that only grows causes a warning`() throws {
        final class Model: Sendable {}
        let inspector = inspector()
        var tokens: [NotificationToken] = []
        var models: [Model] = []
        var line = 0
        for _ in 0..<8 {
            _ = inspector.snapshot()
            for _ in 0..<5 {
                let model = Model()
                models.append(model)
                tokens.append(center.addObserver(model, for: Ping.self) { _, _ in })
                line = #line - 1
            }
            clock.advance(by: .seconds(1))
        }
        let other = center.addObserver(for: Ping.self) { _ in }
        let snapshot = inspector.snapshot()
        #expect(snapshot.groups.map(\.count).sorted() == [1, 40])
        let group = try #require(snapshot.growing.first)
        #expect(group.count == 40 && group.place.hasSuffix("AnswersTests.swift:\(line)"))
        #expect(group.growth == 5)
        #expect(group.owner?.hasSuffix("Model") == true)
        #expect(snapshot.growingOwners.map(\.count) == [40])
        #expect(Set(snapshot.warnings.map(\.kind)) == [.growingObservers, .growingOwners])
        #expect(snapshot.warnings.first { $0.kind == .growingObservers }?.group == group.id)
        #expect(inspector.details(ofGroup: group.id)?.observers.count == 40)
        tokens.removeFirst().cancel()
        models.removeFirst()
        let calm = inspector.snapshot()
        #expect(calm.growing.isEmpty && calm.growingOwners.isEmpty)
        #expect(calm.warnings.allSatisfy { $0.recovered != nil })
        for token in tokens + [other] { token.cancel() }
        withExtendedLifetime(models) {}
    }

    @Test func `short-lived observers, and a group that has stopped growing, aren't reported as leaks`() {
        let inspector = inspector()
        var tokens: [NotificationToken] = []
        for round in 0..<40 {
            _ = inspector.snapshot()
            if round < 8 { for _ in 0..<5 { tokens.append(center.addObserver(for: Ping.self) { _ in }) } }
            let short = center.addObserver(for: Pong.self) { _ in }
            _ = inspector.snapshot()
            short.cancel()
            clock.advance(by: .seconds(1))
        }
        #expect(inspector.snapshot().growing.isEmpty)
        for token in tokens { token.cancel() }
    }

    // MARK: Why was my observer not called?

    @Test func `the observers that a post didn't call are listed, each with the reason`() async throws {
        let inspector = inspector()
        let ended = center.addObserver(for: Order.self) { _ in }
        let tokens = [
            center.addObserver(for: Order.self) { _ in },
            center.addObserver(for: Order.self, sender: "harbour") { _ in },
            center.addObserver(for: Order.self, where: { $0.number > 100 }) { _ in },
            center.addObserver(on: .task, for: Order.self, where: { $0.number > 100 }) { _ in },
            center.addObserver(for: Order.self, sender: "station", where: { $0.number > 100 }) { _ in },
            center.addObserver(for: Order.self, sender: "harbour", where: { $0.number < 100 }) { _ in },
        ]
        let line = #line - 7
        inspector.measure(.follow)
        ended.cancel()
        clock.advance(by: .seconds(1))
        center.post(Order(sender: "station", number: 1))
        let snapshot = inspector.snapshot()
        let post = try #require(snapshot.posts.first)
        let missed = try #require(snapshot.notCalled(by: post.id))
        let reasons = Dictionary(
            missed.map { (Int($0.place.split(separator: ":").last ?? "") ?? 0, $0.reason) }
        ) { first, _ in first }
        #expect(
            reasons == [
                line - 2: .ended, line + 1: .anotherSender, line + 2: .condition, line + 3: .condition,
                line + 4: .condition, line + 5: .anotherSender,
            ])
        #expect(missed.first { $0.reason == .anotherSender }?.detail == "String")
        #expect(missed.first { $0.reason == .ended }?.detail == "cancelled")
        #expect(snapshot.posts(thatMissed: "AnswersTests.swift:\(line + 1)").map(\.post.id) == [post.id])
        let observer = try #require(snapshot.observers.first { $0.place.hasSuffix(":\(line + 1)") })
        #expect(inspector.details(ofObserver: observer.id)?.missed.map(\.missed.reason) == [.anotherSender])
        for token in tokens { token.cancel() }
    }

    @Test func `an observer that was registered after a post is listed with the reason registeredLater`() throws {
        let inspector = Inspector(of: center)
        inspector.measure(.follow)
        center.post(Ping())
        let token = center.addObserver(for: Ping.self) { _ in }
        #expect(inspector.snapshot().posts.first?.missed?.map(\.reason) == [.registeredLater])
        token.cancel()
    }

    @Test
    func `an observer registered after a post has the reason registeredLater even if clock readings are slow`()
        throws
    {
        let clock = PreemptedClock()
        let inspector = Inspector(of: center, clock: clock)
        inspector.measure(.follow)
        center.post(Ping())
        let token = center.addObserver(for: Ping.self) { _ in }
        clock.preempt()
        #expect(inspector.snapshot().posts.first?.missed?.map(\.reason) == [.registeredLater])
        token.cancel()
    }

    @Test func `the origin of a stopwatch doesn't change between readings`() {
        let stopwatch = Stopwatch(ContinuousClock())
        #expect(stopwatch.origin() == stopwatch.origin())
    }

    @Test func `a post whose deliveries weren't all recorded has no list of missed observers`() {
        let inspector = inspector()
        let tokens = (0..<100).map { _ in center.addObserver(for: Ping.self) { _ in } }
        inspector.measure(.follow)
        for _ in 0..<100 { center.post(Ping()) }
        #expect(inspector.snapshot().posts.allSatisfy { $0.missed?.isEmpty ?? true })
        for token in tokens { token.cancel() }
    }

    @Test func `an observer whose policy dropped the notification is listed as not called`() throws {
        let inspector = inspector()
        let sequence = center.notifications(of: Ping.self, buffering: .oldest(1))
        inspector.measure(.follow)
        for number in 0..<2 { center.post(Ping(number: number)) }
        let posts = inspector.snapshot().posts
        #expect(posts.map { $0.missed?.map(\.reason) } == [[.dropped], []])
        #expect(posts.last?.pending.count == 1)
        withExtendedLifetime(sequence) {}
    }

    // MARK: What did this post cause?

    @Test func `the tree of a post contains queued deliveries, with the number of notifications ahead of them`()
        async throws
    {
        let worker = Worker()
        center.addObserver(worker, on: .actor, for: Ping.self) { worker, _ in await worker.work() }
        for _ in 0..<3 { center.post(Ping()) }
        await worker.arrived.wait()
        let inspector = inspector()
        inspector.measure(.follow)
        for number in 0..<2 { center.post(Ping(number: number)) }
        let posts = inspector.snapshot().posts
        // Of the first three notifications, one is in a call and two are queued.
        #expect(posts.map { $0.pending.map(\.ahead) } == [[3], [2]])
        #expect(posts.flatMap(\.deliveries).allSatisfy { $0.state == .waiting && $0.waited != nil })
        worker.gate.open()
        await center.drain(within: .seconds(60))
        let done = inspector.snapshot().posts
        #expect(done.map { $0.deliveries.map(\.state) } == [[.done], [.done]])
        #expect(done.allSatisfy { $0.pending.isEmpty })
    }

    @Test func `the tree of a followed post contains its running calls`() async throws {
        let worker = Worker()
        center.addObserver(worker, on: .actor, for: Ping.self) { worker, _ in await worker.work() }
        let inspector = inspector()
        inspector.measure(.follow)
        center.post(Ping())
        await worker.arrived.wait()
        #expect(inspector.snapshot().posts.first?.deliveries.map(\.state) == [.running])
        worker.gate.open()
    }

    @Test func `a running call is listed as running, and not as dropped, after later notifications were dropped`() async
    {
        let worker = Worker()
        center.addObserver(worker, on: .actor, for: Ping.self, buffering: .latest(1)) { worker, _ in
            await worker.work()
        }
        let inspector = inspector()
        inspector.measure(.follow)
        center.post(Ping())
        await worker.arrived.wait()
        for number in 1...2 { center.post(Ping(number: number)) }
        let posts = inspector.snapshot().posts
        #expect(posts.map { $0.deliveries.map(\.state) } == [[.waiting], [], [.running]])
        #expect(posts.map { $0.missed?.map(\.reason) } == [[], [.dropped], []])
        worker.gate.open()
    }

    @Test func `in a full list, posts without deliveries don't displace posts with deliveries`() async throws {
        let inspector = inspector()
        let token = center.addObserver(for: Ping.self) { [center] _ in center.post(Pong()) }
        inspector.measure(.follow)
        center.post(Ping())
        for round in 0..<20 {
            for number in 0..<100 { center.post(Order(sender: "\(round)", number: number)) }
            _ = inspector.snapshot()
        }
        let posts = inspector.snapshot().posts
        #expect(posts.count == 200)
        #expect(posts.contains { $0.type.hasSuffix("Ping") } && posts.contains { $0.type.hasSuffix("Pong") })
        token.cancel()
    }

    @Test func `at a high rate, only some posts are followed, each with all posts that it causes`() async throws {
        let inspector = inspector()
        let token = center.addObserver(for: Ping.self) { [center] _ in center.post(Pong()) }
        inspector.measure(.follow)
        #expect(inspector.snapshot().followsOnePostIn == 1)
        var busy = 1
        // If a measuring round ends during these posts, the round counts only some, so the loop may have to repeat.
        while busy <= 5 {
            clock.advance(by: .seconds(1))
            for _ in 0..<100_000 { center.post(Ping()) }
            busy = try #require(inspector.snapshot().followsOnePostIn)
        }
        for _ in 0..<busy * 20 { center.post(Ping()) }
        let posts = inspector.snapshot().posts.filter { $0.cause != nil }
        #expect(!posts.isEmpty)
        await eventually("every post is followed") {
            if inspector.snapshot().followsOnePostIn == 1 { return true }
            clock.advance(by: .seconds(5))
            return false
        }
        token.cancel()
    }

    // MARK: Secrets

    @Test func `senders, errors and notifications are shown by type name or by custom description`() async throws {
        let inspector = inspector()
        let tokens = [
            center.addObserver(for: SignedIn.self, sender: Credentials(password: "hunter2")) { _ in },
            center.addObserver(for: Opened.self, sender: Branch(secret: "hunter2")) { _ in },
            center.addObserver(on: .task, for: SignedIn.self) { _ in throw Refused(card: "hunter2") },
        ]
        inspector.measure(.follow)
        await center.deliver(SignedIn(sender: Credentials(password: "hunter2")))
        await center.deliver(SignedIn(sender: Credentials(password: "other")))
        let snapshot = inspector.snapshot()
        #expect(snapshot.observers.compactMap(\.sender).count { $0.hasSuffix("Credentials") } == 1)
        #expect(snapshot.observers.contains { $0.sender == "a described sender" })
        #expect(snapshot.warnings.first?.text.contains("Refused: ") == true)
        let text = String(decoding: Inspector.Response.encode(snapshot), as: UTF8.self)
        #expect(!text.contains("hunter2") && text.contains("Credentials"))
        for token in tokens { token.cancel() }
    }
}
