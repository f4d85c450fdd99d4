/// One connection to a server, from its making to its end. It is never made again: another link takes its place.
///
/// No method blocks. Messages that are published go out in the order in which they are.
package protocol Link: AnyObject, Sendable {
    /// The largest message that the server takes, in bytes.
    var maximumPayload: Int { get }

    /// How many bytes wait for the server to take them.
    var backlog: Int { get }

    /// Sends a message.
    func publish(_ message: RelayMessage) -> PublishingOutcome

    /// Has messages delivered, in order, on a thread of the link.
    ///
    /// - Parameters:
    ///   - subject: The subject, which may be a pattern.
    ///   - group: The group of which one member gets each message; `nil` for everyone.
    ///   - receive: Called with each message, one at a time.
    /// - Returns: What keeps the subscription; it ends when this is released.
    /// - Throws: Why it is not possible.
    func subscribe(
        _ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void
    ) throws(RelayFault) -> any AnyObject & Sendable

    /// Returns when the server has taken everything that was sent before, or the link has ended.
    ///
    /// - Returns: Whether it has taken it.
    func flush() async -> Bool

    /// Ends the link; soon, not at once.
    func close()

    /// Returns when the link has ended.
    func waitForEnd() async
}

/// What became of a message that was given to a link.
package enum PublishingOutcome: Hashable, Sendable {
    /// It is on its way. If it turns out that it cannot be sent, the link tells that.
    case accepted
    /// The link has ended.
    case ended
    /// It is too large for the server.
    case tooLarge
    /// It cannot be sent, for this reason.
    case impossible(String)
}

/// What a link tells on its own.
package enum LinkEvent: Hashable, Sendable {
    /// Messages come faster than they are taken, and so many more were dropped.
    case slowConsumer(subject: String, dropped: Int)
    /// The server does not allow what was asked.
    case permissionDenied(subject: String?, detail: String)
    /// A message that was accepted cannot be sent after all.
    case unsent(RelayMessage, PublishingOutcome)
    /// So many messages that nobody waits for were accepted, and not sent any more, as the link has ended.
    case unsentTransients(Int)
    /// Something else went wrong.
    case problem(String)
}

/// Makes links to one server, or one cluster.
package protocol LinkConnector: Sendable {
    /// Connects.
    ///
    /// - Parameter report: Called with what the link tells on its own, on any thread.
    /// - Returns: The link.
    /// - Throws: Why there is none.
    func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link
}
