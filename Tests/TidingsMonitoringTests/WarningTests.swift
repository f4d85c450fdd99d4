import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private struct WillShow: MainActorNotification {}

/// An owner that is kept alive by the closure of its own observer.
private final class Leaking: Sendable {
    func reload() {}
}

@Suite(.timeLimit(.minutes(2))) struct WarningTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let monitor = RecordingMonitor()

    @Test func `a queue that grows past its threshold is reported once, with the place of registration`() async {
        let attachment = center.attach(monitor, thresholds: WarningThresholds(waiting: 2, ownerAge: nil), clock: clock)
        for round in 1...2 {
            let (begun, gate) = (Gate(), Gate())
            let token = center.addObserver(on: .task, for: Numbered.self) { _ in
                begun.open()
                await gate.wait()
            }
            let line = #line - 4
            center.post(Numbered(number: 0))
            await begun.wait()
            for number in 1...2 { center.post(Numbered(number: number)) }
            #expect(monitor.warnings.count == round - 1)
            for number in 3...4 { center.post(Numbered(number: number)) }
            #expect(monitor.warnings.count == round)
            #expect(
                monitor.warnings.last?.description
                    .hasPrefix("3 notifications wait for an observer: TestSupport.Numbered") == true)
            #expect(
                monitor.warnings.last?.observer.place.description == "TidingsMonitoringTests/WarningTests.swift:\(line)"
            )
            token.cancel()
            gate.open()
            await token.cancelAndDrain()
        }
        withExtendedLifetime(attachment) {}
    }

    @MainActor
    @Test func `an observer's slow calls cause one warning if they run on the main actor, and none otherwise`() async {
        let (clock, received) = (clock, ReceivedValues<Int>())
        let attachment = center.attach(monitor, clock: clock)
        let tokens = [
            center.addObserver(for: WillShow.self) { _ in clock.advance(by: .seconds(1)) },
            center.addObserver(for: Ping.self) { _ in clock.advance(by: .seconds(1)) },
            center.addObserver(on: .main, for: Numbered.self) { _ in
                clock.advance(by: .seconds(2))
                received.append(0)
            },
        ]
        for number in 0..<2 {
            center.post(WillShow())
            center.post(Ping())
            center.post(Numbered(number: number))
        }
        await eventually("six deliveries are reported", { monitor.deliveries.count }, until: { $0 >= 6 })
        #expect(monitor.warnings.map(\.observer.delivery) == [.inPostOnMainActor, .mainActor])
        #expect(
            monitor.warnings.first?.description.hasPrefix("an observer took 1.0 seconds on the main actor: ") == true)
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `an owner that is kept alive by its own observer is reported once, when it exceeds the age limit`() {
        let thresholds = WarningThresholds(ownerAge: .seconds(60))
        let attachment = center.attach(monitor, thresholds: thresholds, clock: clock)
        weak var weakOwner: Leaking?
        do {
            let owner = Leaking()
            weakOwner = owner
            center.addObserver(owner, for: Ping.self) { _, _ in owner.reload() }
        }
        let line = #line - 2
        do {
            let owner = Leaking()
            center.addObserver(owner, for: Ping.self) { me, _ in me.reload() }
        }
        #expect(weakOwner != nil)
        clock.advance(by: .seconds(60))
        center.post(Ping())
        #expect(monitor.warnings.isEmpty)
        clock.advance(by: .seconds(1))
        attachment.check()
        attachment.check()
        #expect(monitor.warnings.count == 1)
        #expect(monitor.warnings.first?.observer.place.line == UInt(line))
        #expect(monitor.warnings.first?.description.contains("is still alive after 61.0 seconds") == true)
        #expect(monitor.warnings.first?.description.contains("Leaking (0x") == true)
    }

    @Test
    func `an owner's age begins no earlier than the monitor's attachment, and is checked at events and detachment`() {
        let owners = [Account(), Account(), Account()]
        center.addObserver(owners[0], for: Ping.self) { _, _ in }
        clock.advance(by: .seconds(100))
        let thresholds = WarningThresholds(ownerAge: .seconds(60))
        let attachment = center.attach(monitor, thresholds: thresholds, clock: clock)
        center.addObserver(owners[1], for: Ping.self) { _, _ in }.cancel()
        clock.advance(by: .seconds(50))
        center.addObserver(owners[2], for: Ping.self) { _, _ in }
        #expect(monitor.warnings.isEmpty)
        clock.advance(by: .seconds(50))
        center.post(Ping())
        #expect(monitor.warnings.count == 1)
        clock.advance(by: .seconds(50))
        attachment.detach()
        #expect(monitor.warnings.count == 2)
        withExtendedLifetime(owners) {}
    }

    @Test func `owners that live too long are reported, the oldest first`() {
        let attachment = center.attach(monitor, thresholds: WarningThresholds(ownerAge: .seconds(60)), clock: clock)
        var random = SystemRandomNumberGenerator()
        var owners: [(owner: Account, token: NotificationToken)] = []
        for _ in 0..<1000 {
            let owner = Account()
            owners.append((owner, center.addObserver(owner, for: Ping.self) { _, _ in }))
            while owners.count > 100 || !owners.isEmpty && random.next(upperBound: UInt(3)) == 0 {
                owners.remove(at: Int(random.next(upperBound: UInt(owners.count)))).token.cancel()
            }
        }
        let lasting = owners.map { "(0x" + String(UInt(bitPattern: ObjectIdentifier($0.owner)), radix: 16) + ")" }
        clock.advance(by: .seconds(61))
        attachment.check()
        #expect(monitor.warnings.count == lasting.count)
        #expect(zip(monitor.warnings, lasting).allSatisfy { $0.description.contains($1) })
        attachment.check()
        #expect(monitor.warnings.count == lasting.count)
    }

    // MARK: Repeated warnings and recovery

    @Test func `a queue that continues to grow causes a warning at each doubling, and one when it recovers`() async {
        let actor = StoppedActor()
        let attachment = center.attach(monitor, thresholds: WarningThresholds(waiting: 2), clock: clock)
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        func post(_ count: Int) { for number in 0..<count { center.post(Numbered(number: number)) } }
        post(14)
        #expect(monitor.warnings.map(\.words) == ["long 3", "long 6", "long 12"])
        await actor.executor.finish { monitor.deliveries.count == 14 }
        #expect(monitor.warnings.map(\.words).dropFirst(3) == ["recovered from 14"])
        #expect(
            monitor.warnings.last?.description.hasPrefix(
                "the queue of an observer, which held up to 14 notifications, has")
                == true)
        #expect(monitor.deliveries.firstIndex { $0.waiting == 1 } == 12)
        withExtendedLifetime(attachment) {}
    }

    @Test func `the recovery of a queue that held one notification is described in the singular`() async {
        let actor = StoppedActor()
        let attachment = center.attach(monitor, thresholds: WarningThresholds(waiting: 0), clock: clock)
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        center.post(Numbered(number: 0))
        await actor.executor.finish { monitor.warnings.count == 2 }
        #expect(monitor.warnings.last?.description.contains("which held up to 1 notification, has recovered") == true)
        withExtendedLifetime(attachment) {}
    }

    @Test
    func
        `a queue that grows again after a recovery causes another warning, and the end of its observer causes none`()
        async
    {
        let actor = StoppedActor()
        let attachment = center.attach(monitor, thresholds: WarningThresholds(waiting: 1), clock: clock)
        let token = center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        for _ in 1...2 {
            for number in 0..<3 { center.post(Numbered(number: number)) }
            let before = monitor.deliveries.count
            await actor.executor.run(until: { monitor.deliveries.count == before + 3 })
        }
        #expect(monitor.warnings.map(\.words) == ["long 2", "recovered from 3", "long 2", "recovered from 3"])
        for number in 0..<3 { center.post(Numbered(number: number)) }
        token.cancel()
        #expect(monitor.warnings.map(\.words).dropFirst(4) == ["long 2"])
        await actor.executor.finish { true }
        withExtendedLifetime(attachment) {}
    }

    @Test func `while drops continue, one warning per second reports their number`() async {
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .oldest(1)) { _, _ in }
        let line = #line - 1
        // Without a threshold for calls, only the timer that reports drops sleeps.
        let attachment = center.attach(monitor, thresholds: WarningThresholds(call: nil), clock: clock)
        func post(_ count: Int) { for number in 0..<count { center.post(Numbered(number: number)) } }
        post(2)
        clock.advance(by: .seconds(1))
        post(1)
        #expect(monitor.warnings.map(\.words) == ["1 of 2 dropped"])
        post(5)
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(999))
        post(1)
        #expect(monitor.warnings.count == 1)
        clock.advance(by: .milliseconds(1))
        await eventually("the second warning is reported", { monitor.warnings.count }, until: { $0 == 2 })
        #expect(monitor.warnings.map(\.words).dropFirst() == ["6 of 8 dropped"])
        #expect(monitor.warnings.last?.observer.place.line == UInt(line))
        post(1)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        await eventually("the third warning is reported", { monitor.warnings.count }, until: { $0 == 3 })
        attachment.check()
        attachment.check()
        #expect(monitor.warnings.map(\.words).dropFirst(2) == ["1 of 9 dropped"])
        post(4)
        attachment.check()
        #expect(monitor.warnings.count == 3)
        attachment.detach()
        #expect(monitor.warnings.map(\.words).dropFirst(3) == ["4 of 13 dropped"])
        await actor.executor.finish { center.observations.allSatisfy { $0.queued == 0 } }
    }

    @Test func `drops are reported when their observer ends, unless the interval for drop warnings is nil`() async {
        let actor = StoppedActor()
        let silent = RecordingMonitor()
        let attachments = [
            center.attach(monitor, clock: clock),
            center.attach(silent, thresholds: WarningThresholds(dropInterval: nil), clock: clock),
        ]
        let token = center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .oldest(1)) { _, _ in }
        for number in 0..<4 { center.post(Numbered(number: number)) }
        token.cancel()
        #expect(monitor.warnings.map(\.words) == ["2 of 3 dropped"])
        #expect(monitor.warnings.first?.description.hasPrefix("2 more notifications were dropped, 3 in all: ") == true)
        #expect(silent.warnings.isEmpty)
        withExtendedLifetime(attachments) {}
    }

    @Test func `a post that reaches nobody is reported once, with its place, if an observer of its type has ended`() {
        let silent = RecordingMonitor()
        let attachments = [
            center.attach(monitor), center.attach(silent, thresholds: WarningThresholds(postsToNobody: false)),
        ]
        center.post(Ping())
        #expect(monitor.warnings.isEmpty)
        var token: NotificationToken? = center.addObserver(for: Ping.self) { _ in }
        let line = #line - 1
        center.post(Ping())
        token?.cancel()
        token = nil
        #expect(monitor.warnings.isEmpty)
        for _ in 1...2 { center.post(Ping()) }
        #expect(monitor.warnings.count == 1)
        #expect(monitor.warnings.first?.observer.place.line == UInt(line))
        #expect(
            monitor.warnings.first?.description.hasPrefix(
                "a post at TidingsMonitoringTests/WarningTests.swift:\(line + 6) reached no observer, because the last observer of its type has ended: "
            )
                == true)
        #expect(silent.warnings.isEmpty)
        withExtendedLifetime(attachments) {}
    }

    @Test func `a post causes no warning if a new observer exists, or if the ended observer was limited to a sender`() {
        let attachment = center.attach(monitor)
        center.addObserver(for: Ping.self) { _ in }.cancel()
        let token = center.addObserver(for: Ping.self) { _ in }
        center.post(Ping())
        let account = Account()
        center.addObserver(for: Renamed.self, sender: account) { _ in }.cancel()
        center.post(Renamed(sender: Account()))
        #expect(monitor.posts.map(\.observers) == [1, 0])
        #expect(monitor.warnings.isEmpty)
        withExtendedLifetime((attachment, token)) {}
    }
}

extension ObserverWarning {
    fileprivate var words: String {
        switch self {
        case .longQueue(_, let waiting): "long \(waiting)"
        case .queueRecovered(_, let most): "recovered from \(most)"
        case .drops(_, let count, let total): "\(count) of \(total) dropped"
        default: description
        }
    }
}
