/// Everything that one `deliver` waits for: the calls that its post causes, and those that they cause in turn.
@usableFromInline
struct DeliveryScope: Hashable, Sendable {
    @export(implementation) let number: Int

    @export(implementation)
    init(number: Int) { self.number = number }

    /// The scope of a call that belongs to no delivery, as nearly all calls do.
    @export(implementation) static var none: DeliveryScope { DeliveryScope(number: 0) }
}

/// A span of time in which posts belong to a scope: as long as the post of `deliver` lasts, or a call in its scope.
///
/// Tasks inherit it; those that go on longer find it closed.
@usableFromInline
struct DeliveryWindow: Hashable, Sendable {
    let number: Int
    let scope: DeliveryScope
}

/// How the wait for a delivery ended.
struct ScopeOutcome: Sendable {
    let calls: Int
    let discardedCalls: Int
    let failures: [DeliveryReceipt.Failure]
    let unfinished: [DeliveryReceipt.Observer]
    let isComplete: Bool
}

/// What the wait graph knows about one delivery.
struct ScopeState: Sendable {
    /// A task, or a closure, that waits for the delivery.
    struct Waiter {
        /// Tells the waiter how the wait ended.
        let resume: @Sendable (ScopeOutcome) -> Void
        /// The call of which the waiter is part.
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

    /// The observers of the mailboxes that calls of the scope were put into, each with a number that is the higher the later
    /// that was.
    var observers: [ObjectIdentifier: (number: Int, observer: DeliveryReceipt.Observer)] = [:]

    /// The nodes that are not waited for, as they wait for the waiter.
    var excused: Set<WaitGraph.Node> = []

    var waiter: Waiter?
    var calls = 0
    var discardedCalls = 0
    var failures: [DeliveryReceipt.Failure] = []

    /// Whether the task that waits was cancelled, or the time is over.
    var isAbandoned = false

    /// Whether the waiter was told the outcome.
    var isTold = false

    init(parent: DeliveryScope?, isTracked: Bool) {
        self.parent = parent
        self.isTracked = isTracked
    }

    /// Whether nothing is left to wait for.
    var isSettled: Bool { isAbandoned || outstanding.keys.allSatisfy(excused.contains) }
}
