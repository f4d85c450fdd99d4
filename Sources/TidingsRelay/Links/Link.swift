/// A single connection to a server. It never reconnects, and its methods don't block. Messages are sent in the order of
/// the calls.
package protocol Link: AnyObject, Sendable {
    /// The maximum size of a message's content, in bytes.
    var maximumPayload: Int { get }

    /// The number of bytes that haven't been written to the connection yet.
    var backlog: Int { get }

    func publish(_ message: RelayMessage) -> PublishingOutcome

    /// Subscribes to a subject or a pattern. One member of `group` receives each message; with `nil`, every subscriber
    /// does. Messages arrive in order, one at a time, on a thread of the link. Releasing the result unsubscribes.
    func subscribe(_ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void)
        throws(RelayFault) -> any AnyObject & Sendable

    /// Returns true when the server has received everything sent so far, or false if the link ends or the server hangs.
    func flush() async -> Bool

    func close()

    func waitForEnd() async
}

package enum PublishingOutcome: Hashable, Sendable {
    /// The message will be sent. If sending it fails later, the link reports an event.
    case accepted
    case ended
    case tooLarge
    case impossible(String)
}

package enum LinkEvent: Hashable, Sendable {
    /// `dropped` is the number of messages lost since the last report.
    case slowConsumer(subject: String, dropped: Int)
    case permissionDenied(subject: String?, detail: String)
    case unsent(RelayMessage, PublishingOutcome)
    case unsentTransients(Int)
    case problem(String)
}

package protocol LinkConnector: Sendable {
    func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link
}
