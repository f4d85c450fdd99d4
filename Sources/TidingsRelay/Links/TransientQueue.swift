/// What is sent at most once: passed on as it comes, and kept, up to a limit, while there is no link. A state machine.
struct TransientQueue: ActingMachine {
    enum Action: Sendable {
        case send(any Link, RelayMessage)
    }

    var actions: [Action] = []

    private let limit: Int
    private var link: (any Link)?
    private var waiting: [RelayMessage] = []

    /// - Parameter limit: How many messages are kept while there is no link.
    init(limit: Int) { self.limit = limit }

    /// Sends a message, or keeps it.
    ///
    /// - Returns: Whether there was room.
    mutating func append(_ message: RelayMessage) -> Bool {
        if let link {
            actions.append(.send(link, message))
            return true
        }
        if waiting.count >= limit { return false }
        waiting.append(message)
        return true
    }

    mutating func connect(_ link: any Link) {
        self.link = link
        actions += waiting.map { .send(link, $0) }
        waiting = []
    }

    mutating func disconnect() { link = nil }

    /// Takes out what waits, as the relay ends.
    mutating func takeWaiting() -> [RelayMessage] {
        defer { waiting = [] }
        return waiting
    }
}
