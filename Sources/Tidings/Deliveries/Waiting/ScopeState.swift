/// What the wait graph knows about one delivery.
struct ScopeState: Sendable {
    /// Whoever waits for the delivery.
    struct Waiter {
        /// Tells it how the wait ended.
        let resume: @Sendable (ScopeOutcome) -> Void
        /// The call that it is part of.
        let call: Call?

        init(call: Call?, resume: @escaping @Sendable (ScopeOutcome) -> Void) {
            self.call = call
            self.resume = resume
        }

        init(continuation: CheckedContinuation<ScopeOutcome, Never>, call: Call?) {
            self.init(call: call) { continuation.resume(returning: $0) }
        }
    }

    /// The delivery of the call that made this one.
    let parent: DeliveryScope?

    /// Whether this is a single hand-over, see `TrackedDelivery`.
    let isTracked: Bool

    /// How many calls, or deliveries made by calls, are still to end.
    var outstanding: [WaitGraph.Node: Int] = [:]

    /// What is not waited for, as it waits for the waiter.
    var excused: Set<WaitGraph.Node> = []

    var waiter: Waiter?
    var calls = 0
    var discardedCalls = 0

    /// Whether the task that waits was cancelled.
    var isAbandoned = false

    /// Whether the outcome was told.
    var isTold = false

    init(parent: DeliveryScope?, isTracked: Bool) {
        self.parent = parent
        self.isTracked = isTracked
    }

    /// Whether there is nothing, or nothing any more, to wait for.
    var isSettled: Bool { isAbandoned || outstanding.keys.allSatisfy(excused.contains) }

    var outcome: ScopeOutcome {
        ScopeOutcome(calls: calls, discardedCalls: discardedCalls, isComplete: outstanding.isEmpty)
    }
}

/// How the wait for a delivery ended.
struct ScopeOutcome: Sendable {
    let calls: Int
    let discardedCalls: Int
    let isComplete: Bool
}
