import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Counted: TypedNotification { let number: Int }

@Suite(.timeLimit(.ofRandomPrograms)) struct BacklogTests {
    /// The posts return while the actor is blocked, so no post waits for the actor.
    @Test func `promise 11, independence: a long backlog for a blocked actor arrives in order`() async {
        let center = NativeNotificationCenter()
        let actor = StoppedActor()
        let received = ReceivedValues<Int>()
        let token = center.addObserver(actor, on: .actor, for: Counted.self) { _, note in received.append(note.number) }
        let count = repetitions(1_000_000)
        for number in 0..<count { center.post(Counted(number: number)) }
        #expect(received.count == 0)
        await actor.executor.finish { received.count == count }
        #expect(received.values == Array(0..<count))
        withExtendedLifetime(token) {}
    }
}
