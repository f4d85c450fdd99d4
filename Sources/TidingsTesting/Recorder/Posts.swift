public import Tidings

extension RecordingNotificationCenter {
    /// Every post since the recorder was made or last told to forget, in order.
    public var log: [RecordedPost] { record.posts }

    /// What was posted of a type, in order.
    ///
    /// Notifications of types that are not `Sendable` are in the ``log``, as text.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    public func posted<N: TypedNotification & Sendable>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(as: type) }
    }

    /// What was posted of a main-actor type, in order.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    public func posted<N: MainActorNotification & Sendable>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(as: type) }
    }

    /// What was posted of a main-actor type, `Sendable` or not, in order.
    ///
    /// - Parameter type: The notification type.
    /// - Returns: The notifications.
    @MainActor
    public func posted<N: MainActorNotification>(_ type: N.Type) -> [N] {
        log.compactMap { $0.kept.value(onMainActor: type) }
    }
}
