import TestSupport
import Testing
import Tidings

/// An observer in an actor that is blocked until the test runs the actor's jobs.
final class ActorLine: Line {
    private let actor = Lock<StoppedActor?>(StoppedActor())
    private let executor: ManualExecutor
    private let calls = Atomic(0)

    init() { executor = actor.withLock { $0 }?.executor ?? ManualExecutor() }

    func withActor(_ body: (StoppedActor) -> NotificationToken) -> NotificationToken? {
        actor.withLock { $0 }.map(body)
    }

    func noteCall() { calls.wrappingAdd(1, ordering: .relaxed) }

    func run(_ count: Int, in world: World) async {
        let goal = calls.load(ordering: .relaxed) + count
        await world.wait {
            executor.runPending()
            return calls.load(ordering: .relaxed) >= goal
        }
    }

    func letGoOfActor(in world: World) async {
        weak let released = actor.withLock { $0.take() }
        await world.wait {
            executor.runPending()
            return released == nil
        }
    }

    func runPending() { executor.runPending() }
}
