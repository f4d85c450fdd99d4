// What people write by mistake for calls that there are. These overloads take it and are unavailable, so that the compiler says what is meant:
// without them it says that nothing matches exactly, or that a generic parameter could not be inferred.

extension TypedNotificationCenter {
    /// Cannot be called: a sequence is of a type, not of a notification.
    @available(
        *, unavailable, message: "a sequence is of a type, and this is an instance of one: write the type, and '.self'"
    )
    public func notifications<N: NotificationContent>(
        of notification: N, sender: sending N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded
    ) -> NotificationSequence<Never> {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: a sequence is `of:` a type. Observers are added `for:` a type.
    @available(*, unavailable, message: "incorrect argument label: have 'for:', expected 'of:'")
    public func notifications<N: NotificationContent & Sendable>(
        for type: N.Type, sender: sending N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded
    ) -> NotificationSequence<N> {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: the first is `of:` a type. Observers are added `for:` a type.
    @available(*, unavailable, message: "incorrect argument label: have 'for:', expected 'of:'")
    public func first<N: NotificationContent & Sendable>(
        for type: N.Type, sender: sending N.Sender? = nil, within limit: Duration? = nil,
        where predicate: (N) -> Bool = { _ in true }
    ) async -> N? {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: only a notification is posted.
    @available(
        *, unavailable,
        message:
            "what is posted is an instance of a type that conforms to 'TypedNotification' or 'MainActorNotification'"
    )
    public func post<Content>(_ content: Content) {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: only a notification is delivered.
    @available(
        *, unavailable,
        message:
            "what is delivered is an instance of a type that conforms to 'TypedNotification' or 'MainActorNotification'"
    )
    public func deliver<Content>(_ content: Content) async -> DeliveryReceipt {
        preconditionFailure("unavailable")
    }

    /// Cannot be called: what is waited for has a type.
    @available(
        *, unavailable, message: "the first is of a type, and this is an instance of one: write the type, and '.self'"
    )
    public func first<N: NotificationContent>(
        of notification: N, sender: sending N.Sender? = nil, within limit: Duration? = nil,
        where predicate: (N) -> Bool = { _ in true }
    ) async -> N? {
        preconditionFailure("unavailable")
    }
}
