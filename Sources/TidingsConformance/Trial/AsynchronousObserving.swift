package import Tidings

/// The methods with which checks register asynchronous observers. Tests of the checks can replace them.
package protocol AsynchronousObserving: Sendable {
    func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable

    func observeOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken

    func observeInTask<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken

    func observeAwaiting<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken

    func observeAwaitingOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken
}

package struct PackageObserving: AsynchronousObserving {
    package init() {}

    package func observe<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, sender: N.Sender?, buffering policy: BufferingPolicy,
        in center: any TypedNotificationCenter, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        center.addObserver(actor, on: .actor, for: type, sender: sender, buffering: policy, using: observer)
    }

    package func observeOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter, using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        center.addObserver(on: .main, for: type, using: observer)
    }

    package func observeInTask<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        center.addObserver(on: .task, for: type, using: observer)
    }

    package func observeAwaiting<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        center.addObserver(actor, on: .actor, for: type, using: observer)
    }

    package func observeAwaitingOnMainActor<N: TypedNotification & Sendable>(
        _ type: N.Type, in center: any TypedNotificationCenter,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        center.addObserver(on: .main, for: type, using: observer)
    }
}
