/// How far the calls of an observer have come, for lists of observations.
@usableFromInline
package struct CallStatus: Hashable, Sendable {
    /// How many notifications have left the queue in all: those that were called with, or are, and those that were dropped while they
    /// waited. A notification waits behind as many as its number is larger.
    @usableFromInline package var left = 0

    /// For how long the call is running, or all calls of its turn together; `nil` if none is.
    @usableFromInline package var turnDuration: Duration?

    /// Whether that is the time of one call, and of none but quick ones before it.
    @usableFromInline package var isOneCall = false

    /// How long calls took in all, with the one that is running.
    @usableFromInline package var busy = Duration.zero

    /// For how long elements have waited for a turn to begin; `nil` if one is under way, or none waits.
    @usableFromInline package var scheduledDuration: Duration?

    /// For how long the oldest element that waits has waited, or some milliseconds less; `nil` if none waits.
    @usableFromInline package var oldestWait: Duration?

    /// What tells the call of an observer that runs in the post from others: as long as it is the same, so is the call.
    @usableFromInline package var call: UInt?

    @usableFromInline package init() {}
}
