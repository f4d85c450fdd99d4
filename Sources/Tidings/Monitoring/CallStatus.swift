/// How far the calls of an observer have come, for lists of observations.
@usableFromInline
package struct CallStatus: Hashable, Sendable {
    /// How many notifications have left the queue in all: those that were called with, or are, and those that were dropped while they
    /// waited. A notification waits behind as many as its number is larger.
    @export(implementation) package var left = 0

    /// For how long the call is running, or all calls of its turn together; `nil` if none is.
    @export(implementation) package var turnDuration: Duration?

    /// Whether that is the time of one call, and of none but quick ones before it.
    @export(implementation) package var isOneCall = false

    /// How long calls took in all, with the one that is running.
    @export(implementation) package var busy = Duration.zero

    /// For how long elements have waited for a turn to begin; `nil` if one is under way, or none waits.
    @export(implementation) package var scheduledDuration: Duration?

    /// For how long the oldest element that waits has waited, or some milliseconds less; `nil` if none waits.
    @export(implementation) package var oldestWait: Duration?

    /// What tells the call of an observer that runs in the post from others: as long as it is the same, so is the call.
    @export(implementation) package var call: UInt?

    @usableFromInline package init() {}
}
