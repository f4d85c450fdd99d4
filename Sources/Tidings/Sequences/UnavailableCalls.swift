// Unavailable overloads for common mistakes in calls. Without them, the compiler would report that there are no exact
// matches, or that a generic parameter couldn't be inferred.

extension TypedNotificationCenter {
    /// Unavailable: a sequence takes a type, not a notification.
    @available(
        *, unavailable, message: "a sequence takes a type, not an instance: write the type and '.self'"
    )
    public func notifications<N: NotificationContent>(
        of notification: N, sender: sending N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded
    ) -> NotificationSequence<Never> {
        preconditionFailure("unavailable")
    }

    /// Unavailable: the label for sequences is `of:`. Observers use `for:`.
    @available(*, unavailable, message: "incorrect argument label: have 'for:', expected 'of:'")
    public func notifications<N: NotificationContent & Sendable>(
        for type: N.Type, sender: sending N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded
    ) -> NotificationSequence<N> {
        preconditionFailure("unavailable")
    }

    /// Unavailable: the label is `of:`. Observers use `for:`.
    @available(*, unavailable, message: "incorrect argument label: have 'for:', expected 'of:'")
    public func first<N: NotificationContent & Sendable>(
        for type: N.Type, sender: sending N.Sender? = nil, within limit: Duration? = nil,
        where predicate: (N) -> Bool = { _ in true }
    ) async -> N? {
        preconditionFailure("unavailable")
    }

    /// Unavailable: only a notification can be posted.
    @available(
        *, unavailable,
        message: "a post takes an instance of a type that conforms to 'TypedNotification' or 'MainActorNotification'"
    )
    public func post<Content>(_ content: Content) {
        preconditionFailure("unavailable")
    }

    /// Unavailable: only a notification can be delivered.
    @available(
        *, unavailable,
        message:
            "a delivery takes an instance of a type that conforms to 'TypedNotification' or 'MainActorNotification'"
    )
    public func deliver<Content>(_ content: Content) async -> DeliveryReceipt {
        preconditionFailure("unavailable")
    }

    /// Unavailable: this method takes a type, not a notification.
    @available(
        *, unavailable, message: "'first(of:)' takes a type, not an instance: write the type and '.self'"
    )
    public func first<N: NotificationContent>(
        of notification: N, sender: sending N.Sender? = nil, within limit: Duration? = nil,
        where predicate: (N) -> Bool = { _ in true }
    ) async -> N? {
        preconditionFailure("unavailable")
    }
}
