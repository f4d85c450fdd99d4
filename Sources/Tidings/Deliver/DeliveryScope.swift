/// Identifies a call of `deliver`, and the asynchronous calls that result from its post, directly or indirectly.
@usableFromInline
struct DeliveryScope: Hashable, Sendable {
    @export(implementation) let number: Int

    @export(implementation)
    init(number: Int) { self.number = number }

    @export(implementation) static var none: DeliveryScope { DeliveryScope(number: 0) }
}

/// A span of time in which posts belong to a scope: the post of `deliver`, or a call in its scope. Tasks inherit the
/// window. A task that outlives it finds it closed.
@usableFromInline
struct DeliveryWindow: Hashable, Sendable {
    let number: Int
    let scope: DeliveryScope
}

struct ScopeOutcome: Sendable {
    let calls: Int
    let discardedCalls: Int
    let failures: [DeliveryReceipt.Failure]
    let unfinished: [DeliveryReceipt.Observer]
    let isComplete: Bool
}

struct ScopeState: Sendable {
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

    /// The delivery in whose call this one was made.
    let parent: DeliveryScope?

    let isTracked: Bool

    /// For each node, the number of its calls or nested deliveries that haven't ended.
    var outstanding: [WaitGraph.Node: Int] = [:]

    /// The observers of the mailboxes with calls of the scope, numbered in the order of the puts.
    var observers: [ObjectIdentifier: (number: Int, observer: DeliveryReceipt.Observer)] = [:]

    /// The nodes that aren't waited for, because they wait for the waiter.
    var excused: Set<WaitGraph.Node> = []

    var waiter: Waiter?
    var calls = 0
    var discardedCalls = 0
    var failures: [DeliveryReceipt.Failure] = []

    var isAbandoned = false

    var isTold = false

    init(parent: DeliveryScope?, isTracked: Bool) {
        self.parent = parent
        self.isTracked = isTracked
    }

    var isSettled: Bool { isAbandoned || outstanding.keys.allSatisfy(excused.contains) }
}
