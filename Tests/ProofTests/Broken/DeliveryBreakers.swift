import Tidings
import TidingsConformance

/// Each notification is handled by a task of its own: two may run at once, or change places, and none is discarded.
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
        using observer: @escaping @isolated(any) @Sendable (N) async -> Void
    ) -> NotificationToken {
        center.addObserver(for: type) { note in Task { await observer(note) } }
    }
}

/// What the package offers, with something wrong about it.
class BrokenObserving: AsynchronousObserving, @unchecked Sendable {  // what subclasses add is locked
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
        using observer: @escaping @isolated(any) @Sendable (N) async -> Void
    ) -> NotificationToken {
        base.observeInTask(type, in: center, using: observer)
    }
}

/// What observers captured is kept for good.
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
        using observer: @escaping @isolated(any) @Sendable (N) async -> Void
    ) -> NotificationToken {
        closures.withLock { $0.append(observer) }
        return super.observeInTask(type, in: center, using: observer)
    }
}

/// Everything waits, whatever the policy.
final class IgnoringPolicies: BrokenObserving, @unchecked Sendable {
    override func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        super.observe(on: actor, type, sender: sender, buffering: .unbounded, in: center, using: observer)
    }
}

/// A cancelled observer in an actor still gets what is queued.
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
