import Tidings

/// What is sent at most once: passed on as it comes, and kept, up to a limit, while there is no link. A state machine.
struct TransientQueue: ActingMachine {
    enum Action: Sendable {
        case send(any Link, RelayMessage)
    }

    var actions: [Action] = []

    private let limit: Int
    private let dropsOldest: Bool
    private var link: (any Link)?
    private var waiting = TwoStackQueue<RelayMessage>()

    /// - Parameters:
    ///   - limit: How many messages are kept while there is no link.
    ///   - dropsOldest: Whether the oldest makes room for a new one when there are as many.
    init(limit: Int, dropsOldest: Bool = false) {
        self.limit = limit
        self.dropsOldest = dropsOldest
    }

    /// Sends a message, or keeps it.
    ///
    /// - Returns: The message for which there is no room; `nil` if there is room for all.
    mutating func append(_ message: RelayMessage) -> RelayMessage? {
        if let link {
            actions.append(.send(link, message))
            return nil
        }
        if waiting.count < limit {
            waiting.append(message)
            return nil
        }
        guard dropsOldest, let oldest = waiting.popFirst() else { return message }
        waiting.append(message)
        return oldest
    }

    mutating func connect(_ link: any Link) {
        self.link = link
        actions += takeWaiting().map { .send(link, $0) }
    }

    mutating func disconnect() { link = nil }

    /// Takes out what waits, as the relay ends.
    mutating func takeWaiting() -> [RelayMessage] {
        var messages: [RelayMessage] = []
        while let message = waiting.popFirst() { messages.append(message) }
        return messages
    }
}
