import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

private struct Ping: TypedNotification {}
private final class Model: Sendable {}

@Suite(.timeLimit(.minutes(2))) struct OwnedObserversTests {
    private func descriptions(_ count: Int) -> [ObserverDescription] {
        let (center, monitor) = (NativeNotificationCenter(), RecordingMonitor())
        let attachment = center.attach(monitor, interests: .observers)
        var tokens: [NotificationToken] = []
        for _ in 0..<count { tokens.append(center.addObserver(for: Ping.self) { _ in }) }
        attachment.detach()
        return monitor.events.values.compactMap { if case .registered(let observer) = $0 { observer } else { nil } }
    }

    /// The number of identities that the list keeps, including those of removed observers.
    private func kept(by list: OwnedObservers) -> Int? {
        (Mirror(reflecting: list).descendant("order") as? [ObserverDescription.ID])?.count
    }

    @Test func `removed observers take up at most as much room as the remaining ones`() throws {
        let (observers, owner) = (descriptions(1000), Model())
        try #require(observers.count == 1000)
        var list = OwnedObservers()
        func owned(_ index: Int) -> OwnedObservers.Owned {
            OwnedObservers.Owned(observer: observers[index], owner: ObserverOwner(owner), since: .seconds(index))
        }
        for index in 0..<500 {
            list.append(owned(index))
            list.remove(observers[index].id)
        }
        #expect(kept(by: list) == 0 && list.isEmpty)
        for index in 500..<1000 { list.append(owned(index)) }
        // Removes from the middle, the end and the beginning.
        for (removed, index) in (Array(700..<900) + Array((950..<1000).reversed()) + Array(500..<690)).enumerated() {
            list.remove(observers[index].id)
            #expect(try #require(kept(by: list)) <= 2 * (500 - removed - 1))
        }
        let first = list.first
        #expect(first?.since == .seconds(690))
        let rest = list.removeFirst { $0.since < .seconds(940) }
        #expect(rest.map(\.since) == (Array(690..<700) + Array(900..<940)).map { .seconds($0) })
        #expect(list.first?.since == .seconds(940))
        withExtendedLifetime(owner) {}
    }

    @Test func `an observer that is added twice is kept once, with its first time`() throws {
        let (observer, owner) = (try #require(descriptions(1).first), Model())
        var list = OwnedObservers()
        for since in [Duration.seconds(1), .seconds(2)] {
            list.append(OwnedObservers.Owned(observer: observer, owner: ObserverOwner(owner), since: since))
        }
        #expect(kept(by: list) == 1)
        #expect(list.first?.since == .seconds(1))
        withExtendedLifetime(owner) {}
    }

    @Test func `a duration in whole nanoseconds is clamped to the range of Int64`() {
        let seconds = Duration.seconds(9_223_372_036)
        #expect((seconds + .nanoseconds(854_775_807)).wholeNanoseconds == .max)
        #expect((seconds + .nanoseconds(854_775_808)).wholeNanoseconds == .max)
        #expect((seconds + .milliseconds(1000)).wholeNanoseconds == .max)
        #expect((seconds + .nanoseconds(854_775_806)).wholeNanoseconds == Int64.max - 1)
        #expect((Duration.seconds(-9_223_372_036) - .milliseconds(900)).wholeNanoseconds == .min)
        #expect(Duration.milliseconds(-1500).wholeNanoseconds == -1_500_000_000)
    }
}
