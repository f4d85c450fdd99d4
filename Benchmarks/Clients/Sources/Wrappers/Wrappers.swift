public import Tidings

/// Posts a notification, like a helper function that an app has in a separate module.
public func send<N: TypedNotification>(_ notification: N, to center: NativeNotificationCenter) {
    center.post(notification)
}

/// Posts a notification to any kind of center.
public func sendAnywhere<N: TypedNotification>(_ notification: N, to center: any TypedNotificationCenter) {
    center.post(notification)
}

/// Adds an observer.
public func watch<N: TypedNotification>(
    _ type: N.Type, in center: NativeNotificationCenter, _ body: @escaping @Sendable (N) -> Void
) -> NotificationToken {
    center.addObserver(for: type, using: body)
}

/// Adds an observer to any kind of center.
public func watchAnywhere<N: TypedNotification>(
    _ type: N.Type, in center: any TypedNotificationCenter, _ body: @escaping @Sendable (N) -> Void
) -> NotificationToken {
    center.addObserver(for: type, using: body)
}
