/// Something that has happened in a center or a bus, as told to a ``NotificationMonitor``.
@nonexhaustive
public enum NotificationEvent: Sendable {
    /// An observer was registered.
    case registered(ObserverDescription)

    /// An observation has ended: it was cancelled, or its token was released, or the center noticed that its owner or its sender
    /// is gone, or the center itself is.
    case ended(ObserverDescription, ObservationEndReason)

    /// A post has returned.
    case posted(NotificationPost)

    /// A notification begins to wait for an asynchronous observer. The number is how many do, with this one.
    case queued(ObserverDescription, waiting: Int)

    /// A call of an observer has returned, or the consumer of a sequence has taken a notification.
    case delivered(NotificationDelivery)

    /// The buffering policy of an asynchronous observer dropped a notification. The number is how many it has dropped.
    case dropped(ObserverDescription, total: Int)

    /// A notification could not be translated from or to an untyped one, in `TidingsFoundation`; or an asynchronous observer, or
    /// a consumer of a bus, threw an error. The call of such an observer is told as `delivered`, too.
    case failed(NotificationFailure)

    /// Something looks wrong: see ``WarningThresholds``.
    case warning(ObserverWarning)
}

/// A post that has returned.
public struct NotificationPost: Sendable, Identifiable {
    /// The identity of the post, which its deliveries have too.
    @export(implementation) public let id: ID

    /// The delivery in which the post was made: the call of an observer in an outer post, or an asynchronous call, also by way of
    /// a task that inherits from it; `nil` if there was none, or none that monitors were told of.
    @export(implementation) public let cause: NotificationDelivery.ID?

    /// The notification type, or the name, that was posted.
    @export(implementation) public let subject: NotificationSubject

    /// The line of source that posts it; `nil` for a classic post on Foundation's center, which a descriptor makes too, and for
    /// a message of a bus that is dispatched by a ``MessageProducer``.
    @export(implementation) public let place: SourcePlace?

    /// How many observers were called, or had the notification put into their queue.
    @export(implementation) public let observers: Int

    /// How long the post took, with the calls that were made in it; `nil` if the monitor is not interested in
    /// ``MonitorInterests/durations``.
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
    /// The identity of the delivery, with that of its post.
    @export(implementation) public let id: ID

    /// The identity of the post.
    public var post: NotificationPost.ID { id.post }

    /// The observer.
    @export(implementation) public let observer: ObserverDescription

    /// Whether the call is known to have been made on the main actor.
    ///
    /// It is known of observers on the main actor, of main-actor notifications, and of observers in a task whose closure
    /// belongs to the main actor. It is not known, and so false, of plain observers that a post on the main actor calls, and of
    /// observers on operation queues.
    @export(implementation) public let isOnMainActor: Bool

    // Each measured time has its own word for whether there is one, and the number is a short one: an event that is larger than
    // 128 bytes is copied by a call, which takes as long as all else that is done for a monitor.
    private let hasWaited: Bool
    private let waitingNumber: UInt32
    private let waitedTime: Duration
    private let callTime: Duration
    private let isMeasured: Bool

    /// How long the notification waited in the observer's queue; `nil` if the observer runs in the post, or the monitor is not
    /// interested in ``MonitorInterests/durations``.
    public var waited: Duration? { hasWaited ? waitedTime : nil }

    /// How long the call took; `nil` for a sequence, whose consumer does not say when it has finished.
    ///
    /// It is also `nil` if the monitor is not interested in ``MonitorInterests/durations``, unless the call was measured for a
    /// warning, as those on the main actor are.
    public var duration: Duration? { isMeasured ? callTime : nil }

    /// How many notifications still wait for the observer.
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

    /// A call in a post, by how many nanoseconds it took, or a negative number if that was not measured.
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

/// A notification that could not be translated from or to an untyped one, a main-actor notification that was posted off the main
/// actor, or a call of an observer that threw an error.
public struct NotificationFailure: Sendable {
    /// The name of the notification.
    @export(implementation) public let notification: String

    /// The kind of failure, in a few words that are the same for every failure of the kind: "could not be decoded".
    @export(implementation) public let kind: String

    /// The failure in one sentence.
    @export(implementation) public let description: String

    /// The error, if there is one.
    @export(implementation) public let error: (any Error)?

    /// The observer that threw the error; `nil` if the failure is not an observer's.
    public var observer: ObserverDescription? { call?.observer }

    /// The delivery in which the observer threw it; `nil` if the failure is not an observer's, or if no monitor is told of
    /// deliveries.
    public var delivery: NotificationDelivery.ID? { call?.delivery }

    /// Whether the observer has thrown another error within ``WarningThresholds/failureInterval``: the monitor is then told of this one
    /// together with others, too, as ``ObserverWarning/failures(_:count:latest:)``.
    ///
    /// It is false for a monitor that is not interested in ``MonitorInterests/warnings``.
    @export(implementation) public internal(set) var isRepeated = false

    /// The call that threw. An object, as the largest kind of event decides how all are copied.
    private final class FailedCall: Sendable {
        let observer: ObserverDescription
        let delivery: NotificationDelivery.ID?

        init(_ observer: ObserverDescription, _ delivery: NotificationDelivery.ID?) {
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

    /// An observer's error.
    init(_ error: any Error, of observer: ObserverDescription, in delivery: NotificationDelivery.ID? = nil) {
        notification = observer.subject.name
        kind = "observer threw"
        description = "an observer threw \(error): \(observer)"
        self.error = error
        call = FailedCall(observer, delivery)
    }
}

extension NotificationFailure: CustomStringConvertible {}
