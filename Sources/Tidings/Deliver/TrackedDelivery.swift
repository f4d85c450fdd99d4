/// One hand-over to an asynchronous observer whose end the caller wants to know, and which it may put off: the center that
/// records for tests does both.
///
/// It belongs to the delivery in which it was made, which waits for it. Either `handOver` or `discard` is called, once.
package struct TrackedDelivery: Sendable {
    private let window: DeliveryWindow
    private let call: Call?

    /// Begins a hand-over as part of the delivery that the caller is part of.
    package init() {
        let context = CallContext.current
        call = context?.call
        window = WaitGraph.update { $0.openScope(from: context?.window, isTracked: true) }
    }

    /// Hands over.
    ///
    /// - Parameters:
    ///   - put: Puts the notification into the observer's mailbox.
    ///   - whenFinished: Called when the observer's call has run, or will not.
    package func handOver(_ put: () -> Void, whenFinished: @escaping @Sendable () -> Void) {
        CallContext.$current.withValue(CallContext(call: call, window: window), operation: put)
        finish(whenFinished)
    }

    /// Notes that nothing will be handed over.
    package func discard() {
        // Any identity does, as no mailbox has it.
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
            graph.wait(window.scope, ScopeState.Waiter(call: nil) { _ in whenFinished() })
        }
    }
}
