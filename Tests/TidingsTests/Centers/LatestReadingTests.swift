import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Level: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: String
    let value: Int
}

private struct Event: TypedNotification, Sendable, Equatable { let number: Int }
private struct Titled: MainActorNotification, Sendable { let title: String }

@Suite struct LatestReadingTests {
    @Test func `the latest notification of a replayed type can be read for all senders or for one`() {
        for center in [NativeNotificationCenter(), RecordingNotificationCenter()] as [any TypedNotificationCenter] {
            #expect(center.latest(of: Level.self) == nil)
            center.post(Level(sender: "a", value: 1))
            center.post(Level(sender: "b", value: 2))
            #expect(center.latest(of: Level.self)?.value == 2)
            #expect(center.latest(of: Level.self, sender: "a")?.value == 1)
            #expect(center.latest(of: Level.self, sender: "c") == nil)
            let read = center.latest(of: Level.self, sender: "a")
            center.post(Level(sender: "a", value: 3))
            #expect(read?.value == 1)
        }
    }

    @Test func `a center can be created to replay a type that isn't replayed by default`() {
        let center = NativeNotificationCenter(replaying: [.latest(of: Event.self)])
        let other = NativeNotificationCenter()
        for center in [center, other] {
            center.post(Event(number: 1))
            center.post(Event(number: 2))
        }
        let received = ReceivedValues<Int>()
        let tokens = [center, other].map { $0.addObserver(for: Event.self) { received.append($0.number) } }
        #expect(received.values == [2])
        #expect(center.latest(of: Event.self) == Event(number: 2))
        #expect(other.latest(of: Event.self) == nil)
        #expect(center.post(Event(number: 3)) == 1)
        #expect(received.values == [2, 3])
        withExtendedLifetime(tokens) {}
    }

    @Test func `if a center is created with several replays for a type, it uses the last one`() {
        let whole = NotificationReplay.latest(of: Event.self)
        let doubled = NotificationReplay.latest(
            keeping: { (event: Event) in event.number }, making: { _, number in Event(number: 2 * number) })
        for (replays, number) in [([whole, doubled], 2), ([doubled, whole], 1)] {
            let center = NativeNotificationCenter(replaying: replays)
            center.post(Event(number: 1))
            #expect(center.latest(of: Event.self)?.number == number)
        }
    }

    @MainActor
    @Test func `a center can replay a main-actor notification`() {
        let center = NativeNotificationCenter(replaying: [.latest(of: Titled.self)])
        center.post(Titled(title: "a"))
        #expect(center.latest(of: Titled.self)?.title == "a")
    }

    @Test func `a monitored center replays the types that it was created to replay`() {
        let center = NativeNotificationCenter(replaying: [.latest(of: Event.self)])
        let attachment = center.attach(RecordingMonitor())
        center.post(Event(number: 1))
        #expect(center.latest(of: Event.self)?.number == 1)
        withExtendedLifetime(attachment) {}
    }
}
