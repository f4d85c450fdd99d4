/// Makes the current delivery wait for something other than a call, such as a response from a server. Create a hold
/// during the post, and end the hold on any thread. The receipt counts a hold as a call of an asynchronous observer.
package final class DeliveryHold: Sendable {
    private let scope = Lock(DeliveryScope.none)

    /// Creates a hold, or returns `nil` outside a delivery. The receipt names `observer` if the wait ends before the
    /// hold, or if `end` receives an error.
    package init?(for observer: @autoclosure () -> DeliveryReceipt.Observer) {
        guard let window = CallContext.current?.window else { return nil }
        let scope = WaitGraph.enter(window, mailbox: ObjectIdentifier(self), of: observer())
        if scope == .none { return nil }
        self.scope.withLock { $0 = scope }
    }

    deinit { end() }

    /// Ends the hold. Repeated calls have no effect. The receipt lists `error` as an error of the observer.
    package func end(error: (any Error)? = nil) {
        let scope = scope.withLock { scope in
            defer { scope = .none }
            return scope
        }
        if scope == .none { return }
        let mailbox = ObjectIdentifier(self)
        WaitGraph.update { $0.leave(scope, mailbox, hasRun: true, error: error) }
    }
}
