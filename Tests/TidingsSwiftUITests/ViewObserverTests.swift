import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsSwiftUI

/// A substitute for SwiftUI that updates a view and calls the view's closures for appearing, changing and disappearing.
@MainActor
private final class Screen<N: NotificationContent> {
    let observer = ViewObserver<N>()
    private(set) var received: [N] = []
    private var isShown = false
    private var revision = 0
    private var appears: () -> Void = {}

    func update(_ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter) {
        update(notifications, in: center) { [weak self] note in self?.received.append(note) }
    }

    func update(
        _ notifications: ViewNotifications<N>, in center: any TypedNotificationCenter,
        perform action: @escaping @MainActor (N) -> Void
    ) {
        let revision = observer.update(notifications, in: center, perform: action)
        appears = { [observer] in observer.begin(notifications, in: center) }
        if revision != self.revision { observer.follow(notifications, in: center) }
        self.revision = revision
    }

    func appear() { appears() }
    func disappear() { observer.end() }
}

private final class Account: Sendable {}

private struct Changed: TypedNotification {
    let sender: Account
    let number: Int
}

private struct Opened: TypedNotification {
    let sender: String
}

private struct WillShow: MainActorNotification {
    let sender: Account
    let number: Int
}

private let place = SourcePlace()

@MainActor
@Suite(.timeLimit(.minutes(2))) struct ViewObserverTests {
    private let center = RecordingNotificationCenter()
    private let account = Account()

    @Test func `a view observes from when it appears until it disappears, and again when it reappears`() {
        let screen = Screen<WillShow>()
        func post(_ number: Int) { center.post(WillShow(sender: account, number: number)) }
        screen.update(ViewNotifications(of: WillShow.self, at: place), in: center)
        post(1)
        screen.appear()
        post(2)
        screen.update(ViewNotifications(of: WillShow.self, at: place), in: center)
        screen.appear()
        post(3)
        screen.disappear()
        post(4)
        screen.update(ViewNotifications(of: WillShow.self, at: place), in: center)
        post(5)
        screen.appear()
        post(6)
        #expect(screen.received.map(\.number) == [2, 3, 6])
    }

    @Test func `a view receives nonisolated notifications after the post, in the order posted`() async {
        let screen = Screen<Changed>()
        screen.update(ViewNotifications(of: Changed.self, at: place), in: center)
        screen.appear()
        for number in 1...3 { center.post(Changed(sender: account, number: number)) }
        #expect(screen.received.isEmpty)
        await center.drain()
        #expect(screen.received.map(\.number) == [1, 2, 3])
    }

    @Test func `queued notifications are discarded when a view disappears`() async {
        let screen = Screen<Changed>()
        screen.update(ViewNotifications(of: Changed.self, at: place), in: center)
        screen.appear()
        center.post(Changed(sender: account, number: 1))
        screen.disappear()
        await center.drain()
        #expect(screen.received.isEmpty)
        #expect(center.observers.isEmpty)
    }

    @Test func `after an update, the new closure is called, even for notifications posted before the update`() async {
        let screen = Screen<Changed>()
        var calls: [String] = []
        screen.update(ViewNotifications(of: Changed.self, at: place), in: center) { _ in calls.append("first") }
        screen.appear()
        center.post(Changed(sender: account, number: 1))
        screen.update(ViewNotifications(of: Changed.self, at: place), in: center) { _ in calls.append("second") }
        await center.drain()
        #expect(calls == ["second"])
    }

    @Test func `a view with a new sender observes only the new sender`() async {
        let (screen, other) = (Screen<Changed>(), Account())
        screen.update(ViewNotifications(of: Changed.self, sender: account, at: place), in: center)
        screen.appear()
        center.post(Changed(sender: other, number: 1))
        center.post(Changed(sender: account, number: 2))
        await center.drain()
        center.post(Changed(sender: account, number: 3))
        screen.update(ViewNotifications(of: Changed.self, sender: other, at: place), in: center)
        center.post(Changed(sender: account, number: 4))
        center.post(Changed(sender: other, number: 5))
        await center.drain()
        #expect(screen.received.map(\.number) == [2, 5])
        #expect(center.observers.count == 1)
    }

    @Test func `an update with the same sender keeps the observation and its queue`() async {
        let screen = Screen<Changed>()
        screen.update(ViewNotifications(of: Changed.self, sender: account, at: place), in: center)
        screen.appear()
        center.post(Changed(sender: account, number: 1))
        screen.update(ViewNotifications(of: Changed.self, sender: account, at: place), in: center)
        await center.drain()
        #expect(screen.received.map(\.number) == [1])
    }

    @Test func `an update can limit a view to one sender and remove the limit`() {
        let (screen, other) = (Screen<WillShow>(), Account())
        func post() {
            for (number, sender) in [account, other].enumerated() {
                center.post(WillShow(sender: sender, number: number))
            }
        }
        screen.update(ViewNotifications(of: WillShow.self, sender: nil, at: place), in: center)
        screen.appear()
        post()
        screen.update(ViewNotifications(of: WillShow.self, sender: other, at: place), in: center)
        post()
        screen.update(ViewNotifications(of: WillShow.self, sender: nil, at: place), in: center)
        post()
        #expect(screen.received.map(\.number) == [0, 1, 1, 0, 1])
    }

    @Test func `value senders are compared by equality`() async {
        let screen = Screen<Opened>()
        screen.update(ViewNotifications(of: Opened.self, sender: "a", at: place), in: center)
        screen.appear()
        center.post(Opened(sender: "a"))
        screen.update(ViewNotifications(of: Opened.self, sender: String("a"), at: place), in: center)
        await center.drain()
        screen.update(ViewNotifications(of: Opened.self, sender: "b", at: place), in: center)
        center.post(Opened(sender: "b"))
        await center.drain()
        #expect(screen.received.map(\.sender) == ["a", "b"])
    }

    @Test func `a sender that changes while a view is off screen takes effect when the view reappears`() {
        let (screen, other) = (Screen<WillShow>(), Account())
        screen.update(ViewNotifications(of: WillShow.self, sender: account, at: place), in: center)
        screen.appear()
        screen.disappear()
        screen.update(ViewNotifications(of: WillShow.self, sender: other, at: place), in: center)
        #expect(center.observers.isEmpty)
        screen.appear()
        center.post(WillShow(sender: account, number: 1))
        center.post(WillShow(sender: other, number: 2))
        #expect(screen.received.map(\.number) == [2])
    }

    @Test func `an update can switch a view to another center`() {
        let (screen, other) = (Screen<WillShow>(), RecordingNotificationCenter())
        screen.update(ViewNotifications(of: WillShow.self, at: place), in: center)
        screen.appear()
        screen.update(ViewNotifications(of: WillShow.self, at: place), in: other)
        center.post(WillShow(sender: account, number: 1))
        other.post(WillShow(sender: account, number: 2))
        #expect(screen.received.map(\.number) == [2])
        #expect(center.observers.isEmpty)
    }

    @Test func `a view that is released without disappearing ends its observation, and releases its captures`() {
        weak var isThere: Account?
        do {
            let (screen, captured) = (Screen<WillShow>(), Account())
            isThere = captured
            screen.update(ViewNotifications(of: WillShow.self, at: place), in: center) { _ in
                withExtendedLifetime(captured) {}
            }
            screen.appear()
            #expect(center.observers.count == 1)
        }
        #expect(isThere == nil)
        center.post(WillShow(sender: account, number: 1))
        #expect(center.observers.isEmpty)
    }

    @Test func `an observation doesn't keep its sender alive`() {
        let screen = Screen<WillShow>()
        var sender: Account? = Account()
        weak let isThere = sender
        screen.observer.begin(ViewNotifications(of: WillShow.self, sender: sender, at: place), in: center)
        sender = nil
        #expect(isThere == nil)
    }

    @Test func `an observation has the source line of the view`() {
        let screen = Screen<WillShow>()
        screen.update(ViewNotifications(of: WillShow.self, at: place), in: center)
        screen.appear()
        #expect(center.observers.map(\.place) == [place])
    }
}

@MainActor
@Suite(.timeLimit(.minutes(2))) struct SameCenterTests {
    private struct NumberedCenter: TypedNotificationCenter, Equatable {
        let number: Int

        func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int { 0 }

        func observe<N: TypedNotification>(
            _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
            using observer: @escaping @Sendable (N) -> Void
        ) -> any ObserverHandle {
            NativeNotificationCenter().observe(type, sender: sender, registration: registration, using: observer)
        }
    }

    @Test func `centers that are classes are compared by identity`() {
        let (center, other) = (NativeNotificationCenter(), NativeNotificationCenter())
        #expect(areSame(center, center))
        #expect(!areSame(center, other))
        #expect(!areSame(center, RecordingNotificationCenter()))
    }

    @Test func `centers that are structs are compared by equality, or by their type if they aren't Equatable`() {
        #expect(areSame(NumberedCenter(number: 1), NumberedCenter(number: 1)))
        #expect(!areSame(NumberedCenter(number: 1), NumberedCenter(number: 2)))
        let center = NativeNotificationCenter()
        #expect(areSame(ForwardingCenter(to: center), ForwardingCenter(to: NativeNotificationCenter())))
        #expect(!areSame(ForwardingCenter(to: center), NumberedCenter(number: 1)))
    }
}
