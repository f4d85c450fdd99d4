/// Deliveries whose end is told to a closure, so that one thread can begin many, in order, before the first has ended.
package enum DeliveryWithoutWaiting {
    /// Makes a post, and tells when every asynchronous observer has finished, as `deliver` would.
    ///
    /// - Parameters:
    ///   - sequences: The sequences that are waited for, too; `nil` for none.
    ///   - post: Makes the post, or several, and returns how many observers they reached.
    ///   - whenFinished: Called once, on any thread, perhaps before this returns, with the receipt.
    package static func begin(
        awaiting sequences: AwaitedSequences? = nil, _ post: () -> Int,
        whenFinished: @escaping @Sendable (DeliveryReceipt) -> Void
    ) {
        // Loaded first: every thread that puts an element into a sequence reads this variable, and a store takes the cache line
        // from all of them, so it is made once.
        if sequences != nil, !sequencesAreAwaited.load(ordering: .relaxed) {
            sequencesAreAwaited.store(true, ordering: .relaxed)
        }
        let context = CallContext.current
        let window = WaitGraph.update { $0.openScope(from: context?.window) }
        let observers = CallContext.$current.withValue(
            CallContext(call: context?.call, window: window, awaitedSequences: sequences), operation: post)
        // A step of its own, as for `deliver`: what a task posts that outlives the post is not part of it.
        WaitGraph.update { $0.close(window) }
        let waiter = ScopeState.Waiter(call: nil) { outcome in
            whenFinished(DeliveryReceipt(observers: observers, outcome))
        }
        WaitGraph.update { $0.wait(window.scope, waiter) }
    }
}
