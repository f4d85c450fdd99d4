import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Account: Sendable {}

private struct SubscriptionsChanged: TypedNotification {
    let sender: Account
    var subscribed: Set<Int> = []
}

private struct CacheCleared: TypedNotification {
    static let name = "FoundationCenterTests.CacheCleared"
}

private struct AccountClosed: TypedNotification {
    let sender: Account?
}

private struct LevelReached: TypedNotification {
    static let name = "FoundationCenterTests.LevelReached"
    let sender: Int
}

private final class Window {
    var title = ""
}

private struct WillShow: MainActorNotification {
    static let name = "FoundationCenterTests.WillShow"
    let window: Window
}

@Suite(.timeLimit(.minutes(2))) struct FoundationCenterTests {
    private let center = NotificationCenter()

    private func classic(_ name: String) -> (ReceivedValues<String>, any NSObjectProtocol) {
        let received = ReceivedValues<String>()
        let receipt = center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { notification in
            received.append("\(notification.name.rawValue) \(notification.object.map { "\($0)" } ?? "-")")
        }
        return (received, receipt)
    }

    @Test func `a typed post calls typed observers and returns their number`() {
        let received = ReceivedValues<Set<Int>>()
        let account = Account()
        let token = center.addObserver(for: SubscriptionsChanged.self) { note in received.append(note.subscribed) }
        let other = center.addObserver(for: SubscriptionsChanged.self, sender: Account()) { _ in received.append([0]) }
        #expect(center.post(SubscriptionsChanged(sender: account, subscribed: [123])) == 1)
        #expect(center.post(CacheCleared()) == 0)
        #expect(received.values == [[123]])
        withExtendedLifetime((token, other)) {}
    }

    @Test func `Foundation's center can be used as a TypedNotificationCenter`() {
        let some: some TypedNotificationCenter = center
        let any: any TypedNotificationCenter = center
        let received = ReceivedValues<String>()
        let tokens = [
            some.addObserver(for: CacheCleared.self) { _ in received.append("some") },
            any.addObserver(for: CacheCleared.self) { _ in received.append("any") },
        ]
        #expect(some.post(CacheCleared()) == 2)
        #expect(any.post(CacheCleared()) == 2)
        #expect(received.values == ["some", "any", "some", "any"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `untyped observers receive a typed post with its name and its sender as the object`() {
        let (levels, first) = classic(LevelReached.name)
        let (caches, second) = classic(CacheCleared.name)
        center.post(LevelReached(sender: 7))
        center.post(CacheCleared())
        #expect(levels.values == ["FoundationCenterTests.LevelReached 7"])
        #expect(caches.values == ["FoundationCenterTests.CacheCleared -"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `untyped observers can be limited to a sender that is an object`() {
        let account = Account()
        let received = ReceivedValues<Bool>()
        let receipt = center.addObserver(
            forName: Notification.Name(AccountClosed.name), object: account, queue: nil
        ) { notification in received.append(notification.object as AnyObject === account) }
        center.post(AccountClosed(sender: account))
        center.post(AccountClosed(sender: Account()))
        center.post(AccountClosed(sender: nil))
        #expect(received.values == [true])
        withExtendedLifetime(receipt) {}
    }

    @Test func `an optional sender is unwrapped, and nil means no sender`() {
        let received = ReceivedValues<Bool>()
        let receipt = center.addObserver(forName: Notification.Name(AccountClosed.name), object: nil, queue: nil) {
            received.append($0.object == nil)
        }
        center.post(AccountClosed(sender: nil))
        center.post(AccountClosed(sender: Account()))
        #expect(received.values == [true, false])
        withExtendedLifetime(receipt) {}
    }

    @Test func `untyped observers can access the typed value`() {
        let received = ReceivedValues<Int>()
        let receipt = center.addObserver(
            forName: Notification.Name(LevelReached.name), object: nil, queue: nil
        ) { notification in
            received.append(notification.typed(as: LevelReached.self)?.sender ?? -1)
            received.append(notification.typed(as: CacheCleared.self) == nil ? 0 : 1)
        }
        center.post(LevelReached(sender: 7))
        center.post(name: Notification.Name(LevelReached.name), object: nil)
        #expect(received.values == [7, 0, -1, 0])
        withExtendedLifetime(receipt) {}
    }

    @Test func `only the center that created a token can remove it`() {
        let other = NotificationCenter()
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: CacheCleared.self) { _ in received.append(1) }
        other.removeObserver(token)
        NativeNotificationCenter.default.removeObserver(token)
        #expect(token.isActive)
        center.removeObserver(token)
        center.removeObserver(token)
        #expect(!token.isActive)
        center.post(CacheCleared())
        #expect(received.values.isEmpty)
    }

    @Test func `generic code can remove a token only from the center that created it`() {
        func remove(_ token: NotificationToken, from center: some TypedNotificationCenter & AnyObject) {
            center.removeObserver(token)
        }
        let token = center.addObserver(for: CacheCleared.self) { _ in }
        remove(token, from: NotificationCenter())
        #expect(token.isActive)
        remove(token, from: center)
        #expect(!token.isActive)
    }

    @MainActor
    @Test func `main-actor notifications carry values that aren't Sendable and are delivered during the post`() {
        var titles: [String] = []
        let token = center.addObserver(for: WillShow.self) { note in titles.append(note.window.title) }
        let window = Window()
        window.title = "one"
        #expect(center.post(WillShow(window: window)) == 1)
        #expect(titles == ["one"])
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test func `untyped observers of a main-actor notification can access the value on the main actor`() {
        let received = ReceivedValues<String>()
        let receipt = center.addObserver(forName: Notification.Name(WillShow.name), object: nil, queue: nil) {
            nonisolated(unsafe) let notification = $0
            MainActor.assumeIsolated {
                unsafe received.append(notification.typed(as: WillShow.self)?.window.title ?? "-")
            }
        }
        let window = Window()
        window.title = "one"
        center.post(WillShow(window: window))
        center.post(name: Notification.Name(WillShow.name), object: nil)
        #expect(received.values == ["one", "-"])
        withExtendedLifetime(receipt) {}
    }

    @MainActor
    @Test func `a main-actor notification that is posted again off the main actor is delivered on the main actor`()
        async
    {
        struct Moved: MainActorNotification { static let name = "FoundationCenterTests.Moved" }
        Reports.collect()
        let posts = ReceivedValues<Int>()
        let classic = center.addObserver(forName: Notification.Name(Moved.name), object: nil, queue: nil) {
            notification in
            nonisolated(unsafe) let notification = notification
            posts.append(1)
            if posts.count > 1 { return }
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [center] in
                unsafe center.post(notification)
                isDone.signal()
            }
            isDone.wait()
        }
        var calls = 0
        let called = Gate()
        let token = center.addObserver(for: Moved.self) { _ in
            calls += 1
            if calls == 2 { called.open() }
        }
        #expect(center.post(Moved()) == 1)
        #expect(calls == 1)
        await called.wait()
        #expect(Reports.of(Moved.name).map(\.kind) == [.postedOffMainActor])
        center.removeObserver(classic)
        withExtendedLifetime(token) {}
    }
}

private struct Named: TypedNotification {
    static let askings = ReceivedValues<Int>()

    static var name: String {
        askings.append(1)
        return "FoundationCenterTests.Named"
    }
}

private let everlasting = NotificationCenter()

extension FoundationCenterTests {
    /// Creating a name from a type takes half as long as a post, so the test counts how often the name is created.
    @Test func `a type's name is evaluated once, however often the type is posted and observed`() {
        let token = center.addObserver(for: Named.self) { _ in }
        for _ in 0..<3 { #expect(center.post(Named()) == 1) }
        NotificationCenter().post(Named())
        #expect(Named.askings.count == 1)
        withExtendedLifetime(token) {}
    }

    /// The address sanitizer looks for leaks when the process ends.
    @Test func `a center that lives as long as the process isn't reported as a leak`() async {
        await #expect(processExitsWith: .success) {
            everlasting.addObserver(for: CacheCleared.self) { _ in }.cancel()
            // The center has no observer now, so Tidings keeps no state for the center.
            everlasting.post(CacheCleared())
        }
    }
}
