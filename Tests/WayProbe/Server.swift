import Tidings
import TidingsRelay

/// A server in the process, which passes on the last message when it is told to.
final class Server: LinkConnector {
    let links = Lock<[ServedLink]>([])
    private let last = Lock<(sender: ServedLink, message: RelayMessage)?>(nil)

    func keep(_ message: RelayMessage, from sender: ServedLink) { last.withLock { $0 = (sender, message) } }

    /// Passes on the last message that was sent, each time that it is told to.
    func passOn() {
        guard let (sender, message) = last.withLock({ $0 }) else { return }
        for link in links.withLock({ $0 }) where link !== sender { link.receive(message) }
    }

    func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
        let link = ServedLink(self)
        links.withLock { $0.append(link) }
        return link
    }
}

/// A connection to it, which does not end.
final class ServedLink: Link {
    private struct Subscription {
        let pattern: SubjectPattern
        let receive: @Sendable (RelayMessage) -> Void
    }

    private let server: Server
    private let subscriptions = Lock<[Subscription]>([])
    let maximumPayload = 1 << 20
    let backlog = 0

    init(_ server: Server) { self.server = server }

    func publish(_ message: RelayMessage) -> PublishingOutcome {
        server.keep(message, from: self)
        return .accepted
    }

    func receive(_ message: RelayMessage) {
        for subscription in subscriptions.withLock({ $0 }) where subscription.pattern.contains(message.subject) {
            subscription.receive(message)
        }
    }

    func subscribe(
        _ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void
    ) throws(RelayFault) -> any AnyObject & Sendable {
        subscriptions.withLock { $0.append(Subscription(pattern: SubjectPattern(subject), receive: receive)) }
        return self
    }

    func flush() async -> Bool { true }
    func close() {}
    func waitForEnd() async { await Task.detached { try? await Task.sleep(for: .seconds(3600)) }.value }
}
