/// The thresholds beyond which a monitor receives warnings; `nil` disables a warning. Unless stated otherwise, a
/// monitor receives each kind of warning at most once for each observer.
public struct WarningThresholds: Hashable, Sendable {
    /// How many notifications may be queued for an asynchronous observer. The default is 1,000.
    ///
    /// The warning is repeated each time that the length of the queue has doubled. When the length falls to half of the
    /// threshold, the monitor receives ``ObserverWarning/queueRecovered(_:most:)``. If the queue becomes long again
    /// after that, there is a new warning.
    @export(implementation) public var waiting: Int? = 1000

    /// How long a call on the main actor may take; see ``NotificationDelivery/isOnMainActor``. The default is a quarter
    /// of a second. The duration is checked when the call has returned.
    @export(implementation) public var mainActorCall: Duration? = .milliseconds(250)

    /// How long a call may run, and how long a queue may go without a notification being taken. The default is ten
    /// seconds.
    ///
    /// A timer checks running calls and non-empty queues four times within this duration, so a call that never returns
    /// is found. It also finds queues that grow steadily, and a main actor that is almost always busy. The warning is
    /// repeated each time that the call or the wait has become twice as long. When the call or the wait has ended, the
    /// monitor receives ``ObserverWarning/callRecovered(_:duration:)``. Observers that run in the post are checked,
    /// too. For a sequence, only notifications that its consumer hasn't taken are considered.
    @export(implementation) public var call: Duration? = .seconds(10)

    /// How long an owner is expected to live. By default there is no warning.
    ///
    /// An observation that is tied to an owner lasts as long as the owner. If the observer's closure captures the
    /// owner, both live as long as the center. This is the most common leak. Set this threshold where owners come and
    /// go, as view models and requests do. The age counts from the registration, or from the attachment of the monitor
    /// if the monitor was attached later. The age is checked with every event, by ``MonitorAttachment/check()``, and
    /// when the monitor is detached. An observer that runs in an actor has the actor as its owner.
    @export(implementation) public var ownerAge: Duration?

    /// The interval over which the drops of an observer's buffering policy are aggregated. The default is one second.
    ///
    /// The first drop of an observer causes no warning, only the event ``NotificationEvent/dropped(_:total:)``. For
    /// later drops, a monitor receives one warning for each interval, with the number of drops. The warning is sent
    /// when the interval has passed, or earlier if the observation ends or the monitor is detached.
    @export(implementation) public var dropInterval: Duration? = .seconds(1)

    /// The interval over which the errors of an observer are aggregated. The default is one second.
    ///
    /// Each error is reported as ``NotificationEvent/failed(_:)``. For errors with ``NotificationFailure/isRepeated``,
    /// a monitor also receives one warning for each interval, with the number of errors. The warning is sent when the
    /// interval has passed, or earlier if the observation ends or the monitor is detached.
    @export(implementation) public var failureInterval: Duration? = .seconds(1)

    /// Whether to warn about a post that reaches no observer after an observer of its type has ended. An observer that
    /// was limited to a sender doesn't count. The default is `true`. Each ended observer causes at most one warning,
    /// and none if another observer of the type is registered before the post.
    @export(implementation) public var postsToNobody = true

    /// Creates thresholds.
    ///
    /// - Parameters:
    ///   - waiting: How many notifications may be queued for an asynchronous observer.
    ///   - mainActorCall: How long a call on the main actor may take.
    ///   - call: How long a call may take, and how long a queue may go without a notification being taken.
    ///   - ownerAge: How long an owner is expected to live.
    ///   - dropInterval: The interval over which drops are aggregated.
    ///   - failureInterval: The interval over which errors are aggregated.
    ///   - postsToNobody: Whether to warn about posts that reach no observer.
    public init(
        waiting: Int? = 1000, mainActorCall: Duration? = .milliseconds(250), call: Duration? = .seconds(10),
        ownerAge: Duration? = nil, dropInterval: Duration? = .seconds(1), failureInterval: Duration? = .seconds(1),
        postsToNobody: Bool = true
    ) {
        self.waiting = waiting
        self.mainActorCall = mainActorCall
        self.call = call
        self.ownerAge = ownerAge
        self.dropInterval = dropInterval
        self.failureInterval = failureInterval
        self.postsToNobody = postsToNobody
    }
}

/// A warning that something about an observer looks wrong.
@nonexhaustive
public enum ObserverWarning: Sendable {
    /// More notifications are queued than ``WarningThresholds/waiting``, or twice as many as at the last warning.
    case longQueue(ObserverDescription, waiting: Int)

    /// At several checks in a row, the queue was longer than at the check before. The values are the growth, the time
    /// that it took, and the length of the queue. A series of such checks is reported once, usually before
    /// ``WarningThresholds/waiting`` is exceeded.
    case growingQueue(ObserverDescription, by: Int, in: Duration, waiting: Int)

    /// A long queue has shrunk to half of ``WarningThresholds/waiting``. The number is the queue's greatest length.
    case queueRecovered(ObserverDescription, most: Int)

    /// The buffering policy has continued to drop notifications. The numbers are the drops since the last warning and
    /// the drops in total. See ``WarningThresholds/dropInterval``.
    case drops(ObserverDescription, count: Int, total: Int)

    /// The observer has continued to throw errors. The values are the number of errors since the last warning, and a
    /// description of the last error. See ``WarningThresholds/failureInterval``.
    case failures(ObserverDescription, count: Int, latest: String)

    /// Like ``failures(_:count:latest:)``, for errors after which the notification is retried.
    case retries(ObserverDescription, count: Int, latest: String)

    /// A post reached no observer. The values are the last observer of the notification type to end, and the line of
    /// source that posted, if the line is known. See ``WarningThresholds/postsToNobody``.
    case reachedNobody(ObserverDescription, postedAt: SourcePlace?)

    /// A call on the main actor took longer than ``WarningThresholds/mainActorCall`` allows.
    case slowOnMainActor(ObserverDescription, duration: Duration)

    /// Calls of observers have kept the main actor busy for nearly all of the duration. This observer's calls took the
    /// largest share (0 to 1) of that time. This is reported once until the main actor is less busy again.
    case busyMainActor(ObserverDescription, share: Double, duration: Duration)

    /// A call has been running for longer than ``WarningThresholds/call`` allows, or for twice as long as at the last
    /// warning. The number is the length of the observer's queue. The mark is the last step that the call has named
    /// with ``mark(_:fileID:line:)``.
    case slowCall(ObserverDescription, duration: Duration, waiting: Int, last: CallMark?)

    /// Notifications are queued, and none has been taken for longer than ``WarningThresholds/call`` allows. The actor
    /// or queue on which the observer runs is busy, or the consumer of a sequence doesn't request the next element. The
    /// warning is repeated like ``slowCall(_:duration:waiting:last:)``.
    case stalledQueue(ObserverDescription, duration: Duration, waiting: Int)

    /// A slow call has ended, a stalled queue has resumed, or the observation has ended, after about this duration.
    case callRecovered(ObserverDescription, duration: Duration)

    /// The observation is older than ``WarningThresholds/ownerAge``, and its owner is alive.
    case lastingOwner(ObserverDescription, owner: String, age: Duration)

    /// The owner has registered another observer from the same line, for the same type and sender, while this observer
    /// is active. Each post now calls both. This is reported at each such registration and, in debug builds, once for
    /// each line on the standard error stream. To avoid it, use ``TypedNotificationCenter/unlessRegistered``.
    case registeredAgain(ObserverDescription)

    /// The observer that the warning describes. For ``reachedNobody(_:postedAt:)``, its observation has ended.
    public var observer: ObserverDescription {
        switch self {
        case .longQueue(let observer, _), .queueRecovered(let observer, _), .drops(let observer, _, _),
            .failures(let observer, _, _), .retries(let observer, _, _),
            .reachedNobody(let observer, _), .slowOnMainActor(let observer, _), .lastingOwner(let observer, _, _),
            .slowCall(let observer, _, _, _), .stalledQueue(let observer, _, _), .callRecovered(let observer, _),
            .registeredAgain(let observer), .growingQueue(let observer, _, _, _), .busyMainActor(let observer, _, _):
            observer
        }
    }
}

extension ObserverWarning: CustomStringConvertible {
    /// A sentence that describes the warning, with the place where the observer was registered.
    public var description: String { "\(words): \(observer)" }

    private var words: String {
        switch self {
        case .longQueue(_, let waiting):
            "\(waiting.waitingNotifications) for an observer"
        case .growingQueue(_, let growth, let duration, let waiting):
            "the queue of an observer has grown by \(growth) in \(duration.toMilliseconds), and \(waiting.waitingNotifications)"
        case .busyMainActor(_, let share, let duration):
            // `rounded()` calls the C math library, which a program without Foundation doesn't link.
            "calls of observers have kept the main actor busy for \(duration.toMilliseconds), \(Int(100 * share + 0.5)) % of that time by one observer"
        case .queueRecovered(_, let most):
            "the queue of an observer, which held up to \(most) \(most == 1 ? "notification" : "notifications"), has recovered"
        case .drops(_, let count, let total):
            "\(count) more \(count == 1 ? "notification was" : "notifications were") dropped, \(total) in all"
        case .failures(_, let count, let latest):
            "an observer threw \(count) more \(count == 1 ? "error" : "errors"), most recently \(latest)"
        case .retries(_, let count, let latest):
            "an observer threw \(count) more \(count == 1 ? "error" : "errors") and will be called again, most recently \(latest)"
        case .reachedNobody(_, let place):
            "a post\(place.map { " at \($0)" } ?? "") reached no observer, because the last observer of its type has ended"
        case .slowOnMainActor(_, let duration):
            "an observer took \(duration) on the main actor"
        case .slowCall(_, let duration, let waiting, let mark):
            "a call has been running for \(duration.toMilliseconds)\(mark.words), and \(waiting.waitingNotifications)"
        case .stalledQueue(_, let duration, let waiting):
            "no queued notification has been handled for \(duration.toMilliseconds), and \(waiting.waitingNotifications)"
        case .callRecovered(_, let duration):
            "an observer that was slow or stalled for \(duration.toMilliseconds) has recovered"
        case .lastingOwner(_, let owner, let age):
            "a possible leak: \(owner), the owner of an observer, is still alive after \(age)"
        case .registeredAgain:
            "an owner registered a second observer from the same line, and each post calls both; remove the first, or register with "
                + "'unlessRegistered'"
        }
    }
}

extension CallMark? {
    @usableFromInline package var words: String { map { ", the last \($0.age.toMilliseconds) at \($0)" } ?? "" }
}

extension Int {
    package var waitingNotifications: String { self == 1 ? "1 notification waits" : "\(self) notifications wait" }
}

extension Duration {
    @usableFromInline var toMilliseconds: Duration { .milliseconds(Int64(self / .milliseconds(1))) }
}
