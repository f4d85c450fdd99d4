public import Tidings

/// Posts, as an app's own helper in a module of its own does.
public func send<N: TypedNotification>(_ notification: N, to center: NativeNotificationCenter) {
    center.post(notification)
}

/// Posts to any kind of center.
public func sendAnywhere<N: TypedNotification>(_ notification: N, to center: any TypedNotificationCenter) {
    center.post(notification)
}

/// Observes.
public func watch<N: TypedNotification>(
    _ type: N.Type, in center: NativeNotificationCenter, _ body: @escaping @Sendable (N) -> Void
) -> NotificationToken {
    center.addObserver(for: type, using: body)
}

/// Observes in any kind of center.
public func watchAnywhere<N: TypedNotification>(
    _ type: N.Type, in center: any TypedNotificationCenter, _ body: @escaping @Sendable (N) -> Void
) -> NotificationToken {
    center.addObserver(for: type, using: body)
}
