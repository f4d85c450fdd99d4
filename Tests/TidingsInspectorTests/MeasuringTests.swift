import TestSupport
import Testing
import TidingsTesting

@testable import Tidings
@testable import TidingsInspector

@Suite(.timeLimit(.minutes(2))) struct MeasuringTests {
    private let clock = ManualClock()
    private let center = NativeNotificationCenter()

    @Test func `an inspector whose tier is count measures the durations of posts, calls and waits`() async throws {
        let inspector = Inspector(of: center, clock: clock)
        let relayer = Relayer(center)
        let token = center.addObserver(for: Ping.self) { _ in }
        center.addObserver(relayer, on: .actor, for: Ping.self) { relayer, _ in relayer.relay() }
        inspector.measure(.count)
        #expect(center.monitoring.isActive)
        for _ in 0..<10 { await center.deliver(Ping()) }
        let snapshot = inspector.snapshot()
        #expect(snapshot.tier == .count)
        #expect(snapshot.posts.isEmpty)
        let type = try #require(snapshot.types.first { $0.name.hasSuffix("Ping") })
        #expect(type.postTimes?.count == 10)
        #expect(type.callTimes?.count == 20)
        #expect(type.waitTimes?.count == 10)
        let actor = try #require(snapshot.observers.first { $0.delivery == "in an actor" })
        #expect(actor.callTimes?.count == 10)
        #expect(actor.waitTimes?.count == 10)
        inspector.measure(.look)
        #expect(!center.monitoring.isActive)
        token.cancel()
    }

    @Test func `a call's duration is at most the duration of its post, even if the call makes another post`() throws {
        let inspector = Inspector(of: center)
        let tokens = [
            center.addObserver(for: Ping.self) { _ in },
            center.addObserver(for: Ping.self) { [center] _ in center.post(Pong()) },
            center.addObserver(for: Pong.self) { _ in },
        ]
        inspector.measure(.follow)
        let time = ContinuousClock().measure { center.post(Ping()) } / .seconds(1)
        let ping = try #require(inspector.snapshot().posts.first { $0.type.hasSuffix("Ping") })
        #expect(ping.deliveries.count == 2)
        #expect(ping.deliveries.allSatisfy { $0.duration ?? 0 <= time })
        for token in tokens { token.cancel() }
    }

    @Test func `a followed post is shown with its consequences, including the posts that an actor makes`()
        async throws
    {
        let inspector = Inspector(of: center, clock: clock)
        let relayer = Relayer(center)
        let token = center.addObserver(for: Ping.self) { _ in }
        center.addObserver(relayer, on: .actor, for: Ping.self) { relayer, _ in relayer.relay() }
        let later = center.addObserver(for: Pong.self) { _ in }
        inspector.measure(.follow)
        await center.deliver(Ping())
        let line = #line - 1
        let posts = inspector.snapshot().posts
        // The actor may have posted before the first post returned.
        #expect(posts.map(\.type).sorted() == ["TidingsInspectorTests.Ping", "TidingsInspectorTests.Pong"])
        let pong = try #require(posts.first { $0.type.hasSuffix("Pong") })
        let ping = try #require(posts.first { $0.type.hasSuffix("Ping") })
        #expect(ping.place == "TidingsInspectorTests/MeasuringTests.swift:\(line)")
        #expect(ping.cause == nil)
        #expect(ping.observers == 2)
        #expect(ping.deliveries.map(\.inPost) == [true, false])
        let hop = try #require(ping.deliveries.last)
        #expect(hop.context?.hasPrefix("Relayer (0x") == true)
        #expect(hop.waited != nil && hop.duration != nil)
        #expect(pong.cause == hop.id)
        let observer = try #require(center.observations.first { $0.subject.type == Pong.self })
        #expect(pong.deliveries.map(\.observer) == ["\(observer.id)"])
        #expect(pong.time >= hop.time)
        for token in [token, later] { token.cancel() }
    }

    @Test func `a payload or message is shown if its type describes it, and long text is truncated`() async throws {
        let bus = MessageBus<AppMessage>()
        let inspector = Inspector(of: center, bus, clock: clock)
        let consumer = Consumer()
        bus.add(consumer)
        let tokens = [center.addObserver(for: Described.self) { _ in }, center.addObserver(for: Ping.self) { _ in }]
        inspector.measure(.follow)
        center.post(Described(tidingsDescription: String(repeating: "<b>", count: 1_000_000)))
        center.post(Ping(number: 4711))
        bus.dispatch(.opened)
        let payloads = inspector.snapshot().posts.map(\.payload)
        #expect(payloads.count == 3)
        #expect(payloads[0] == "opened")
        #expect(payloads[1] == nil)
        let long = try #require(payloads[2])
        #expect(long.hasPrefix("<b><b>") && long.hasSuffix("…"))
        #expect(long.utf8.count <= InspectorSnapshot.longestText)
        for token in tokens { token.cancel() }
    }

    @Test func `the inspector's own activity isn't shown`() async throws {
        struct Sly: TypedNotification, CustomTidingsDescription {
            let center: NativeNotificationCenter
            var tidingsDescription: String {
                center.post(Pong())
                return "sly"
            }
        }
        let inspector = Inspector(of: center, clock: clock)
        let tokens = [center.addObserver(for: Sly.self) { _ in }, center.addObserver(for: Pong.self) { _ in }]
        inspector.measure(.follow)
        for _ in 0..<3 { _ = inspector.answer("/snapshot", authorization: "Bearer \(inspector.token)") }
        center.post(Sly(center: center))
        let snapshot = inspector.snapshot()
        #expect(snapshot.posts.map(\.payload) == ["sly"])
        #expect(snapshot.observers.count == 2)
        for token in tokens { token.cancel() }
    }

    @Test func `the number of followed posts is limited, and discarded posts are counted`() throws {
        let inspector = Inspector(of: center, clock: clock)
        let tokens = (0..<40).map { _ in center.addObserver(for: Ping.self) { _ in } }
        inspector.measure(.follow)
        for number in 0..<2000 { center.post(Ping(number: number)) }
        // Warnings and long calls have a separate limit in the log. A busy machine may cause a few of them.
        func isRare(_ entry: EventLog.Entry) -> Bool {
            switch entry.event {
            case .warning: true
            case .delivered(let delivery): delivery.duration.map { $0 >= .milliseconds(10) } == true
            default: false
            }
        }
        inspector.log.drain { taken in
            #expect(taken.entries.count >= 4096 && taken.entries.dropFirst(4096).allSatisfy(isRare))
        }
        for number in 0..<2000 { center.post(Ping(number: number)) }
        let snapshot = inspector.snapshot()
        #expect(!snapshot.posts.isEmpty && snapshot.posts.count <= 200)
        #expect(snapshot.posts.allSatisfy { $0.deliveries.count <= 32 })
        #expect(snapshot.posts.first?.omitted == 8)
        #expect(snapshot.posts.reduce(0) { $0 + $1.deliveries.count } <= 1000)
        #expect(snapshot.omitted.posts == 2000 - snapshot.posts.count)
        for token in tokens { token.cancel() }
    }

    @Test func `followed posts are shown until following ends`() {
        let inspector = Inspector(of: center, clock: clock)
        inspector.measure(.follow)
        for _ in 0..<300 { center.post(Pong()) }
        let followed = inspector.snapshot()
        #expect(!followed.posts.isEmpty && followed.posts.count + followed.omitted.posts == 300)
        inspector.measure(.look)
        let looked = inspector.snapshot()
        #expect(looked.posts.isEmpty && looked.omitted.posts == 0)
    }

    @Test func `measuring ends after its time limit`() async {
        var options = Inspector.Options()
        options.measuringTime = .seconds(60)
        let inspector = Inspector(of: center, options: options, clock: clock)
        inspector.measure(.count)
        #expect(inspector.snapshot().tierEnds == 60)
        // Measuring ends even though snapshots are taken all the time.
        for _ in 0..<300 {
            await clock.waitForSleepers()
            _ = inspector.snapshot()
            clock.advance(by: .milliseconds(200))
        }
        await eventually("the inspector no longer measures") { inspector.tier == .look && !center.monitoring.isActive }
        #expect(inspector.snapshot().tierEnds == nil)
    }

    @Test func `measuring ends when no snapshot has been requested for ten seconds, and not before`() async {
        let inspector = Inspector(of: center, clock: clock)
        inspector.measure(.follow)
        for _ in 0..<49 {
            await clock.waitForSleepers()
            clock.advance(by: .milliseconds(200))
        }
        await clock.waitForSleepers()
        #expect(inspector.tier == .follow)
        clock.advance(by: .milliseconds(200))
        await eventually("the inspector stops following", { inspector.tier }, until: { $0 == .look })
        await eventually("the monitor is detached") { !center.monitoring.isActive }
    }

    @Test
    func
        `events that don't fit in the log are counted, rare events are kept, and a snapshot empties the log`()
    {
        let inspector = Inspector(of: center, clock: clock)
        let token = center.addObserver(for: Ping.self) { _ in }
        inspector.measure(.follow)
        for _ in 0..<10_000 { center.post(Ping()) }
        token.cancel()
        let full = inspector.snapshot()
        #expect(full.ended.map(\.reason) == ["cancelled"])
        #expect(!full.posts.isEmpty && full.posts.count + full.omitted.posts == 10_000)
        let last = full.posts.first?.id
        center.post(Ping())
        let next = inspector.snapshot()
        #expect(next.posts.first?.id != last && next.posts.first?.observers == 0)
        #expect(next.posts.count + next.omitted.posts == 10_001)
    }

    @Test
    func `the numbers of calls and rejections of an observer that wasn't recorded stay unknown when others end`() throws
    {
        let log = EventLog(capacity: 20_000, subjects: 1)
        let attachment = center.attach(
            LoggingObserver(log: log, follows: false, subject: 0, stopwatch: Stopwatch(clock)))
        let tokens = (0..<10_001).map { _ in center.addObserver(for: Ping.self) { _ in } }
        var measured = Measured(subjects: 1, isFollowing: false, began: 0)
        center.post(Ping())
        log.drain { measured.add($0) }
        #expect(measured.observers.count == 10_000)
        let unrecorded = try #require(center.observations.first { measured.observers[$0.id] == nil })
        #expect(measured.calls(of: unrecorded.id) == nil && measured.refusals(by: unrecorded.id) == nil)
        tokens[0].cancel()
        log.drain { measured.add($0) }
        #expect(measured.observers.count == 9_999)
        #expect(measured.calls(of: unrecorded.id) == nil)
        let recorded = try #require(center.observations.first { measured.observers[$0.id] != nil })
        #expect(measured.calls(of: recorded.id) == 1 && measured.refusals(by: recorded.id) == 0)
        // Now there is room for the observer, but its first call is still missing.
        center.post(Ping())
        log.drain { measured.add($0) }
        #expect(measured.observers[unrecorded.id]?.calls.count == 1)
        #expect(measured.calls(of: unrecorded.id) == nil && measured.refusals(by: unrecorded.id) == nil)
        #expect(measured.calls(of: recorded.id) == 2)
        for token in tokens { token.cancel() }
        attachment.detach()
    }

    @Test func `a busy center is measured for only a part of the time`() async {
        let inspector = Inspector(of: center, clock: clock)
        let token = center.addObserver(for: Ping.self) { _ in }
        inspector.measure(.count)
        // The first round only reads the number of events. The next round calculates the rate from it.
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(200))
        await clock.waitForSleepers()
        for _ in 0..<100_000 { center.post(Ping()) }
        clock.advance(by: .milliseconds(200))
        // At a million events per second, the center is measured for a tenth of the time.
        await clock.waitForSleepers()
        await eventually("the monitor is attached") { center.monitoring.isActive }
        clock.advance(by: .milliseconds(21))
        await clock.waitForSleepers()
        #expect(!center.monitoring.isActive)
        #expect(inspector.tier == .count)
        token.cancel()
    }

    @Test func `at a high rate, only some posts are followed from the beginning of the measurement`() {
        let inspector = Inspector(of: center, clock: clock)
        let token = center.addObserver(for: Ping.self) { _ in }
        _ = inspector.snapshot()
        for _ in 0..<20_000 { center.post(Ping()) }
        clock.advance(by: .seconds(1))
        inspector.measure(.follow)
        // There are 40,000 posts and calls in a second, and at most 20,000 are followed.
        #expect(inspector.snapshot().followsOnePostIn == 2)
        token.cancel()
    }

    @Test func `an inspector that is deallocated detaches its monitors`() {
        do {
            let inspector = Inspector(of: center, clock: clock)
            inspector.measure(.follow)
            #expect(center.monitoring.isActive)
            withExtendedLifetime(inspector) {}
        }
        #expect(!center.monitoring.isActive)
    }

    @Test func `an error that an observer throws causes a warning, which is marked as recovered later`() async throws {
        struct Refused: Error {}
        let inspector = Inspector(of: center, clock: clock)
        let token = center.addObserver(on: .task, for: Ping.self) { _ in throw Refused() }
        inspector.measure(.count)
        await center.deliver(Ping())
        let warnings = inspector.snapshot().warnings
        #expect(warnings.map(\.kind) == [.failure])
        #expect(warnings.first?.text.contains("Refused") == true)
        clock.advance(by: .seconds(30))
        #expect(inspector.snapshot().warnings.map { $0.recovered != nil } == [true])
        token.cancel()
    }

    @Test func `a percentile is at most an eighth too high, and never too low`() throws {
        var durations = Durations()
        var generator = SystemRandomNumberGenerator()
        var all: [Double] = []
        for _ in 0..<10_000 {
            let seconds = Double(generator.next() % 1_000_000) * 1e-8
            all.append(seconds)
            durations.add(seconds)
        }
        all.sort()
        let times = try #require(durations.times)
        for (share, found) in [(0.5, times.median), (0.9, times.percentile90), (0.99, times.percentile99)] {
            let exact = all[Int(share * 10_000) - 1]
            #expect(found >= exact && found <= exact * 1.125 + 2e-9)
        }
        #expect(times.longest == all.last)
        #expect(times.count == 10_000)
    }

    @Test func `durations of more than four billion calls can be merged`() {
        var durations = Durations()
        durations.add(0.001)
        for _ in 0..<33 {
            let same = durations
            durations.add(same)
        }
        #expect(durations.count == 1 << 33)
        #expect(durations.histogram.map(\.count) == [Int(UInt32.max)])
    }
}
