/// What changes in a bus, under its lock.
@usableFromInline
struct BusState<Message: Sendable>: Sendable {
    @usableFromInline typealias Runner = MailboxState<Message>.Runner

    /// What is to be done when the lock is free.
    @usableFromInline
    struct Filled: Sendable {
        /// What is to be told that there is something to handle.
        @usableFromInline var runners: [(Mailbox<Message>, Runner)] = []

        /// How many mailboxes the message was put into.
        @usableFromInline var count = 0

        /// The subscribers that were removed, as their consumers are gone.
        @usableFromInline var removed: [Subscriber<Message>] = []

        @inlinable
        init() {}
    }

    @usableFromInline var subscribers: [ObjectIdentifier: Subscriber<Message>] = [:]

    /// Whether there is a monitor.
    @usableFromInline var isMonitored = false

    /// Puts a message into all mailboxes, and removes the subscribers that do not take any.
    ///
    /// - Parameter put: Puts it into one. It returns what was refused, and the runner if it is to be told.
    /// - Returns: What is to be done.
    @inlinable
    mutating func fill(_ put: (Mailbox<Message>) -> (dropped: Queued<Message>?, runner: Runner?)) -> Filled {
        var filled = Filled()
        filled.count = subscribers.count
        var refusals = 0
        for subscriber in subscribers.values {
            let (refused, runner) = put(subscriber.mailbox)
            if let runner { filled.runners.append((subscriber.mailbox, runner)) }
            if refused != nil { refusals += 1 }
        }
        if refusals > 0 {
            filled.count -= refusals
            filled.removed = removeClosed()
        }
        return filled
    }

    /// Removes the subscribers that do not take anything any more.
    ///
    /// - Returns: Those that were removed.
    @usableFromInline
    mutating func removeClosed() -> [Subscriber<Message>] {
        let closed = subscribers.filter { !$0.value.mailbox.isOpen }
        for key in closed.keys { subscribers[key] = nil }
        return Array(closed.values)
    }
}
