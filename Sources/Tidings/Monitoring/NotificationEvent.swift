/// An event in a center or a bus, received by a ``NotificationMonitor``.
@nonexhaustive
public enum NotificationEvent: Sendable {
    /// An observer was registered.
    case registered(ObserverDescription)

    /// An observation has ended, for the given reason.
    case ended(ObserverDescription, ObservationEndReason)

    /// A post has returned.
    case posted(NotificationPost)

    /// A notification was queued for an asynchronous observer. The number is the new length of the queue.
    case queued(ObserverDescription, waiting: Int)

    /// A call of an observer has returned, or the consumer of a sequence has taken a notification.
    case delivered(NotificationDelivery)

    /// The buffering policy of an asynchronous observer dropped a notification. The number is the total so far.
    case dropped(ObserverDescription, total: Int)

    /// A failure, such as an error that an observer threw: see ``NotificationFailure``. A call that threw is also
    /// reported as `delivered`.
    case failed(NotificationFailure)

    /// A warning that something looks wrong; see ``WarningThresholds``.
    case warning(ObserverWarning)
}

/// A post that has returned.
public struct NotificationPost: Sendable, Identifiable {
    /// The identity of the post. Each of its deliveries contains the same identity: see ``NotificationDelivery/post``.
    @export(implementation) public let id: ID

    /// The identity of the call in which an observer made this post, directly or in a task that inherits the call's
    /// task-local values. It is `nil` if no observer made the post, or if monitors don't receive the call.
    @export(implementation) public let cause: NotificationDelivery.ID?

    /// The notification type or the name that was posted.
    @export(implementation) public let subject: NotificationSubject

    /// The line of source that made the post. `nil` for posts with Foundation's own API, for posts of a
    /// `NotificationDescriptor`, and for messages that a ``MessageProducer`` dispatched.
    @export(implementation) public let place: SourcePlace?

    /// The number of observers that were called, or for which the notification was queued.
    @export(implementation) public let observers: Int

    /// How long the post took, including observers during the post; `nil` without ``MonitorInterests/durations``.
    @export(implementation) public let duration: Duration?

    package init(
        id: ID, cause: NotificationDelivery.ID? = nil, subject: NotificationSubject, place: SourcePlace?,
        observers: Int, duration: Duration?
    ) {
        self.id = id
        self.cause = cause
        self.subject = subject
        self.place = place
        self.observers = observers
        self.duration = duration
    }
}

/// A call of an observer that has returned, or a notification that the consumer of a sequence has taken.
public struct NotificationDelivery: Sendable, Identifiable {
    /// The identity of the delivery, which contains the identity of its post.
    @export(implementation) public let id: ID

    /// The identity of the post.
    public var post: NotificationPost.ID { id.post }

    /// The observer.
    @export(implementation) public let observer: ObserverDescription

    /// Whether the call is known to have been made on the main actor. `true` for observers on the main actor, for
    /// main-actor notifications, and for observers in a task whose closure is isolated to the main actor. Otherwise
    /// `false`, even if an operation queue or a posting thread happens to call the observer on the main actor.
    @export(implementation) public let isOnMainActor: Bool

    // Passing an event of more than 128 bytes to a function copies the event, which takes as long as all other work for
    // a monitor. So the optional times are stored as times with flags, and the number has only 32 bits.
    private let hasWaited: Bool
    private let waitingNumber: UInt32
    private let waitedTime: Duration
    private let callTime: Duration
    private let isMeasured: Bool

    /// How long the notification waited; `nil` for an observer in the post, or without ``MonitorInterests/durations``.
    public var waited: Duration? { hasWaited ? waitedTime : nil }

    /// How long the call took; `nil` for a sequence, whose consumer doesn't report when it has finished. Without the
    /// interest ``MonitorInterests/durations``, only calls that are measured for warnings, such as those on the main
    /// actor, have a duration.
    public var duration: Duration? { isMeasured ? callTime : nil }

    /// The number of notifications that are still queued for the observer.
    public var waiting: Int { Int(waitingNumber) }

    @inline(__always)
    init(
        id: ID, observer: ObserverDescription, waited: Duration?, duration: Duration?, waiting: Int, isOnMainActor: Bool
    ) {
        self.id = id
        self.observer = observer
        self.isOnMainActor = isOnMainActor
        hasWaited = waited != nil
        waitedTime = waited ?? .nanoseconds(0)
        isMeasured = duration != nil
        callTime = duration ?? .nanoseconds(0)
        waitingNumber = UInt32(clamping: waiting)
    }

    /// Creates the delivery of a synchronous observer. `nanoseconds` is negative if the call wasn't measured.
    @inline(__always)
    init(id: ID, observer: ObserverDescription, nanoseconds: Int64, isOnMainActor: Bool) {
        self.id = id
        self.observer = observer
        self.isOnMainActor = isOnMainActor
        hasWaited = false
        waitedTime = .nanoseconds(0)
        isMeasured = nanoseconds >= 0
        callTime = .nanoseconds(nanoseconds)
        waitingNumber = 0
    }
}

/// A failed conversion from or to an untyped notification, a main-actor notification that was posted off the main
/// actor, or a call of an observer that threw an error.
public struct NotificationFailure: Sendable {
    /// The name of the notification.
    @export(implementation) public let notification: String

    /// The kind of failure, such as "could not be decoded". All failures of a kind have the same phrase.
    @export(implementation) public let kind: String

    /// A sentence that describes the failure. An error that an observer threw is named by its type or its
    /// ``CustomTidingsDescription``, because its text may be confidential. ``error`` is the error itself.
    @export(implementation) public let description: String

    /// The error, if there is one.
    @export(implementation) public let error: (any Error)?

    /// The observer that threw the error; `nil` if no observer did.
    public var observer: ObserverDescription? { call?.observer }

    /// The delivery in which the observer threw; `nil` if no observer threw, or if the delivery isn't monitored.
    public var delivery: NotificationDelivery.ID? { call?.delivery }

    /// The retry that follows; `nil` if there is none. ``NotificationStatistics/Row/failures`` counts only errors
    /// without a retry.
    public var retry: Retry? { call?.retry }

    /// Whether the observer had already thrown another error within ``WarningThresholds/failureInterval``. Errors with
    /// and without a retry are considered separately. If `true`, a later warning counts this error together with
    /// others: ``ObserverWarning/failures(_:count:latest:)`` or ``ObserverWarning/retries(_:count:latest:)``. Always
    /// `false` without the interest ``MonitorInterests/warnings``.
    @export(implementation) public internal(set) var isRepeated = false

    /// A class, because every event is as large as the largest case, and large events are slow to copy.
    private final class FailedCall: Sendable {
        let observer: ObserverDescription
        let delivery: NotificationDelivery.ID?
        let retry: Retry?

        init(_ observer: ObserverDescription, _ delivery: NotificationDelivery.ID?, _ retry: Retry?) {
            self.retry = retry
            self.observer = observer
            self.delivery = delivery
        }
    }

    private let call: FailedCall?

    package init(notification: String, kind: String, description: String, error: (any Error)?) {
        self.notification = notification
        self.kind = kind
        self.description = description
        self.error = error
        call = nil
    }

    init(_ thrown: any Error, of observer: ObserverDescription, in delivery: NotificationDelivery.ID? = nil) {
        let retried = thrown as? RetriedError
        let error = retried?.error ?? thrown
        notification = observer.subject.name
        kind = "observer threw"
        description = "an observer threw \(shownWords(of: error)): \(observer)"
        self.error = error
        call = FailedCall(observer, delivery, retried?.retry)
    }
}

extension NotificationFailure: CustomStringConvertible {}
