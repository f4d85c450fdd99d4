import Tidings
import TidingsConformance

/// A way of delivering notifications (a *delivery*) in which each notification is handled by its own task. The tasks
/// can overlap, overtake each other, and run after a cancel.
struct TaskForEach: AsynchronousObserving {
    func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        center.addObserver(for: type, sender: sender) { note in Task { await observer(actor, note) } }
    }

    func observeOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        center.addObserver(for: type) { note in Task { await observer(note) } }
    }

    func observeInTask<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        center.addObserver(for: type) { note in Task { try await observer(note) } }
    }

    func observeAwaiting<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        center.addObserver(for: type) { note in Task { try await observer(actor, note) } }
    }

    func observeAwaitingOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        center.addObserver(for: type) { note in Task { try await observer(note) } }
    }
}

/// The package's deliveries, to which each subclass adds a defect.
class BrokenObserving: AsynchronousObserving, @unchecked Sendable {  // subclasses protect their state with locks
    fileprivate let base = PackageObserving()

    func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        base.observe(on: actor, type, sender: sender, buffering: policy, in: center, using: observer)
    }

    func observeOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        base.observeOnMainActor(type, in: center, using: observer)
    }

    func observeInTask<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        base.observeInTask(type, in: center, using: observer)
    }

    func observeAwaiting<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        base.observeAwaiting(on: actor, type, in: center, using: observer)
    }

    func observeAwaitingOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        base.observeAwaitingOnMainActor(type, in: center, using: observer)
    }
}

/// A delivery that begins the next call when a call suspends, not when the call returns.
final class LettingGoOfCalls: BrokenObserving, @unchecked Sendable {
    override func observeAwaiting<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        center.addObserver(actor, on: .actor, for: type) { actor, note in Task { try await observer(actor, note) } }
    }
}

/// A delivery in which cancelling an observer also cancels the task of its running call.
final class CancellingCalls: BrokenObserving, @unchecked Sendable {
    override func observeAwaiting<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        let tasks = Lock<[Task<Void, any Error>]>([])
        let token = super.observeAwaiting(on: actor, type, in: center) { actor, note in
            let task = Task { try await observer(actor, note) }
            tasks.withLock { $0.append(task) }
            try await task.value
        }
        return BrokenObservation(
            base: token.observation,
            cancelling: {
                token.cancel()
                for task in tasks.withLock({ $0 }) { task.cancel() }
            }, kept: token
        )
        .token()
    }
}

/// A delivery that catches errors and ignores them.
final class SwallowingErrors: BrokenObserving, @unchecked Sendable {
    override func observeAwaiting<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        super.observeAwaiting(on: actor, type, in: center) { actor, note in try? await observer(actor, note) }
    }
}

/// A delivery in which an error ends the observation.
final class EndingWithErrors: BrokenObserving, @unchecked Sendable {
    override func observeInTask<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        center.addObserver(on: .task, for: type, onFailure: .end, using: observer)
    }
}

/// A delivery that never releases the captures of observers.
final class KeepingClosures: BrokenObserving, @unchecked Sendable {
    private let closures = Lock<[any Sendable]>([])

    override func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        closures.withLock { $0.append(observer) }
        return super.observe(on: actor, type, sender: sender, buffering: policy, in: center, using: observer)
    }

    override func observeOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        closures.withLock { $0.append(observer) }
        return super.observeOnMainActor(type, in: center, using: observer)
    }

    override func observeInTask<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        closures.withLock { $0.append(observer) }
        return super.observeInTask(type, in: center, using: observer)
    }
}

/// A delivery that queues every notification, whatever the policy.
final class IgnoringPolicies: BrokenObserving, @unchecked Sendable {
    override func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        super.observe(on: actor, type, sender: sender, buffering: .unbounded, in: center, using: observer)
    }
}

/// A delivery in which a cancelled observer in an actor still receives queued notifications.
final class KeepingQueues: BrokenObserving, @unchecked Sendable {
    override func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let inner = NativeNotificationCenter()
        let token = super.observe(on: actor, type, sender: nil, buffering: policy, in: inner, using: observer)
        return center.addObserver(for: type, sender: sender) { note in
            withExtendedLifetime(token) {}
            inner.post(note)
        }
    }
}
