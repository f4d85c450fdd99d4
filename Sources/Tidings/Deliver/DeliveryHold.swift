/// Makes the delivery that the caller is part of wait for something that is no call of an asynchronous observer: an answer from
/// a server, say.
///
/// It is made in the post, and ended once, on any thread. A delivery waits for it as for a call of an asynchronous observer, and
/// its receipt counts it as one.
package final class DeliveryHold: Sendable {
    private let scope = Lock(DeliveryScope.none)

    /// Holds the delivery that the caller is part of; `nil` if it is part of none, as most posts are.
    ///
    /// - Parameter observer: What the receipt names, if the delivery does not wait to the end or the hold ends with an error.
    package init?(for observer: @autoclosure () -> DeliveryReceipt.Observer) {
        guard let window = CallContext.current?.window else { return nil }
        let scope = WaitGraph.enter(window, mailbox: ObjectIdentifier(self), of: observer())
        if scope == .none { return nil }
        self.scope.withLock { $0 = scope }
    }

    deinit { end() }

    /// Lets the delivery go on. Calling it again does nothing.
    ///
    /// - Parameter error: What went wrong, if something did. It stands in the receipt, as the error of an observer does.
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
