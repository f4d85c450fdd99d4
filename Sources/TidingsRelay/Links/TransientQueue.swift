struct TransientQueue: Sendable {
    enum Place {
        case link(any Link)
        case queue
        /// These messages were dropped: older messages to make room, and the new one if there was still no room.
        case nowhere([RelayMessage])
    }

    private let limit: Int
    private let byteLimit: Int
    private var bytes = 0
    private let dropsOldest: Bool
    private var link: (any Link)?
    /// Whether all queued messages have been sent. New messages are then sent directly.
    private var hasCaughtUp = false
    private var waiting = TwoStackQueue<RelayMessage>()

    init(limit: Int, byteLimit: Int = .max, dropsOldest: Bool = false) {
        self.limit = limit
        self.byteLimit = byteLimit
        self.dropsOldest = dropsOldest
    }

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

    mutating func connect(_ link: any Link) {
        self.link = link
        hasCaughtUp = false
    }

    mutating func disconnect() { link = nil }

    mutating func next(for link: any Link) -> RelayMessage? {
        guard self.link === link else { return nil }
        let message = waiting.popFirst()
        if let message { bytes -= Self.size(of: message) }
        hasCaughtUp = message == nil
        return message
    }

    mutating func takeWaiting() -> [RelayMessage] {
        var messages: [RelayMessage] = []
        while let message = waiting.popFirst() { messages.append(message) }
        bytes = 0
        return messages
    }
}
