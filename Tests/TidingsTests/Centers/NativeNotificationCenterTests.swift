import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Struct: TypedNotification { var number = 1 }
private enum Enum: TypedNotification { case one, two }
private final class Class: TypedNotification { let number = 1 }
private actor Actor: TypedNotification { nonisolated let number = 1 }
private struct Changed: TypedNotification { let sender: Account }

@Suite(.timeLimit(.minutes(2))) struct NativeNotificationCenterTests {
    @Test func `structs, enums, classes and actors can be notifications`() {
        let center = NativeNotificationCenter()
        let received = ReceivedValues<String>()
        var tokens: [NotificationToken] = []
        center.addObserver(for: Struct.self) { received.append("struct \($0.number)") }.store(in: &tokens)
        center.addObserver(for: Enum.self) { received.append("enum \($0)") }.store(in: &tokens)
        center.addObserver(for: Class.self) { received.append("class \($0.number)") }.store(in: &tokens)
        center.addObserver(for: Actor.self) { received.append("actor \($0.number)") }.store(in: &tokens)
        center.post(Struct())
        center.post(Enum.two)
        center.post(Class())
        center.post(Actor())
        #expect(received.values == ["struct 1", "enum two", "class 1", "actor 1"])
    }

    @Test func `the default center is a single object, and shares no observers with other centers`() {
        let received = ReceivedValues<String>()
        let token = NativeNotificationCenter.default.addObserver(for: Struct.self) { _ in received.append("default") }
        #expect(NativeNotificationCenter().post(Struct()) == 0)
        #expect(NativeNotificationCenter.default.post(Struct()) == 1)
        #expect(NativeNotificationCenter.default === NativeNotificationCenter.default)
        #expect(received.values == ["default"])
        token.cancel()
    }

    @Test func `a post returns the number of observers called, and the result is discardable`() {
        let center = NativeNotificationCenter()
        let account = Account()
        var tokens: [NotificationToken] = []
        for _ in 0..<3 { center.addObserver(for: Changed.self) { _ in }.store(in: &tokens) }
        center.addObserver(for: Changed.self, sender: account) { _ in }.store(in: &tokens)
        center.post(Changed(sender: account))
        #expect(center.post(Changed(sender: account)) == 4)
        #expect(center.post(Changed(sender: Account())) == 3)
    }

    @Test func `removing a token ends its observation, and removing it again has no effect`() {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Struct.self) { _ in }
        let other = center.addObserver(for: Struct.self) { _ in }
        center.removeObserver(token)
        #expect(!token.isActive)
        let later = center.addObserver(for: Struct.self) { _ in }
        center.removeObserver(token)
        #expect(center.post(Struct()) == 2)
        #expect(other.isActive && later.isActive)
    }

    @Test func `removing the token of an owned observer ends its observation`() {
        let center = NativeNotificationCenter()
        let account = Account()
        let token = center.addObserver(account, for: Struct.self) { _, _ in }
        #expect(center.post(Struct()) == 1)
        center.removeObserver(token)
        #expect(!token.isActive)
        #expect(center.post(Struct()) == 0)
        withExtendedLifetime(account) {}
    }

    @Test func `removing a token of another center has no effect`() {
        let (center, other) = (NativeNotificationCenter(), SimpleCenter())
        let token = center.addObserver(for: Struct.self) { _ in }
        other.removeObserver(token)
        NativeNotificationCenter.default.removeObserver(token)
        #expect(token.isActive)
        #expect(center.post(Struct()) == 1)
    }

    @Test func `removing a token whose center was deallocated has no effect`() {
        let token = NativeNotificationCenter().addObserver(for: Struct.self) { _ in }
        #expect(!token.isActive)
        NativeNotificationCenter().removeObserver(token)
    }
}
