/// Identifies one `deliver` and all asynchronous calls that result from its post, directly or indirectly.
@usableFromInline
struct DeliveryScope: Hashable, Sendable {
    @export(implementation) let number: Int

    @export(implementation)
    init(number: Int) { self.number = number }

    @export(implementation) static var none: DeliveryScope { DeliveryScope(number: 0) }
}

/// A span of time in which posts belong to a scope: the post of `deliver`, or a call in the scope. Tasks inherit the
/// window. After the window has closed, posts of these tasks no longer belong to the scope.
struct DeliveryWindow: Sendable {
    let number: Int
    let scope: DeliveryScope
}

final class ScopeState: @unchecked Sendable {  // only accessed under the lock of the graph
    struct Waiter {
        let observers: Int
        let call: Call?
        let resume: @Sendable (DeliveryReceipt) -> Void
    }

    /// The delivery in whose post or call this delivery was made; `nil` if there is none.
    let parent: DeliveryScope?

    let isTracked: Bool

    /// The call that waits for this delivery from its beginning, even during the post; `nil` if there is none.
    let earlyCall: Call?

    /// The number of calls that this delivery waits for, by mailbox. A nested delivery that hasn't ended counts as 1.
    private(set) var outstanding: [WaitGraph.Node: Int] = [:]

    /// The same for the calls that this delivery doesn't wait for, because they wait for the call that made this
    /// delivery.
    private var excused: [WaitGraph.Node: Int] = [:]

    /// The observers with outstanding calls, by mailbox, numbered in the order in which the post reached them.
    var observers: [ObjectIdentifier: (number: Int, observer: DeliveryReceipt.Observer)] = [:]

    var waiter: Waiter?
    var calls = 0
    var discardedCalls = 0

    /// Empty once the receipt has been made. Otherwise the end of the scope would release the errors under the lock,
    /// where an error's `deinit` could run user code.
    var failures: [DeliveryReceipt.Failure] = []

    var isAbandoned = false
    var isTold = false

    init(parent: DeliveryScope?, isTracked: Bool, earlyCall: Call?) {
        self.parent = parent
        self.isTracked = isTracked
        self.earlyCall = earlyCall
    }

    var waitingCall: Call? { waiter?.call ?? earlyCall }

    var isSettled: Bool { isAbandoned || outstanding.isEmpty }

    /// Whether all calls have ended, including those that this delivery doesn't wait for.
    var isComplete: Bool { outstanding.isEmpty && excused.isEmpty }

    /// All nodes with calls that haven't ended.
    var nodes: [WaitGraph.Node] { Array(outstanding.keys) + Array(excused.keys) }

    func begin(_ node: WaitGraph.Node) {
        if let count = excused[node] { excused[node] = count + 1 } else { outstanding[node, default: 0] += 1 }
    }

    func excuse(_ node: WaitGraph.Node) {
        if let count = outstanding.removeValue(forKey: node) { excused[node] = count }
    }

    /// Counts the end of a call. Returns the number of calls that the node still has; `nil` if it had none.
    func end(_ node: WaitGraph.Node) -> Int? {
        guard let count = outstanding[node] ?? excused[node] else { return nil }
        let left = count == 1 ? nil : count - 1
        if outstanding[node] == nil { excused[node] = left } else { outstanding[node] = left }
        return count - 1
    }
}
