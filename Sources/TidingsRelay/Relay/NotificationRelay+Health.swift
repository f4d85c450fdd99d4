public import Tidings

extension NotificationRelay {
    /// Whether the relay is connected, and stores what waits for it.
    ///
    /// It is not connected before ``run()`` has connected it, nor when it has ended. What waits while it is not is kept as far as there is
    /// room, so a program goes on without a connection for a while; when the outbox is nearly full that ends.
    ///
    /// - Returns: What is not as it should be.
    public var health: NotificationHealth {
        var problems: [NotificationHealth.Problem] = []
        let waiting = waitingCount
        if !isConnected {
            let words = "the relay \(options.name) is not connected, and \(waiting) notifications wait for it"
            problems.append(.init(.disconnected, words))
        }
        if waiting * 10 >= options.outboxLimit * 9 {
            let words = "\(waiting) of \(options.outboxLimit) notifications that the relay \(options.name) keeps"
            problems.append(.init(.fullOutbox, "\(words) wait to be stored"))
        }
        return NotificationHealth(problems)
    }

    private var isConnected: Bool { !isOver.isOn && isReady.isOn && state.withLock { $0.link != nil } }
}
