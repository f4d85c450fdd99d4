public import Tidings

extension NotificationRelay {
    /// Whether the relay is connected, stores what waits for it, and keeps up with what comes in.
    ///
    /// It is not connected before ``run()`` has connected it, nor when it has ended. What waits while it is not is kept as far as there is
    /// room, so a program goes on without a connection for a while; when the outbox is nearly full that ends. What waits in the table of a
    /// `NotificationOutbox` takes no room; that an observer of it is held up is part of that one's `health`.
    ///
    /// A route does not keep up when more waits, or for longer, than ``RelayOptions/lagLimits`` or ``RelayRoute/Taking/lagLimits`` allow. That
    /// is as it was ``RelayOptions/lagInterval`` ago, at most. Without limits the server is not asked.
    ///
    /// - Returns: What is not as it should be.
    public var health: NotificationHealth {
        var problems: [NotificationHealth.Problem] = []
        let lag = knownLag
        if !lag.isConnected {
            var words = "the relay \(options.name) is not connected, and \(lag.outgoing) notifications wait for it"
            if let sending { words += ", and in the outbox up to \(sending.status.map(\.waiting).reduce(0, +))" }
            problems.append(.init(.disconnected, words))
        }
        // Divided, as the limit may be the largest number there is.
        if lag.outgoing >= options.outboxLimit - options.outboxLimit / 10 {
            let words = "\(lag.outgoing) of \(options.outboxLimit) notifications that the relay \(options.name) keeps"
            problems.append(.init(.fullOutbox, "\(words) wait to be stored"))
        }
        for route in lag.routes { problems += self.problems(of: route) }
        if let error = lag.error {
            let words = "the server does not say how far behind the routes of the relay \(options.name) are"
            problems.append(.init(.failingStore, "\(words): \(error)"))
        }
        return NotificationHealth(problems)
    }

    private func problems(of route: LagReport.Route) -> [NotificationHealth.Problem] {
        let limits = lagLimits(of: route)
        let name = "\(route.notification) in the stream \(route.stream) for \(route.group)"
        var problems: [NotificationHealth.Problem] = []
        if let limit = limits.age, let age = route.oldestAge, age > limit {
            let words = "was stored \(age) ago, and \(limit) are allowed"
            problems.append(.init(.longWait, "the oldest \(name) that is not done with \(words)"))
        }
        if let limit = limits.waiting, route.waiting > limit {
            problems.append(.init(.longQueue, "\(route.waiting) \(name) wait, and \(limit) are allowed"))
        }
        return problems
    }
}

extension RelayOptions {
    /// How far behind a durable route that goes in may be until ``NotificationRelay/health`` says so. A limit that is `nil` is none.
    public struct LagLimits: Hashable, Sendable {
        /// For how long the oldest notification may have been stored that is not done with: longer than work and retries take.
        public var age: Duration?

        /// How many notifications may wait that were not given to anybody yet.
        public var waiting: Int?

        /// Makes limits.
        ///
        /// - Parameters:
        ///   - age: For how long the oldest notification may have been stored that is not done with.
        ///   - waiting: How many notifications may wait that were not given to anybody yet.
        public init(age: Duration? = nil, waiting: Int? = nil) {
            self.age = age
            self.waiting = waiting
        }

        var isEmpty: Bool { age == nil && waiting == nil }
    }
}
