/// Deliveries that report their end to a closure, so that one thread can begin many of them in order.
package enum DeliveryWithoutWaiting {
    /// Begins a delivery. `post` returns the number of observers reached. `whenFinished` is called once, on any thread,
    /// possibly before this method returns.
    ///
    /// Drains of `queue` wait for the delivery. The delivery doesn't wait for observers whose running calls drain
    /// `queue`, and its receipt is then incomplete.
    package static func begin(
        awaiting sequences: AwaitedSequences? = nil, for queue: (any ObserverQueue)? = nil, _ post: () -> Int,
        whenFinished: @escaping @Sendable (DeliveryReceipt) -> Void
    ) {
        // The value is loaded first, because a store would slow down every thread that posts to a sequence.
        if sequences != nil, !sequencesAreAwaited.load(ordering: .relaxed) {
            sequencesAreAwaited.store(true, ordering: .relaxed)
        }
        let context = CallContext.current
        let call = queue.map { Call(of: $0, canWait: true) }
        let window = WaitGraph.update { $0.openScope(from: context?.window, awaitedBy: call) }
        let observers = CallContext.$current.withValue(
            CallContext(call: context?.call, window: window, awaitedSequences: sequences), operation: post)
        WaitGraph.update { $0.close(window) }
        let waiter = ScopeState.Waiter(observers: observers, call: nil, resume: whenFinished)
        WaitGraph.update { $0.wait(window.scope, waiter) }
    }
}
