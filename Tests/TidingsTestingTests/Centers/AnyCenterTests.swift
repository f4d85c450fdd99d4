import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private struct Table {
    static func of(_ center: any TypedNotificationCenter) -> String { center.observations.table }
}

@Suite(.timeLimit(.minutes(2))) struct AnyCenterTests {
    @Test(arguments: EveryCenter.ofThePackage) func `any center lists its observations`(_ every: EveryCenter) {
        let (center, screen) = (every.make(), Screen())
        #expect(center.observations.isEmpty)
        center.addObserver(screen, for: Placed.self) { _, _ in }
        let line = UInt(#line - 1)
        let sequence = center.notifications(of: Retitled.self)
        #expect(center.observations.map(\.subject.name.isEmpty) == [false, false])
        #expect(center.observations.map(\.place.line) == [line, line + 2])
        #expect(center.observations.map(\.delivery) == [.inPost, .sequence])
        #expect(Table.of(center).contains("TidingsTestingTests/AnyCenterTests.swift:\(line)"))
        withExtendedLifetime((screen, sequence)) {}
    }

    @Test(arguments: EveryCenter.ofThePackage) func `any center accepts monitors`(_ every: EveryCenter) {
        let (center, monitor) = (every.make(), RecordingMonitor())
        let attachment = center.attach(monitor, thresholds: WarningThresholds(), clock: ManualClock())
        let token = center.addObserver(for: Placed.self) { _ in }
        center.post(Placed())
        attachment.detach()
        center.post(Placed())
        #expect(monitor.words == ["registered", "delivered in the post", "posted to 1"])
        withExtendedLifetime(token) {}
    }

    @Test(arguments: EveryCenter.ofThePackage)
    func `any center continues to count posts and deliveries when a type is observed again`(_ every: EveryCenter) {
        let center = every.make()
        #expect(center.statistics.rows.isEmpty)
        // Tidings keeps no state for a Foundation center without observers, so this observer stays registered.
        let other = center.addObserver(for: Retitled.self) { _ in }
        for round in 1...2 {
            let token = center.addObserver(for: Placed.self) { _ in }
            for _ in 0..<2 { center.post(Placed()) }
            token.cancel()
            center.post(Placed())
            let rows = center.statistics.rows.filter { $0.posts > 0 }
            #expect(rows.map(\.posts) == [2 * round])
            #expect(rows.map(\.deliveries) == [2 * round])
            #expect(rows.map(\.drops) == [0])
        }
        withExtendedLifetime(other) {}
    }

    @Test(arguments: EveryCenter.ofThePackage) func `any center applies a monitor's interests and sampling interval`(
        _ every: EveryCenter
    ) {
        let (center, monitor) = (every.make(), RecordingMonitor())
        let attachment = center.attach(monitor, interests: .posts, samplingInterval: 2)
        let token = center.addObserver(for: Placed.self) { _ in }
        for _ in 0..<4 { center.post(Placed()) }
        #expect(monitor.words == ["posted to 1", "posted to 1"])
        withExtendedLifetime((attachment, token)) {}
    }

    @Test(arguments: EveryCenter.ofThePackage)
    func `listing or removing observers isn't reported to monitors or recorded as a post`(
        _ every: EveryCenter
    ) {
        let recorder = RecordingNotificationCenter(forwardingTo: every.make())
        let (center, monitor): (any TypedNotificationCenter, RecordingMonitor) = (recorder, RecordingMonitor())
        let attachment = center.attach(monitor)
        #expect(center.observations.isEmpty)
        center.removeObservers(of: Screen())
        #expect(monitor.words.isEmpty)
        #expect(recorder.log.isEmpty)
        #expect(recorder.observers.isEmpty)
        attachment.detach()
    }

    @Test
    func `a custom center with only the two required methods lists no observations and reports nothing to monitors`() {
        let own = SimpleCenter()
        let (center, monitor): (any TypedNotificationCenter, RecordingMonitor) = (
            ForwardingCenter(to: own), RecordingMonitor()
        )
        let token = center.addObserver(for: Placed.self) { _ in }
        let attachment = center.attach(monitor)
        #expect(center.observations.isEmpty)
        #expect(center.statistics.rows.isEmpty)
        #expect(own.count == 1)
        #expect(center.post(Placed()) == 1)
        #expect(monitor.words.isEmpty)
        attachment.detach()
        withExtendedLifetime(token) {}
    }
}
