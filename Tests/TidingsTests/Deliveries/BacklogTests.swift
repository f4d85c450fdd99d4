import TestSupport
import Testing
import Tidings

private struct Counted: TypedNotification { let number: Int }

@Suite(.timeLimit(.minutes(20))) struct BacklogTests {
    private final class Sum: Sendable {
        private let state = Lock((next: 0, isInOrder: true))
        var next: Int { state.withLock { $0.next } }
        var isInOrder: Bool { state.withLock { $0.isInOrder } }

        func add(_ number: Int) {
            state.withLock { state in
                if number != state.next { state.isInOrder = false }
                state.next += 1
            }
        }
    }

    /// The posts return while the actor stands still, so none of them waits for it.
    @Test func `promise 11, independence: a backlog of 1,000,000 on a stopped actor arrives in order`() async {
        let center = NativeNotificationCenter()
        let actor = StoppedActor()
        let sum = Sum()
        let token = center.addObserver(on: actor, for: Counted.self) { _, note in sum.add(note.number) }
        for number in 0..<1_000_000 { center.post(Counted(number: number)) }
        #expect(sum.next == 0)
        await actor.executor.run { sum.next == 1_000_000 }
        #expect(sum.isInOrder)
        withExtendedLifetime(token) {}
    }
}
