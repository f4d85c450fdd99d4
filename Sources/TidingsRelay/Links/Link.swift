/// One connection to a server, from its creation to its end. A link never reconnects; another link replaces it.
///
/// No method blocks. Messages are sent in the order in which they are published.
package protocol Link: AnyObject, Sendable {
    /// The maximum message size that the server accepts, in bytes.
    var maximumPayload: Int { get }

    /// The number of bytes that the server hasn't received yet.
    var backlog: Int { get }

    /// Sends a message.
    func publish(_ message: RelayMessage) -> PublishingOutcome

    /// Subscribes to a subject. Messages arrive in order, on a thread of the link.
    ///
    /// - Parameters:
    ///   - subject: The subject, which may be a pattern.
    ///   - group: The group in which one member receives each message, or `nil` for all subscribers.
    ///   - receive: Called with each message, one at a time.
    /// - Returns: An object that keeps the subscription, which ends when the object is released.
    /// - Throws: The reason why it isn't possible.
    func subscribe(
        _ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void
    ) throws(RelayFault) -> any AnyObject & Sendable

    /// Returns when the server has received everything that was sent before, or the link has ended.
    ///
    /// - Returns: Whether the server has received it.
    func flush() async -> Bool

    /// Ends the link asynchronously.
    func close()

    /// Returns when the link has ended.
    func waitForEnd() async
}

/// The outcome of publishing a message on a link.
package enum PublishingOutcome: Hashable, Sendable {
    /// The message is being sent. If it turns out that it can't be sent, the link reports that.
    case accepted
    /// The link has ended.
    case ended
    /// The message is too large for the server.
    case tooLarge
    /// The message can't be sent, for this reason.
    case impossible(String)
}

/// An event that a link reports on its own.
package enum LinkEvent: Hashable, Sendable {
    /// Messages arrive faster than they are handled, and this number of additional ones was dropped.
    case slowConsumer(subject: String, dropped: Int)
    /// The server doesn't permit the operation.
    case permissionDenied(subject: String?, detail: String)
    /// A message that was accepted can't be sent after all.
    case unsent(RelayMessage, PublishingOutcome)
    /// This number of transient messages was accepted but not sent, because the link has ended.
    case unsentTransients(Int)
    /// Another problem.
    case problem(String)
}

/// Creates links to one server or cluster.
package protocol LinkConnector: Sendable {
    /// Connects.
    ///
    /// - Parameter report: Called with the events of the link, on any thread.
    /// - Returns: The link.
    /// - Throws: The reason why there is none.
    func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link
}
