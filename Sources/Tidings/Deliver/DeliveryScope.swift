/// Everything that one `deliver` waits for: the calls that result from its post, directly or indirectly.
@usableFromInline
struct DeliveryScope: Hashable, Sendable {
    @export(implementation) let number: Int

    @export(implementation)
    init(number: Int) { self.number = number }

    /// The scope of a call that belongs to no delivery, as nearly all calls do.
    @export(implementation) static var none: DeliveryScope { DeliveryScope(number: 0) }
}

/// A span of time in which posts belong to a scope: for as long as the post of `deliver` lasts, or a call in its scope.
///
/// Tasks inherit it. A task that outlives it finds it closed.
@usableFromInline
struct DeliveryWindow: Hashable, Sendable {
    let number: Int
    let scope: DeliveryScope
}

/// The result of waiting for a delivery.
struct ScopeOutcome: Sendable {
    let calls: Int
    let discardedCalls: Int
    let failures: [DeliveryReceipt.Failure]
    let unfinished: [DeliveryReceipt.Observer]
    let isComplete: Bool
}

/// The state of one delivery in the wait graph.
struct ScopeState: Sendable {
    /// A task or a closure that waits for the delivery.
    struct Waiter {
        let resume: @Sendable (ScopeOutcome) -> Void
        let call: Call?

        init(call: Call?, resume: @escaping @Sendable (ScopeOutcome) -> Void) {
            self.call = call
            self.resume = resume
        }

        init(continuation: CheckedContinuation<ScopeOutcome, Never>, call: Call?) {
            self.init(call: call) { continuation.resume(returning: $0) }
        }
    }

    /// The delivery that the call that made this one belongs to.
    let parent: DeliveryScope?

    /// Whether this is a single hand-over: a `TrackedDelivery`.
    let isTracked: Bool

    /// The number of calls, or of deliveries made by calls, that haven't ended.
    var outstanding: [WaitGraph.Node: Int] = [:]

    /// The observers of the mailboxes into which calls of the scope were put, with numbers in the order of the puts.
    var observers: [ObjectIdentifier: (number: Int, observer: DeliveryReceipt.Observer)] = [:]

    /// The nodes that aren't waited for, because they wait for the waiter.
    var excused: Set<WaitGraph.Node> = []

    var waiter: Waiter?
    var calls = 0
    var discardedCalls = 0
    var failures: [DeliveryReceipt.Failure] = []

    /// Whether the waiting task was cancelled or the time limit has passed.
    var isAbandoned = false

    var isTold = false

    init(parent: DeliveryScope?, isTracked: Bool) {
        self.parent = parent
        self.isTracked = isTracked
    }

    /// Whether there is nothing left to wait for.
    var isSettled: Bool { isAbandoned || outstanding.keys.allSatisfy(excused.contains) }
}
