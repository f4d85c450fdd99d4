// Observers in the post cannot await, and the compiler is to say so in these words. Without these methods it says that no overload
// matches, or that an asynchronous function does not fit, and names no way out. None of them can be called.

extension TypedNotificationCenter {
    /// Says that an observer in the post cannot await.
    @available(*, unavailable, message: "an observer in the post cannot await; observe with 'on: .task' or in an actor")
    public func addObserver<N: TypedNotification>(
        for type: N.Type, sender: N.Sender? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (N) async -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Says that an observer in the post cannot await.
    @available(*, unavailable, message: "an observer in the post cannot await; observe with 'on: .task' or in an actor")
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ owner: Owner, for type: N.Type, sender: N.Sender? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) async -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Says that an observer of a main-actor notification cannot await.
    @available(*, unavailable, message: "an observer of a main-actor notification cannot await; start a task in it")
    public func addObserver<N: MainActorNotification>(
        for type: N.Type, sender: N.Sender? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Says that an observer of a main-actor notification cannot await.
    @available(*, unavailable, message: "an observer of a main-actor notification cannot await; start a task in it")
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: MainActorNotification>(
        _ owner: Owner, for type: N.Type, sender: N.Sender? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}
