// Observers that run in the post can neither await nor throw. These overloads accept closures that await or throw, so
// that the compiler's message names the alternative. Their closures have as many parameters as the closures of the
// available overloads. If they accepted any number of parameters, closures with other mistakes would match them, and
// the compiler would report that these closures await or throw.

extension TypedNotificationCenter {
    /// Unavailable: an observer without `on:` runs in the post, and can neither await nor throw. Add `on:`.
    @available(
        *, unavailable,
        message: "an observer in the post cannot await or throw; specify where it runs, with 'on: .task' or 'on: .main'"
    )
    public func addObserver<N: TypedNotification>(
        for type: N.Type, sender: sending N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Unavailable: an observer without `on:` runs in the post, and can neither await nor throw. Add `on:`.
    @available(
        *, unavailable,
        message:
            "an observer in the post cannot await or throw; specify where it runs, with 'on: .main', or 'on: .actor' for an actor"
    )
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ owner: Owner, for type: N.Type, sender: sending N.Sender? = nil,
        where condition: (@Sendable (N) -> Bool)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Unavailable: an observer without `on:` runs in the post, and can neither await nor throw. Add `on:`.
    @available(
        *, unavailable,
        message:
            "an observer in the post cannot await or throw; start a task in it or, if the notification is Sendable, add 'on: .main'"
    )
    public func addObserver<N: MainActorNotification>(
        for type: N.Type, sender: sending N.Sender? = nil, where condition: (@MainActor (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Unavailable: an observer without `on:` runs in the post, and can neither await nor throw. Add `on:`.
    @available(
        *, unavailable,
        message:
            "an observer in the post cannot await or throw; start a task in it or, if the notification is Sendable, add 'on: .main'"
    )
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: MainActorNotification>(
        _ owner: Owner, for type: N.Type, sender: sending N.Sender? = nil,
        where condition: (@MainActor (N) -> Bool)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}

extension TypedNotificationCenter {
    /// Unavailable: the label for observers is `for:`. Sequences use `of:`.
    @available(*, unavailable, message: "incorrect argument label: have 'of:', expected 'for:'")
    public func addObserver<N: NotificationContent>(
        of type: N.Type, sender: sending N.Sender? = nil, using observer: @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }

    /// Unavailable: the label for observers is `for:`. Sequences use `of:`.
    @available(*, unavailable, message: "incorrect argument label: have 'of:', expected 'for:'")
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: NotificationContent>(
        _ owner: Owner, of type: N.Type, sender: sending N.Sender? = nil,
        using observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken {
        preconditionFailure("unavailable")
    }
}
