import Tidings

/// What is sent at most once: passed on as it comes, and kept, up to a limit, while there is no link. A state machine.
struct TransientQueue: Sendable {
    /// What becomes of a message.
    enum Place {
        /// It is sent over the link, by who brought it.
        case link(any Link)
        /// It waits.
        case queue
        /// There is no room: for it, or for these that were the oldest.
        case nowhere([RelayMessage])
    }

    private let limit: Int
    private let byteLimit: Int
    /// How many bytes wait.
    private var bytes = 0
    private let dropsOldest: Bool
    private var link: (any Link)?
    /// Whether what waited has been sent over the link, so that what comes may be.
    private var hasCaughtUp = false
    private var waiting = TwoStackQueue<RelayMessage>()

    /// - Parameters:
    ///   - limit: How many messages are kept while there is no link.
    ///   - byteLimit: How many bytes of them.
    ///   - dropsOldest: Whether the oldest makes room for a new one when there are as many.
    init(limit: Int, byteLimit: Int = .max, dropsOldest: Bool = false) {
        self.limit = limit
        self.byteLimit = byteLimit
        self.dropsOldest = dropsOldest
    }

    /// Finds a place for a message.
    ///
    /// What comes while the link takes what waited waits behind that, so the messages of each poster stay in order.
    mutating func append(_ message: RelayMessage) -> Place {
        if let link, hasCaughtUp { return .link(link) }
        let size = Self.size(of: message)
        func hasRoom() -> Bool { waiting.count < limit && bytes <= byteLimit - min(size, byteLimit) }
        var dropped: [RelayMessage] = []
        if link == nil, !hasRoom() {
            while dropsOldest, !hasRoom(), let oldest = waiting.popFirst() {
                bytes -= Self.size(of: oldest)
                dropped.append(oldest)
            }
            if !hasRoom() { return .nowhere(dropped + [message]) }
        }
        waiting.append(message)
        bytes += size
        return dropped.isEmpty ? .queue : .nowhere(dropped)
    }

    private static func size(of message: RelayMessage) -> Int { message.subject.utf8.count + message.size }

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
        if let message { bytes -= Self.size(of: message) }
        hasCaughtUp = message == nil
        return message
    }

    /// Takes out what waits, as the relay ends.
    mutating func takeWaiting() -> [RelayMessage] {
        var messages: [RelayMessage] = []
        while let message = waiting.popFirst() { messages.append(message) }
        bytes = 0
        return messages
    }
}
