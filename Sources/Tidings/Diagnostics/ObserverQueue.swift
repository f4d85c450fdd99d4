/// What waits for an asynchronous observer, as seen from outside.
@usableFromInline
package protocol ObserverQueue: AnyObject, Sendable {
    /// How the queue stands at this moment.
    var status: QueueStatus { get }

    /// Tells monitors from now on, if there are any, what becomes of what is put into the queue.
    func follow(_ watcher: QueueWatcher)
}

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
