import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private struct CacheCleared: TypedNotification {
    static let name = "PostingAgainTests.CacheCleared"
}

/// Observers that receive a `Notification` and post it again.
@Suite(.timeLimit(.minutes(2))) struct PostingAgainTests {
    private let center = NotificationCenter()

    @Test func `a typed notification that is posted again reaches typed observers again`() {
        let other = NotificationCenter()
        let received = ReceivedValues<String>()
        let receipt = center.addObserver(forName: Notification.Name(CacheCleared.name), object: nil, queue: nil) {
            other.post($0)
        }
        let tokens = [
            center.addObserver(for: CacheCleared.self) { _ in received.append("here") },
            other.addObserver(for: CacheCleared.self) { _ in received.append("there") },
        ]
        center.post(CacheCleared())
        #expect(Set(received.values) == ["here", "there"])
        withExtendedLifetime((receipt, tokens)) {}
    }

    @Test func `a post doesn't count the observers of another center to which its notification is passed on`() {
        let other = NotificationCenter()
        let receipt = center.addObserver(forName: Notification.Name(CacheCleared.name), object: nil, queue: nil) {
            other.post($0)
        }
        let tokens = [center, other].map { $0.addObserver(for: CacheCleared.self) { _ in } }
        #expect(center.post(CacheCleared()) == 1)
        withExtendedLifetime((receipt, tokens)) {}
    }

    @Test func `a notification passed on to another center reaches observers added there during its post`() {
        let (other, received, tokens) = (NotificationCenter(), ReceivedValues<Int>(), Tokens())
        let receipt = center.addObserver(forName: Notification.Name(CacheCleared.name), object: nil, queue: nil) {
            tokens.append(other.addObserver(for: CacheCleared.self) { _ in received.append(1) })
            other.post($0)
        }
        center.post(CacheCleared())
        #expect(received.count == 1)
        tokens.cancel()
        withExtendedLifetime(receipt) {}
    }

    @Test func `a stored untyped notification that is posted again reaches an observer added in the meantime`() {
        nonisolated(unsafe) var kept: Notification?
        let receipt = center.addObserver(forName: Notification.Name(CacheCleared.name), object: nil, queue: nil) {
            unsafe kept = $0
        }
        center.post(CacheCleared())
        center.removeObserver(receipt)
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: CacheCleared.self) { _ in received.append(1) }
        if let kept = unsafe kept { center.post(kept) }
        #expect(received.count == 1)
        withExtendedLifetime(token) {}
    }

    @Test func `a notification that was posted to one observer reaches later observers when it is posted again`() {
        nonisolated(unsafe) var kept: Notification?
        let descriptor = PayloadDescriptor<Int>(name: Notification.Name(CacheCleared.name)) { notification in
            unsafe kept = notification
            return 1
        }
        let first = center.addObserver(descriptor: descriptor) { _ in }
        center.post(CacheCleared(), to: first)
        first.cancel()
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: CacheCleared.self) { _ in received.append(1) }
        if let kept = unsafe kept { center.post(kept) }
        #expect(received.count == 1)
        withExtendedLifetime(token) {}
    }
}
