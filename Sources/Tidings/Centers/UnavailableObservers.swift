// Observers in the post can neither await nor throw: a post does not wait, and a poster cannot handle what an observer throws.
// These overloads take such closures and are unavailable, so that the compiler says so and names the way out. Without them its
// message is that no overload matches, or that a function type does not convert.

extension TypedNotificationCenter {
    /// Cannot be called: an observer in the post cannot await. Observe with `on: .task`, or in an actor.
    @available(*, unavailable, message: "an observer in the post cannot await; observe with 'on: .task' or in an actor")
    public func addObserver<N: TypedNotification>(
        for type: N.Type, sender: N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: an observer in the post cannot await. Observe with `on: .task`, or in an actor.
    @available(*, unavailable, message: "an observer in the post cannot await; observe with 'on: .task' or in an actor")
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ owner: Owner, for type: N.Type, sender: N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: an observer of a main-actor notification cannot await. Start a task in it.
    @available(*, unavailable, message: "an observer of a main-actor notification cannot await; start a task in it")
    public func addObserver<N: MainActorNotification>(
        for type: N.Type, sender: N.Sender? = nil, where condition: (@MainActor (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: an observer of a main-actor notification cannot await. Start a task in it.
    @available(*, unavailable, message: "an observer of a main-actor notification cannot await; start a task in it")
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: MainActorNotification>(
        _ owner: Owner, for type: N.Type, sender: N.Sender? = nil, where condition: (@MainActor (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}

extension TypedNotificationCenter {
    /// Cannot be called: an observer in the post cannot throw. Catch the error in it, or observe with `on: .task`, or in an
    /// actor.
    @available(
        *, unavailable,
        message:
            "an observer in the post cannot throw; catch the error in it, or observe with 'on: .task' or in an actor"
    )
    public func addObserver<N: TypedNotification>(
        for type: N.Type, sender: N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: an observer in the post cannot throw. Catch the error in it, or observe with `on: .task`, or in an
    /// actor.
    @available(
        *, unavailable,
        message:
            "an observer in the post cannot throw; catch the error in it, or observe with 'on: .task' or in an actor"
    )
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ owner: Owner, for type: N.Type, sender: N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: an observer of a main-actor notification cannot throw. Catch the error in it.
    @available(*, unavailable, message: "an observer of a main-actor notification cannot throw; catch the error in it")
    public func addObserver<N: MainActorNotification>(
        for type: N.Type, sender: N.Sender? = nil, where condition: (@MainActor (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @MainActor (N) throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: an observer of a main-actor notification cannot throw. Catch the error in it.
    @available(*, unavailable, message: "an observer of a main-actor notification cannot throw; catch the error in it")
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: MainActorNotification>(
        _ owner: Owner, for type: N.Type, sender: N.Sender? = nil, where condition: (@MainActor (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}
