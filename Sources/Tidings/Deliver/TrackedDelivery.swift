/// Delivers an element to an asynchronous observer at a moment that the caller chooses, and reports when the observer
/// has finished. If a `TrackedDelivery` is created during a call of `deliver`, that `deliver` also waits until the
/// observer has finished. Call `handOver` or `discard`, once.
package struct TrackedDelivery: Sendable {
    private let window: DeliveryWindow
    private let call: Call?

    package init() {
        let context = CallContext.current
        call = context?.call
        window = WaitGraph.update { $0.openScope(from: context?.window, isTracked: true) }
    }

    /// Calls `put`, which adds the element to the observer's queue. Calls `whenFinished` when the observer has handled
    /// the element, or when it is certain that the observer won't receive the element.
    package func handOver(_ put: () -> Void, whenFinished: @escaping @Sendable () -> Void) {
        CallContext.$current.withValue(CallContext(call: call, window: window), operation: put)
        finish(whenFinished)
    }

    package func discard() {
        // This can be any identity that isn't that of a mailbox.
        let noMailbox = ObjectIdentifier(TrackedDelivery.self)
        WaitGraph.update { graph in
            let scope = graph.enter(window, noMailbox)
            graph.leave(scope, noMailbox, hasRun: false)
        }
        finish {}
    }

    private func finish(_ whenFinished: @escaping @Sendable () -> Void) {
        WaitGraph.update { graph in
            graph.close(window)
            graph.wait(window.scope, ScopeState.Waiter(observers: 1, call: nil) { _ in whenFinished() })
        }
    }
}
