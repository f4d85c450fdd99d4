/// How the queue of an asynchronous observer stands.
@usableFromInline
package struct QueueStatus: Sendable {
    /// How many notifications wait; the one that the observer works on does not.
    package var queued = 0

    /// How many notifications the buffering policy dropped.
    package var dropped = 0

    /// Whether a call of the observer is running.
    package var isRunning = false
}
