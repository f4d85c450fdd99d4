@usableFromInline
package struct CallStatus: Hashable, Sendable {
    /// The number of notifications that have left the queue so far because they were handled or dropped. The *n*th
    /// notification that was ever queued is at position *n* minus this number.
    @export(implementation) package var left = 0

    /// The number of notifications that the observer, or the consumer of a sequence, received; `nil` if not counted.
    @export(implementation) package var called: Int?

    /// How long ago the running turn, with one or more calls, began; `nil` if no call is running.
    @export(implementation) package var turnDuration: Duration?

    /// Whether the running call took all of ``turnDuration``, except for quick calls earlier in the turn.
    @export(implementation) package var isOneCall = false

    @export(implementation) package var busy = Duration.zero

    /// How long elements have been waiting for a turn to begin; `nil` if no turn is scheduled, or a retry delays it.
    @export(implementation) package var scheduledDuration: Duration?

    @export(implementation) package var oldestWait: Duration?

    /// Identifies the running call of an observer that runs in the post.
    @export(implementation) package var call: UInt?

    @export(implementation) package var mark: CallMark?

    @usableFromInline package init() {}
}
