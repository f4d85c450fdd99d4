import TestSupport
import Testing
import Tidings

private final class Witness: Sendable {}
private struct Changed: TypedNotification {}

@Suite struct HeldObserverTests {
    @Test func `promise 6, lifetime: what a cancelled observer captured does not wait for its actor`() {
        let center = NativeNotificationCenter()
        let actor = StoppedActor()
        weak let captured: Witness?
        let token: NotificationToken
        do {
            let object = Witness()
            captured = object
            token = center.addObserver(on: actor, for: Changed.self) { _, _ in withExtendedLifetime(object) {} }
        }
        center.post(Changed())
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
        actor.executor.runPending()
    }
}
