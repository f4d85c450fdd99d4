/// The kinds of events that a monitor receives.
///
/// Events that no attached monitor receives are neither measured nor created. The most expensive interests are
/// ``durations`` together with ``deliveries``, because a clock is read after each call. A monitor declares its
/// interests in ``NotificationMonitor/interests``, and the call that attaches it can choose others:
///
/// ```swift
/// attachment = center.attach(Printer(), interests: [.posts, .drops])
/// ```
public struct MonitorInterests: OptionSet, Hashable, Sendable {
    /// The interests as a bit mask.
    public let rawValue: UInt64

    /// Creates interests from a bit mask.
    ///
    /// - Parameter rawValue: The bit mask.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Registrations of observers, and the ends of observations.
    public static let observers = MonitorInterests(rawValue: 1)

    /// Posts that have returned.
    public static let posts = MonitorInterests(rawValue: 2)

    /// Finished calls of observers, and notifications that the consumer of a sequence has taken.
    public static let deliveries = MonitorInterests(rawValue: 4)

    /// The durations of posts, calls and waits. Without this interest, posts have no durations, and deliveries have
    /// only the durations that are measured for warnings.
    public static let durations = MonitorInterests(rawValue: 8)

    /// Notifications that are queued for an asynchronous observer.
    public static let queues = MonitorInterests(rawValue: 16)

    /// Notifications that a buffering policy has dropped.
    public static let drops = MonitorInterests(rawValue: 32)

    /// Notifications that couldn't be converted, and errors that observers threw.
    public static let failures = MonitorInterests(rawValue: 64)

    /// Warnings according to the ``WarningThresholds`` of the monitor. With this interest, the lengths of queues and
    /// the durations of calls on the main actor are measured.
    public static let warnings = MonitorInterests(rawValue: 128)

    /// All kinds of events.
    public static let everything: MonitorInterests = [
        .observers, .posts, .deliveries, .durations, .queues, .drops, .failures, .warnings,
    ]
}

extension NotificationEvent {
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
