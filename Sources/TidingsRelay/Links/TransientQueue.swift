import Tidings

/// What is sent at most once: passed on as it comes, and kept, up to a limit, while there is no link. A state machine.
struct TransientQueue: Sendable {
    /// What becomes of a message.
    enum Place {
        /// It is sent over the link, by who brought it.
        case link(any Link)
        /// It waits.
        case queue
        /// There is no room for this one: it, or the oldest.
        case nowhere(RelayMessage)
    }

    private let limit: Int
    private let dropsOldest: Bool
    private var link: (any Link)?
    /// Whether what waited has been sent over the link, so that what comes may be.
    private var hasCaughtUp = false
    private var waiting = TwoStackQueue<RelayMessage>()

    /// - Parameters:
    ///   - limit: How many messages are kept while there is no link.
    ///   - dropsOldest: Whether the oldest makes room for a new one when there are as many.
    init(limit: Int, dropsOldest: Bool = false) {
        self.limit = limit
        self.dropsOldest = dropsOldest
    }

    /// Finds a place for a message.
    ///
    /// What comes while the link takes what waited waits behind that, so the messages of each poster stay in order.
    mutating func append(_ message: RelayMessage) -> Place {
        if let link, hasCaughtUp { return .link(link) }
        if waiting.count < limit || link != nil {
            waiting.append(message)
            return .queue
        }
        guard dropsOldest, let oldest = waiting.popFirst() else { return .nowhere(message) }
        waiting.append(message)
        return .nowhere(oldest)
    }

    /// Takes a link. Who calls this sends what waits, until there is nothing.
    mutating func connect(_ link: any Link) {
        self.link = link
        hasCaughtUp = false
    }

    mutating func disconnect() { link = nil }

    /// The next message that waits for a link, which is to be sent over it; `nil` if there is none, or another link.
    mutating func next(for link: any Link) -> RelayMessage? {
        guard self.link === link else { return nil }
        let message = waiting.popFirst()
        hasCaughtUp = message == nil
        return message
    }

    /// Takes out what waits, as the relay ends.
    mutating func takeWaiting() -> [RelayMessage] {
        var messages: [RelayMessage] = []
        while let message = waiting.popFirst() { messages.append(message) }
        return messages
    }
}
