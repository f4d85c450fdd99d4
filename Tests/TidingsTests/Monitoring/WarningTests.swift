import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private struct WillShow: MainActorNotification {}

/// An owner that its own observer's closure keeps alive.
private final class Leaking: Sendable {
    func reload() {}
}

@Suite struct WarningTests {
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
                    .hasPrefix("3 notifications wait for an observer: TidingsTests.Numbered") == true)
            #expect(monitor.warnings.last?.observer.place.description == "TidingsTests/WarningTests.swift:\(line)")
            token.cancel()
            gate.open()
            await token.cancelAndDrain()
        }
        withExtendedLifetime(attachment) {}
    }

    @MainActor
    @Test func `a call that takes long on the main actor is reported once, elsewhere never`() async {
        let (clock, received) = (clock, ReceivedValues<Int>())
        let attachment = center.attach(monitor, clock: clock)
        let tokens = [
            center.addObserver(for: WillShow.self) { _ in clock.advance(by: .seconds(1)) },
            center.addObserver(for: Ping.self) { _ in clock.advance(by: .seconds(1)) },
            center.addObserver(on: MainActor.self, for: Numbered.self) { _ in
                clock.advance(by: .seconds(2))
                received.append(0)
            },
        ]
        for number in 0..<2 {
            center.post(WillShow())
            center.post(Ping())
            center.post(Numbered(number: number))
        }
        while monitor.deliveries.count < 6 { await Task.yield() }
        #expect(monitor.warnings.map(\.observer.delivery) == [.inPostOnMainActor, .mainActor])
        #expect(
            monitor.warnings.first?.description.hasPrefix("an observer took 1.0 seconds on the main actor: ") == true)
        withExtendedLifetime((attachment, tokens)) {}
    }

    @Test func `an owner that outlives its age is reported once: here its own observer keeps it alive`() {
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
        #expect(monitor.warnings.first?.observer.line == UInt(line))
        #expect(monitor.warnings.first?.description.contains("lasted 61.0 seconds with its owner, ") == true)
        #expect(monitor.warnings.first?.description.contains("Leaking (0x") == true)
    }

    @Test
    func `owners are looked at with every event and at the end, and those registered before count from the attaching`()
    {
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
}
