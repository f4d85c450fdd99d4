/// When a monitor is warned; `nil` means never. A warning comes once for an observer and a monitor, unless it is said otherwise.
public struct WarningThresholds: Hashable, Sendable {
    /// How many notifications may wait for an asynchronous observer: 1,000 unless set. Checked when one more waits.
    ///
    /// A queue that goes on growing is warned about again each time that it has doubled. When no more than half of the
    /// threshold wait, it has recovered: that is told too, and the next long queue of the observer is a new one.
    @export(implementation) public var waiting: Int? = 1000

    /// How long a call on the main actor may take: a quarter of a second unless set. Checked when the call has returned.
    ///
    /// ``NotificationDelivery/isOnMainActor`` says which calls are known to be made there.
    @export(implementation) public var mainActorCall: Duration? = .milliseconds(250)

    /// How long a call may take, and for how long notifications may wait without one being taken: ten seconds unless set.
    ///
    /// It is looked at while a call is running, so that one is warned about that never returns: by a timer, four times in this time, as
    /// long as anything is under way. A warning is repeated each time that the duration has doubled, and it is told when the call has
    /// ended. Observers in the post are watched, too. Of a sequence it is known only what its consumer has not taken.
    @export(implementation) public var call: Duration? = .seconds(10)

    /// How long an owner is expected to live: never warned about unless set.
    ///
    /// An observation that is tied to an owner lasts as long as the owner. If its closure captures the owner, both live as long
    /// as the center, which is the commonest leak there is. How long an owner should live depends on the program, so set this
    /// where owners come and go, as view models and requests do. The age of an observation counts from its registration, or
    /// from the moment when the monitor was attached, if that is later. It is checked with every event, by
    /// ``MonitorAttachment/check()``, and when the monitor is detached. Observations in an actor, whose owner is the actor,
    /// count too.
    @export(implementation) public var ownerAge: Duration?

    /// The time for which the drops of an observer's buffering policy are put together: a second unless set.
    ///
    /// The first drop of an observer is told as ``NotificationEvent/dropped(_:total:)`` alone. Of those that follow, a monitor is
    /// warned once in this time, with their number. It is checked with every event, by ``MonitorAttachment/check()``, and when
    /// the monitor is detached.
    @export(implementation) public var dropInterval: Duration? = .seconds(1)

    /// The time for which the errors of an observer are put together: a second unless set.
    ///
    /// Each error is told as ``NotificationEvent/failed(_:)``, and ``NotificationFailure/isRepeated`` says whether the observer had thrown
    /// one within this time. Of those that are repeated a monitor is warned once in this time, with their number. It is checked as
    /// drops are.
    @export(implementation) public var failureInterval: Duration? = .seconds(1)

    /// Whether a post that reaches no observer is warned about, if an observer that it would have reached has ended: true unless
    /// set. It comes once for each observer that has ended, and not if another one was registered for the type since.
    @export(implementation) public var postsToNobody = true

    /// Sets the thresholds.
    ///
    /// - Parameters:
    ///   - waiting: How many notifications may wait for an asynchronous observer.
    ///   - mainActorCall: How long a call on the main actor may take.
    ///   - call: How long a call may take, and for how long notifications may wait without one being taken.
    ///   - ownerAge: How long an owner is expected to live.
    ///   - dropInterval: The time for which drops are put together.
    ///   - failureInterval: The time for which errors are put together.
    ///   - postsToNobody: Whether posts that reach no observer are warned about.
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

/// Something about an observer that looks wrong.
@nonexhaustive
public enum ObserverWarning: Sendable {
    /// More notifications wait for the observer than ``WarningThresholds/waiting`` allows, or twice as many as when
    /// this was told the last time.
    case longQueue(ObserverDescription, waiting: Int)

    /// The queue that was too long has been worked off, to half of what ``WarningThresholds/waiting`` allows. The number is the
    /// largest that waited.
    case queueRecovered(ObserverDescription, most: Int)

    /// The buffering policy of the observer has gone on dropping notifications: how many since this was told the last time, and
    /// in all. See ``WarningThresholds/dropInterval``.
    case drops(ObserverDescription, count: Int, total: Int)

    /// The observer has gone on throwing errors: how many since this was told the last time, and the last one in words. See
    /// ``WarningThresholds/failureInterval``.
    case failures(ObserverDescription, count: Int, latest: String)

    /// A post reached no observer, and this is the observer of its type that was the last to end. The place is where the source
    /// posts, if that is known. See ``WarningThresholds/postsToNobody``.
    case reachedNobody(ObserverDescription, postedAt: SourcePlace?)

    /// A call on the main actor took longer than ``WarningThresholds/mainActorCall`` allows.
    case slowOnMainActor(ObserverDescription, duration: Duration)

    /// A call of the observer has been running for longer than ``WarningThresholds/call`` allows, or for twice as long as when this was
    /// told the last time. The number is how many notifications wait for it.
    case slowCall(ObserverDescription, duration: Duration, waiting: Int)

    /// Notifications wait for the observer, and for longer than ``WarningThresholds/call`` allows none of them was taken: what it runs
    /// on is busy, or the consumer of a sequence does not ask for more. It is repeated as ``slowCall(_:duration:waiting:)`` is.
    case stalledQueue(ObserverDescription, duration: Duration, waiting: Int)

    /// The call that took too long has ended, or the queue that stood still goes on, after about this time; or the observation is over.
    case callRecovered(ObserverDescription, duration: Duration)

    /// The observation is older than ``WarningThresholds/ownerAge``, and its owner, described by type and address, is alive.
    case lastingOwner(ObserverDescription, owner: String, age: Duration)

    /// The observer; one that has ended, if a post reached none.
    public var observer: ObserverDescription {
        switch self {
        case .longQueue(let observer, _), .queueRecovered(let observer, _), .drops(let observer, _, _),
            .failures(let observer, _, _),
            .reachedNobody(let observer, _), .slowOnMainActor(let observer, _), .lastingOwner(let observer, _, _),
            .slowCall(let observer, _, _), .stalledQueue(let observer, _, _), .callRecovered(let observer, _):
            observer
        }
    }
}

extension ObserverWarning: CustomStringConvertible {
    /// The warning in one sentence, with the place where the observer was registered.
    public var description: String {
        switch self {
        case .longQueue(let observer, let waiting):
            "\(waiting) notifications wait for an observer: \(observer)"
        case .queueRecovered(let observer, let most):
            "the queue of an observer, of up to \(most) notifications, has recovered: \(observer)"
        case .drops(let observer, let count, let total):
            "\(count) more \(count == 1 ? "notification was" : "notifications were") dropped, \(total) in all: \(observer)"
        case .failures(let observer, let count, let latest):
            "an observer threw \(count) more \(count == 1 ? "error" : "errors"), at last \(latest): \(observer)"
        case .reachedNobody(let observer, let place):
            "a post\(place.map { " at \($0)" } ?? "") reached nobody, as the last observer has ended: \(observer)"
        case .slowOnMainActor(let observer, let duration):
            "an observer took \(duration) on the main actor: \(observer)"
        case .slowCall(let observer, let duration, let waiting):
            "a call has been running for \(duration.toMilliseconds), and \(waiting) wait: \(observer)"
        case .stalledQueue(let observer, let duration, let waiting):
            "nothing has been taken for \(duration.toMilliseconds), and \(waiting) wait: \(observer)"
        case .callRecovered(let observer, let duration):
            "an observer goes on after \(duration.toMilliseconds): \(observer)"
        case .lastingOwner(let observer, let owner, let age):
            "an observation has lasted \(age) with its owner, \(owner): \(observer)"
        }
    }
}

extension Duration {
    /// The duration to whole milliseconds, as more would only be harder to read.
    @usableFromInline var toMilliseconds: Duration { .milliseconds(Int64(self / .milliseconds(1))) }
}
