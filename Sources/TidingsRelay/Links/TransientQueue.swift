import Tidings

/// The messages that are sent at most once: they are passed on as they arrive, and queued, up to a limit, while there
/// is no link. A state machine.
struct TransientQueue: Sendable {
    /// The place of a message.
    enum Place {
        /// The caller sends it over the link.
        case link(any Link)
        /// The message is queued.
        case queue
        /// There is no room for the message, or for these messages, which were the oldest.
        case nowhere([RelayMessage])
    }

    private let limit: Int
    private let byteLimit: Int
    /// The number of queued bytes.
    private var bytes = 0
    private let dropsOldest: Bool
    private var link: (any Link)?
    /// Whether the queued messages have been sent over the link, so that new ones can be sent directly.
    private var hasCaughtUp = false
    private var waiting = TwoStackQueue<RelayMessage>()

    /// - Parameters:
    ///   - limit: The maximum number of messages that are queued while there is no link.
    ///   - byteLimit: The maximum number of their bytes.
    ///   - dropsOldest: Whether the oldest message is dropped for a new one when the limit is reached.
    init(limit: Int, byteLimit: Int = .max, dropsOldest: Bool = false) {
        self.limit = limit
        self.byteLimit = byteLimit
        self.dropsOldest = dropsOldest
    }

    /// Finds a place for a message.
    ///
    /// A message that arrives while the link sends queued ones is queued behind them, so the messages of each poster
    /// stay in order.
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

    /// Sets a link. The caller then sends the queued messages until there are none.
    mutating func connect(_ link: any Link) {
        self.link = link
        hasCaughtUp = false
    }

    mutating func disconnect() { link = nil }

    /// Returns the next queued message to send over a link, or `nil` if there is none, or another link.
    mutating func next(for link: any Link) -> RelayMessage? {
        guard self.link === link else { return nil }
        let message = waiting.popFirst()
        if let message { bytes -= Self.size(of: message) }
        hasCaughtUp = message == nil
        return message
    }

    /// Removes the queued messages when the relay ends.
    mutating func takeWaiting() -> [RelayMessage] {
        var messages: [RelayMessage] = []
        while let message = waiting.popFirst() { messages.append(message) }
        bytes = 0
        return messages
    }
}
