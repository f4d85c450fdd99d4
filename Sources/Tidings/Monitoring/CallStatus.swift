@usableFromInline
package struct CallStatus: Hashable, Sendable {
    /// The number of notifications that have left the queue because they were dropped or because the observer received
    /// them. The *n*th notification that was ever queued is at position *n* minus `left`.
    @export(implementation) package var left = 0

    /// The number of calls that have begun, retries included, or of notifications that the consumer of a sequence has
    /// taken. It changes with each call.
    @export(implementation) package var begun = 0

    /// The number of the notification with which the running call was made. The first notification that was ever
    /// queued has the number 1.
    @export(implementation) package var lastNumber = 0

    /// The number of notifications that the observer, or the consumer of a sequence, received; `nil` if not counted.
    @export(implementation) package var called: Int?

    /// How long the running turn, which may make several calls, has lasted; `nil` if no call is running.
    @export(implementation) package var turnDuration: Duration?

    /// Whether the running call has taken nearly all of ``turnDuration``.
    @export(implementation) package var isOneCall = false

    @export(implementation) package var busy = Duration.zero

    /// How long elements have been waiting for a turn; `nil` if no turn is scheduled, or if a retry delays the turn.
    @export(implementation) package var scheduledDuration: Duration?

    @export(implementation) package var oldestWait: Duration?

    /// Identifies the running call of an observer that runs in the post.
    @export(implementation) package var call: UInt?

    @export(implementation) package var mark: CallMark?

    @usableFromInline package init() {}
}
