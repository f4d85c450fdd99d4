import Tidings
import TidingsConformance

/// Each notification is handled by a task of its own: two may run at once, or change places, and none is discarded.
struct TaskForEach: AsynchronousObserving {
    func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken {
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

/// What observers captured is kept for good.
struct KeepingClosures: AsynchronousObserving {
    private final class Closures: Sendable {
        let all = Lock<[any Sendable]>([])
    }

    private let closures = Closures()
    private let base = PackageObserving()

    func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken {
        closures.all.withLock { $0.append(observer) }
        return base.observe(on: actor, type, sender: sender, buffering: policy, in: center, using: observer)
    }

    func observeOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        closures.all.withLock { $0.append(observer) }
        return base.observeOnMainActor(type, in: center, using: observer)
    }

    func observeInTask<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @isolated(any) @Sendable (N) async -> Void
    ) -> NotificationToken {
        closures.all.withLock { $0.append(observer) }
        return base.observeInTask(type, in: center, using: observer)
    }
}
