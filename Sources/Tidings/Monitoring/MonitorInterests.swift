/// What a monitor wants to be told: everything, or only some kinds of events.
///
/// What no attached monitor wants is neither measured nor made into an event, so a monitor costs what it asks for. The dearest
/// are ``durations`` together with ``deliveries``, as a clock is read after each call. A monitor declares its own by
/// ``NotificationMonitor/interests``, and the call that attaches it can choose others:
///
/// ```swift
/// attachment = center.attach(Printer(), interests: [.posts, .drops])
/// ```
public struct MonitorInterests: OptionSet, Hashable, Sendable {
    /// The interests as bits.
    public let rawValue: UInt64

    /// Makes interests from bits.
    ///
    /// - Parameter rawValue: The bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Observers that are registered and that end.
    public static let observers = MonitorInterests(rawValue: 1)

    /// Posts that have returned.
    public static let posts = MonitorInterests(rawValue: 2)

    /// Calls of observers that have returned, and notifications that the consumer of a sequence has taken.
    public static let deliveries = MonitorInterests(rawValue: 4)

    /// How long posts, calls and waits took. Without it the durations of posts and deliveries are `nil`.
    public static let durations = MonitorInterests(rawValue: 8)

    /// Notifications that begin to wait for an asynchronous observer.
    public static let queues = MonitorInterests(rawValue: 16)

    /// Notifications that a buffering policy dropped.
    public static let drops = MonitorInterests(rawValue: 32)

    /// Notifications that could not be translated.
    public static let failures = MonitorInterests(rawValue: 64)

    /// What looks wrong, by the ``WarningThresholds`` of the monitor. What a warning is decided by is measured for it: the
    /// lengths of queues, and the durations of calls on the main actor.
    public static let warnings = MonitorInterests(rawValue: 128)

    /// All of them.
    public static let everything: MonitorInterests = [
        .observers, .posts, .deliveries, .durations, .queues, .drops, .failures, .warnings,
    ]
}

extension NotificationEvent {
    /// The interest that a monitor must have to be told the event.
    var interest: MonitorInterests {
        switch self {
        case .registered, .ended: .observers
        case .posted: .posts
        case .queued: .queues
        case .delivered: .deliveries
        case .dropped: .drops
        case .failed: .failures
        case .warning: .warnings
        }
    }
}
