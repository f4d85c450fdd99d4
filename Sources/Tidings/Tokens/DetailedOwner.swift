/// An owner, or none, with what else only some registrations have.
///
/// It stands where an owner stands, so that a registration is no larger for it: every entry of a center holds one.
final class DetailedOwner: ObserverOwner, @unchecked Sendable {  // immutable
    private let base: ObserverOwner?

    /// What waits for the observer, which whoever has the observer's closure keeps. Weakly, as the queue leads to the
    /// observation, and that may lead here.
    weak let queue: (any ObserverQueue)?

    /// The notification type, if the center knows it under another one.
    let type: Any.Type?

    /// The sender in words, if the center does not know it.
    let sender: String?

    init(_ base: ObserverOwner?, queue: (any ObserverQueue)?, type: Any.Type?, sender: String?) {
        self.base = base
        self.queue = queue
        self.type = type
        self.sender = sender
        super.init()
    }

    override var owner: ObserverOwner? { base }
}
