/// Delivers an element to an asynchronous observer at a moment that the caller chooses, and reports when the observer
/// has finished. The delivery that creates this value waits for the observer. Call `handOver` or `discard`, once.
package struct TrackedDelivery: Sendable {
    private let window: DeliveryWindow
    private let call: Call?

    package init() {
        let context = CallContext.current
        call = context?.call
        window = WaitGraph.update { $0.openScope(from: context?.window, isTracked: true) }
    }

    /// Calls `put`, which adds the element to the observer's queue. `whenFinished` is called when the observer's call
    /// has run, or won't run.
    package func handOver(_ put: () -> Void, whenFinished: @escaping @Sendable () -> Void) {
        CallContext.$current.withValue(CallContext(call: call, window: window), operation: put)
        finish(whenFinished)
    }

    package func discard() {
        // Any identity that isn't a mailbox works here.
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
