/// Something that has happened in a center, or a bus, as told to a ``NotificationMonitor``.
@nonexhaustive
public enum NotificationEvent: Sendable {
    /// An observer was registered.
    case registered(ObserverDescription)

    /// An observation has ended: it was cancelled, or its owner, its sender or its center is gone and that was noticed.
    case ended(ObserverDescription)

    /// A post was made, and has returned.
    case posted(NotificationPost)

    /// A notification begins to wait for an asynchronous observer. The number is how many do, with this one.
    case queued(ObserverDescription, waiting: Int)

    /// An observer was called, and has returned; or the consumer of a sequence has taken a notification.
    case delivered(NotificationDelivery)

    /// The buffering policy of an asynchronous observer dropped a notification. The number is how many it has dropped.
    case dropped(ObserverDescription, total: Int)

    /// A notification could not be translated from or to an untyped one; in `TidingsFoundation`.
    case failed(NotificationFailure)

    /// Something looks wrong: see ``WarningThresholds``.
    case warning(ObserverWarning)
}
