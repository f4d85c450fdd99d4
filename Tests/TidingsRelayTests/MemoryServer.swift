import TestSupport
import Tidings
import TidingsRelay

/// A server in the same process, which passes messages to subscribers and stores nothing.
final class MemoryServer: LinkConnector {
    struct State {
        var links: [MemoryLink] = []
        /// The faults that connection attempts throw. Each attempt removes the first fault.
        var refusals: [RelayFault] = []
    }

    let state = Lock(State())

    func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
        let result: Result<MemoryLink, RelayFault> = state.withLock { state in
            if !state.refusals.isEmpty { return .failure(state.refusals.removeFirst()) }
            let link = MemoryLink(self, report)
            state.links.append(link)
            return .success(link)
        }
        return try result.get()
    }

    var links: [MemoryLink] { state.withLock { $0.links } }

    func endLinks() { for link in links { link.close() } }

    func send(_ message: RelayMessage, from sender: MemoryLink?) {
        for link in links where link !== sender { link.receive(message) }
    }
}

final class MemoryLink: Link {
    private struct State {
        var subscriptions: [(pattern: SubjectPattern, token: WeakToken)] = []
        var published: [RelayMessage] = []
        var isOver = false
    }
    private struct WeakToken: Sendable { weak let token: Token? }
    final class Token: Sendable {
        let receive: @Sendable (RelayMessage) -> Void
        init(_ receive: @escaping @Sendable (RelayMessage) -> Void) { self.receive = receive }
    }

    private let state = Lock(State())
    private let ended = Gate()
    /// The server retains open links, so a link must not retain the server.
    private weak let server: MemoryServer?
    let report: @Sendable (LinkEvent) -> Void
    let maximumPayload = 1000
    let backlog = 0

    init(_ server: MemoryServer, _ report: @escaping @Sendable (LinkEvent) -> Void) {
        self.server = server
        self.report = report
    }

    var published: [RelayMessage] { state.withLock { $0.published } }

    func publish(_ message: RelayMessage) -> PublishingOutcome {
        if message.size > maximumPayload { return .tooLarge }
        let isOver = state.withLock { state in
            if !state.isOver { state.published.append(message) }
            return state.isOver
        }
        if isOver { return .ended }
        server?.send(message, from: self)
        return .accepted
    }

    func receive(_ message: RelayMessage) {
        let tokens = state.withLock { state in
            state.subscriptions.filter { $0.pattern.contains(message.subject) }.compactMap(\.token.token)
        }
        for token in tokens { token.receive(message) }
    }

    func subscribe(
        _ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void
    ) throws(RelayFault) -> any AnyObject & Sendable {
        let token = Token(receive)
        state.withLock { $0.subscriptions.append((SubjectPattern(subject), WeakToken(token: token))) }
        return token
    }

    func flush() async -> Bool { !state.withLock { $0.isOver } }

    func close() {
        state.withLock { $0.isOver = true }
        server?.state.withLock { $0.links.removeAll { $0 === self } }
        ended.open()
    }

    func waitForEnd() async { await ended.wait() }
}
