/// What waits for an asynchronous observer, as seen from outside.
@usableFromInline
package protocol ObserverQueue: AnyObject, Sendable {
    /// How the queue stands at this moment.
    var status: QueueStatus { get }

    /// Tells monitors from now on, if there are any, what becomes of what is put into the queue.
    func follow(_ watcher: QueueWatcher)
}
