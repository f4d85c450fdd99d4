/// When a monitor is warned. Each warning comes once for an observer and a monitor; `nil` means never.
public struct WarningThresholds: Hashable, Sendable {
    /// How many notifications may wait for an asynchronous observer: 1,000 unless set. Checked when one more waits.
    public var waiting: Int? = 1000

    /// How long a call on the main actor may take: a quarter of a second unless set. Checked when the call has returned; see
    /// ``NotificationDelivery/isOnMainActor`` for which calls are known to be there.
    public var mainActorCall: Duration? = .milliseconds(250)

    /// How long an owner is expected to live: never warned about unless set.
    ///
    /// An observation that is tied to an owner lasts as long as that. If its closure captures the owner, both live as long as
    /// the center, which is the commonest leak there is. Nobody but you knows how long an owner should live, so set this
    /// where owners come and go, as view models and requests do. The age of an observation counts from its registration, or
    /// from when the monitor was attached. It is checked with every event, by ``MonitorAttachment/check()``, and when the
    /// monitor is detached. Observations in an actor, whose owner is the actor, count too.
    public var ownerAge: Duration?

    /// The thresholds that are set if you set none.
    public init() {}

    /// Sets the thresholds.
    ///
    /// - Parameters:
    ///   - waiting: How many notifications may wait for an asynchronous observer.
    ///   - mainActorCall: How long a call on the main actor may take.
    ///   - ownerAge: How long an owner is expected to live.
    public init(waiting: Int? = 1000, mainActorCall: Duration? = .milliseconds(250), ownerAge: Duration?) {
        self.waiting = waiting
        self.mainActorCall = mainActorCall
        self.ownerAge = ownerAge
    }
}
