/// One connection to a server, from its creation to its end. A link never reconnects. Instead, a new link replaces it.
///
/// No method blocks. Messages are sent in the order in which they are published.
package protocol Link: AnyObject, Sendable {
    /// In bytes.
    var maximumPayload: Int { get }

    /// The number of bytes that the server hasn't received yet.
    var backlog: Int { get }

    func publish(_ message: RelayMessage) -> PublishingOutcome

    /// Subscribes to a subject. Messages arrive in order, on a thread of the link.
    ///
    /// - Parameters:
    ///   - subject: The subject, which may be a pattern.
    ///   - group: The group in which one member receives each message, or `nil` for all subscribers.
    ///   - receive: Called with one message at a time.
    /// - Returns: An object whose release ends the subscription.
    /// - Throws: A fault if it isn't possible.
    func subscribe(
        _ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void
    ) throws(RelayFault) -> any AnyObject & Sendable

    /// Returns true when the server has received everything that was sent before, or false if the link ends earlier.
    func flush() async -> Bool

    /// Ends the link asynchronously.
    func close()

    func waitForEnd() async
}

package enum PublishingOutcome: Hashable, Sendable {
    /// The message is being sent. If that fails, the link reports it.
    case accepted
    case ended
    /// The message is too large for the server.
    case tooLarge
    /// The message can't be sent, for the given reason.
    case impossible(String)
}

/// An event that a link reports on its own.
package enum LinkEvent: Hashable, Sendable {
    /// Messages arrive faster than they are handled, and this number was dropped since the last report.
    case slowConsumer(subject: String, dropped: Int)
    /// The server doesn't permit the operation.
    case permissionDenied(subject: String?, detail: String)
    /// A message that was accepted can't be sent.
    case unsent(RelayMessage, PublishingOutcome)
    /// This number of transient messages was accepted but not sent, because the link has ended.
    case unsentTransients(Int)
    /// Any other problem.
    case problem(String)
}

package protocol LinkConnector: Sendable {
    /// Connects.
    ///
    /// - Parameter report: Called with the events of the link, on any thread.
    /// - Returns: The link.
    /// - Throws: The reason why there is none.
    func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link
}
