import TestSupport
import Testing
import Tidings

private final class Witness: Sendable {}
private struct Changed: TypedNotification {}

@globalActor private actor Halted {
    static let shared = Halted()
    nonisolated let executor = ManualExecutor()

    // The executor lives as long as the actor.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
}

@Suite(.timeLimit(.minutes(2))) struct HeldObserverTests {
    @Test func `promise 6, lifetime: captures of a cancelled observer are released without waiting for its actor`() {
        let center = NativeNotificationCenter()
        let actor = StoppedActor()
        weak let captured: Witness?
        let token: NotificationToken
        do {
            let object = Witness()
            captured = object
            token = center.addObserver(actor, on: .actor, for: Changed.self) { _, _ in withExtendedLifetime(object) {} }
        }
        center.post(Changed())
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
        actor.executor.runPending()
    }

    @Test
    func `promise 6, lifetime: captures of a cancelled observer are released without waiting for its global actor`()
        async
    {
        let center = NativeNotificationCenter()
        weak let captured: Witness?
        let token: NotificationToken
        do {
            let object = Witness()
            captured = object
            token = center.addObserver(on: .task, for: Changed.self) { @Halted _ in withExtendedLifetime(object) {} }
        }
        center.post(Changed())
        await eventually("a job is enqueued") { Halted.shared.executor.hasPending }
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
        Halted.shared.executor.runPending()
    }

    @Test(arguments: [BufferingPolicy.unbounded, .backPressure(1)])
    func `promise 6, lifetime: a cancelled observer releases its condition, even while its token is kept`(
        _ policy: BufferingPolicy
    ) {
        let center = NativeNotificationCenter()
        weak let captured: Witness?
        let token: NotificationToken
        do {
            let object = Witness()
            captured = object
            token = center.addObserver(
                on: .task, for: Changed.self, where: { _ in withExtendedLifetime(object) { true } }, buffering: policy
            ) { _ in }
        }
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
        withExtendedLifetime(token) {}
    }
}
