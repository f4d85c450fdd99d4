// What people write when they guess a spelling. The compiler finds these, and its message names the right one.

extension MainActorDelivery {
    /// Cannot be used: the main actor is `.main`, or `MainActor.self`.
    @available(*, unavailable, renamed: "main")
    public static var mainActor: MainActorDelivery { .main }
}

extension TypedNotificationCenter {
    /// Cannot be called: only observers in the post have conditions.
    @available(
        *, unavailable, message: "only an observer in the post takes 'where:'; test the notification in the closure"
    )
    public func addObserver<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, for type: N.Type, sender: N.Sender? = nil, where condition: @Sendable (N) -> Bool,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: only observers in the post have conditions.
    @available(
        *, unavailable, message: "only an observer in the post takes 'where:'; test the notification in the closure"
    )
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActorDelivery, for type: N.Type, sender: N.Sender? = nil,
        where condition: @Sendable (N) -> Bool,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: only observers in the post have conditions.
    @available(
        *, unavailable, message: "only an observer in the post takes 'where:'; test the notification in the closure"
    )
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActorDelivery, for type: N.Type, sender: N.Sender? = nil,
        where condition: @Sendable (N) -> Bool, using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: only observers in the post have conditions.
    @available(
        *, unavailable, message: "only an observer in the post takes 'where:'; test the notification in the closure"
    )
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: TaskDelivery, for type: N.Type, sender: N.Sender? = nil, where condition: @Sendable (N) -> Bool,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}
