import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsInspector

private struct Refused: Error {}

private struct Branch: Hashable, Sendable, CustomTidingsDescription {
    let name: String
    var tidingsDescription: String { name }
}

private struct Ordered: TypedNotification {
    let sender: Branch
}

@Suite(.timeLimit(.minutes(2))) struct WarningTests {
    private let clock = ManualClock()
    private let center = NativeNotificationCenter()

    /// Takes a snapshot each second, and calls the closure before each snapshot.
    private func looks(_ inspector: Inspector, _ count: Int, _ body: (Int) -> Void = { _ in }) -> InspectorSnapshot {
        for number in 0..<count {
            body(number)
            clock.advance(by: .seconds(1))
            _ = inspector.snapshot()
        }
        return inspector.snapshot()
    }

    @Test func `the inspector's numbers of calls, drops and posts equal the program's own counts`() async throws {
        let inspector = Inspector(of: center, clock: clock)
        let (actor, called) = (StoppedActor(), ReceivedValues<Int>())
        _ = center.addObserver(actor, on: .actor, for: Ping.self, buffering: .latest(5)) { _, ping in
            called.append(ping.number)
        }
        _ = inspector.snapshot()
        for number in 0..<100 { center.post(Ping(number: number)) }
        await actor.executor.run { called.values.count == 5 }
        let snapshot = inspector.snapshot()
        let row = try #require(snapshot.observers.first)
        #expect(row.calls == called.values.count)
        #expect(row.dropped == 95)
        #expect(snapshot.types.map(\.deliveries) == [5] && snapshot.totals.deliveries == 5)
        #expect(snapshot.types.map(\.posts) == [100] && snapshot.types.map(\.drops) == [95])
        #expect(snapshot.groups.map(\.calls) == [5])
    }

    @Test func `calls of synchronous observers are counted only while the inspector measures`() {
        let inspector = Inspector(of: center, clock: clock)
        let tokens = [
            center.addObserver(for: Ping.self) { _ in },
            center.addObserver(for: Ping.self, where: { $0.number < 0 }) { _ in },
        ]
        center.post(Ping())
        #expect(inspector.snapshot().observers.map(\.calls) == [nil, nil])
        inspector.measure(.follow)
        for _ in 0..<3 { center.post(Ping()) }
        let rows = inspector.snapshot().observers
        #expect(rows.map(\.calls) == [3, 0])
        #expect(rows.map(\.refused) == [0, 3])
        for token in tokens { token.cancel() }
    }

    @Test func `an observer that isn't called for six seconds causes a warning that names its sender`() throws {
        let inspector = Inspector(of: center, clock: clock)
        let tokens = ["harbour", "station"].map {
            center.addObserver(for: Ordered.self, sender: Branch(name: $0)) { _ in }
        }
        inspector.measure(.count)
        let early = looks(inspector, 3) { _ in for _ in 0..<4 { center.post(Ordered(sender: Branch(name: "station"))) }
        }
        #expect(early.warnings.isEmpty)
        let late = looks(inspector, 4) { _ in center.post(Ordered(sender: Branch(name: "station"))) }
        let warning = try #require(late.warnings.first)
        #expect(late.warnings.map(\.kind) == [.neverCalled])
        #expect(warning.text.hasPrefix("an observer was never called in 6.0 s, although its type was posted 12 times"))
        #expect(warning.text.contains("limited to the sender harbour"))
        #expect(late.observers.filter { $0.isNeverCalled == true }.map(\.sender) == ["harbour"])
        center.post(Ordered(sender: Branch(name: "harbour")))
        #expect(looks(inspector, 1).warnings.allSatisfy { $0.recovered != nil })
        for token in tokens { token.cancel() }
    }

    @Test func `posts before the registration of an observer don't count as posts that didn't call it`() {
        let inspector = Inspector(of: center, clock: clock)
        var tokens = [center.addObserver(for: Ordered.self) { _ in }]
        inspector.measure(.count)
        clock.advance(by: .seconds(1))
        for _ in 0..<10 { center.post(Ordered(sender: Branch(name: "station"))) }
        tokens.append(center.addObserver(for: Ordered.self, sender: Branch(name: "harbour")) { _ in })
        #expect(looks(inspector, 7).warnings.isEmpty)
        let late = looks(inspector, 1) { _ in
            for _ in 0..<10 { center.post(Ordered(sender: Branch(name: "station"))) }
        }
        #expect(late.warnings.map(\.kind) == [.neverCalled])
        for token in tokens { token.cancel() }
    }

    @Test func `the time without a call of a synchronous observer begins with the measurement`() throws {
        let inspector = Inspector(of: center, clock: clock)
        let tokens = ["harbour", "station"].map {
            center.addObserver(for: Ordered.self, sender: Branch(name: $0)) { _ in }
        }
        _ = inspector.snapshot()
        clock.advance(by: .seconds(600))
        inspector.measure(.count)
        for _ in 0..<10 { center.post(Ordered(sender: Branch(name: "station"))) }
        #expect(inspector.snapshot().warnings.isEmpty)
        clock.advance(by: .seconds(5))
        let warning = try #require(inspector.snapshot().warnings.first)
        #expect(warning.text.hasPrefix("an observer was never called in 5.0 s, although its type was posted 10 times"))
        for token in tokens { token.cancel() }
    }

    @Test func `an asynchronous observer that is never called causes a warning even if nothing is measured`() {
        let inspector = Inspector(of: center, clock: clock)
        let token = center.addObserver(on: .task, for: Ordered.self, sender: Branch(name: "harbour")) { _ in }
        let snapshot = looks(inspector, 7) { _ in
            for _ in 0..<2 { center.post(Ordered(sender: Branch(name: "station"))) }
        }
        #expect(snapshot.observers.map(\.calls) == [0])
        #expect(snapshot.warnings.map(\.kind) == [.neverCalled])
        token.cancel()
    }

    @Test func `posts without observers are counted separately, and cause a notice`() throws {
        let inspector = Inspector(of: center, clock: clock)
        inspector.measure(.count)
        for _ in 0..<3 { center.post(Pong()) }
        let line = #line - 1
        let snapshot = inspector.snapshot()
        #expect(snapshot.types.map(\.unobserved) == [3])
        let warning = try #require(snapshot.warnings.first)
        #expect(warning.kind == .unobserved && warning.severity == .notice)
        #expect(warning.place == "TidingsInspectorTests/WarningTests.swift:\(line)")
        #expect(warning.text.hasPrefix("TidingsInspectorTests.Pong was posted 3 times while it had no observers"))
        // Later snapshots don't count the warning again.
        #expect(looks(inspector, 2).warnings.map(\.count) == [1])
    }

    @Test func `the warning about an observer that hangs contains the last mark of the observer's call`() async throws {
        var options = Inspector.Options.test
        options.stuckAfter = .zero
        let inspector = Inspector(of: center, options: options, clock: clock)
        let (gate, begun) = (Gate(), Gate())
        let token = center.addObserver(on: .task, for: Ping.self) { _ in
            Tidings.mark("waiting for the bank")
            begun.open()
            await gate.wait()
        }
        let place = "\(#fileID):\(#line - 4)"
        center.post(Ping())
        await begun.wait()
        let snapshot = inspector.snapshot()
        let row = try #require(snapshot.stuck.first)
        #expect(row.mark == "waiting for the bank" && row.markedAt == place && row.markedFor != nil)
        let warning = try #require(snapshot.warnings.first { $0.kind == .stuck })
        #expect(warning.text.contains("at \"waiting for the bank\" (\(place))"))
        gate.open()
        await token.cancelAndDrain()
        #expect(inspector.snapshot().observers.isEmpty)
    }

    @Test(arguments: [[true, true], [true, false], [false, true], [true, false, true]])
    func `drops in a group count as intended only if each of its observers keeps just the latest notification`(
        intends: [Bool]
    ) {
        let inspector = Inspector(of: center, clock: clock)
        let sequences = intends.map { center.notifications(of: Ping.self, buffering: $0 ? .latest(1) : .latest(2)) }
        let snapshot = looks(inspector, 2) { _ in for _ in 0..<5 { center.post(Ping()) } }
        #expect(snapshot.groups.map(\.count) == [intends.count])
        #expect(snapshot.groups.map(\.intendsDrops) == [intends.contains(false) ? nil : true])
        withExtendedLifetime(sequences) {}
    }

    @Test func `drops are counted without a warning if the policy keeps just the latest notification`() {
        let inspector = Inspector(of: center, clock: clock)
        let sequence = center.notifications(of: Ping.self, buffering: .latest(1))
        let snapshot = looks(inspector, 2) { _ in for _ in 0..<5 { center.post(Ping()) } }
        #expect(snapshot.observers.map(\.dropped) == [9] && snapshot.observers.map(\.intendsDrops) == [true])
        #expect(snapshot.totals.drops == 9)
        #expect(snapshot.warnings.isEmpty)
        withExtendedLifetime(sequence) {}
    }

    @Test func `the most important warning comes first`() async {
        var options = Inspector.Options()
        options.stuckAfter = .seconds(2)
        let inspector = Inspector(of: center, options: options, clock: clock)
        let sequence = center.notifications(of: Ping.self, buffering: .oldest(1))
        inspector.measure(.count)
        let snapshot = looks(inspector, 4) { _ in
            for _ in 0..<2 { center.post(Ping()) }
            center.post(Pong())
        }
        // The queue is stuck, notifications are dropped, and the other type has no observers.
        #expect(snapshot.warnings.map(\.kind) == [.stuck, .drops, .unobserved])
        #expect(snapshot.warnings.map(\.severity) == [.alarm, .warning, .notice])
        #expect(snapshot.warnings.first?.text.contains("1 notification waits") == true)
        withExtendedLifetime(sequence) {}
    }

    @Test func `a queue that grows steadily causes a warning while it is still short`() {
        var options = Inspector.Options()
        options.stuckAfter = .seconds(100)
        let inspector = Inspector(of: center, options: options, clock: clock)
        let sequence = center.notifications(of: Ping.self)
        let snapshot = looks(inspector, 8) { _ in for _ in 0..<3 { center.post(Ping()) } }
        #expect(snapshot.warnings.map(\.kind) == [.growingQueue])
        #expect(snapshot.observers.map(\.waiting) == [24])
        withExtendedLifetime(sequence) {}
    }

    @Test func `a burst that is handled causes no warning`() async {
        let inspector = Inspector(of: center, clock: clock)
        let sequence = center.notifications(of: Ping.self)
        var iterator = sequence.makeAsyncIterator()
        _ = inspector.snapshot()
        for _ in 0..<900 { center.post(Ping()) }
        for _ in 0..<9 {
            for _ in 0..<100 { _ = await iterator.next() }
            clock.advance(by: .seconds(1))
            #expect(inspector.snapshot().warnings.isEmpty)
        }
    }

    @Test func `the first snapshot shows how long the oldest notification has been queued`() async {
        let sequence = center.notifications(of: Ping.self)
        center.post(Ping())
        let status = center.observations.first
        let inspector = Inspector(of: center)
        let waited = inspector.snapshot().observers.first?.oldestWait ?? -1
        #expect(waited >= (status?.oldestWait ?? .zero) / .seconds(1))
        withExtendedLifetime(sequence) {}
    }

    @Test func `a retry after an error causes a notice, and the last failed attempt causes a warning`() async throws {
        let inspector = Inspector(of: center, clock: clock)
        let retries = ManualClock()
        let token = center.addObserver(
            on: .task, for: Ping.self, onFailure: .retry(after: [.seconds(5)], clock: retries)
        ) { _ in throw Refused() }
        inspector.measure(.count)
        center.post(Ping())
        await retries.waitForSleepers()
        let waiting = inspector.snapshot()
        #expect(waiting.observers.map(\.retrying) == [1])
        #expect(waiting.warnings.map(\.kind) == [.retries])
        // The observer waits for its next attempt, so it isn't stuck.
        clock.advance(by: .seconds(60))
        let later = inspector.snapshot()
        #expect(later.stuck.isEmpty && later.warnings.map(\.kind) == [.retries])
        retries.advance(by: .seconds(5))
        await center.drain(within: .seconds(600))
        let failed = inspector.snapshot()
        #expect(failed.observers.map(\.failed) == [1] && failed.observers.map(\.retrying) == [0])
        #expect(failed.warnings.filter { $0.recovered == nil }.map(\.kind) == [.failure])
        token.cancel()
    }

    @Test func `a call that takes much longer than the others is an outlier`() {
        var durations = Durations()
        for _ in 0..<19 { durations.add(0.000_003) }
        #expect(durations.outlier == nil)
        durations.add(0.9)
        #expect(durations.outlier?.longest == 0.9)
        #expect(durations.outlier.map { $0.median < 0.000_004 } == true)
        // Short calls, and calls that aren't much longer than the others, are no outliers.
        var quick = Durations()
        for _ in 0..<40 { quick.add(0.000_003) }
        quick.add(0.01)
        var slow = Durations()
        for _ in 0..<40 { slow.add(0.1) }
        slow.add(0.9)
        #expect(quick.outlier == nil && slow.outlier == nil)
    }

    @Test func `a cycle of two posts that cause each other leads to a warning that names both lines`() async throws {
        let (center, count) = (center, ReceivedValues<Int>())
        let inspector = Inspector(of: center, clock: clock)
        let tokens = [
            center.addObserver(on: .task, for: Ping.self) { ping in
                count.append(ping.number)
                if ping.number < 20 { center.post(Pong()) }
            },
            center.addObserver(on: .task, for: Pong.self) { _ in center.post(Ping(number: count.values.count)) },
        ]
        inspector.measure(.count)
        center.post(Ping())
        await eventually("more than twenty pings are received", { count.values.count }, until: { $0 > 20 })
        await center.drain(within: .seconds(600))
        let warning = try #require(inspector.snapshot().warnings.first { $0.kind == .postCycle })
        #expect(warning.severity == .warning)
        #expect(warning.text.contains("Ping causes ") && warning.text.contains("Pong causes "))
        // The text names the line of each of the two posts.
        #expect(Set(warning.text.matches(of: /WarningTests.swift:\d+/).map(\.output)).count == 2)
        inspector.measure(.look)
        #expect(inspector.snapshot().warnings.allSatisfy { $0.kind != .postCycle || $0.recovered != nil })
        for token in tokens { token.cancel() }
    }

    @Test func `one nested post from the same line causes no warning, but two nested posts cause a warning`() throws {
        let (center, inspector) = (center, Inspector(of: center, clock: clock))
        // The same line makes all posts.
        @Sendable func post(_ number: Int) { center.post(Ping(number: number)) }
        let token = center.addObserver(for: Ping.self) { if $0.number > 0 { post($0.number - 1) } }
        inspector.measure(.count)
        post(1)
        #expect(inspector.snapshot().warnings.allSatisfy { $0.kind != .postCycle })
        post(2)
        let line = #line - 6
        let warning = try #require(inspector.snapshot().warnings.first { $0.kind == .postCycle })
        #expect(warning.place == "TidingsInspectorTests/WarningTests.swift:\(line)")
        token.cancel()
    }

    @Test func `of the many posts that one post causes, only some are recorded, and the others are counted`()
        async throws
    {
        let (center, count) = (center, ReceivedValues<Int>())
        let inspector = Inspector(of: center, clock: clock)
        let token = center.addObserver(on: .task, for: Ping.self) { ping in
            count.append(ping.number)
            if ping.number < 1500 { center.post(Ping(number: ping.number + 1)) }
        }
        inspector.measure(.follow)
        center.post(Ping())
        await eventually("ping 1500 is received", { count.values.last }, until: { $0 == 1500 })
        await center.drain(within: .seconds(600))
        inspector.adapt(to: 0)
        let snapshot = inspector.snapshot()
        #expect(snapshot.posts.count <= 200)
        #expect(snapshot.omitted.causedPosts ?? 0 > 0)
        token.cancel()
    }
}
