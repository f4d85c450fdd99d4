/// Makes the current delivery wait for something other than a call of an asynchronous observer, such as a response from
/// a server.
///
/// Create it in the post, and end it once, on any thread. A delivery waits for it as for a call of an asynchronous
/// observer, and its receipt counts it as one.
package final class DeliveryHold: Sendable {
    private let scope = Lock(DeliveryScope.none)

    /// Holds the delivery that the caller is part of; `nil` if there is none, as for most posts.
    ///
    /// - Parameter observer: The observer that the receipt names if the delivery doesn't wait to the end, or if the
    ///   hold ends with an error.
    package init?(for observer: @autoclosure () -> DeliveryReceipt.Observer) {
        guard let window = CallContext.current?.window else { return nil }
        let scope = WaitGraph.enter(window, mailbox: ObjectIdentifier(self), of: observer())
        if scope == .none { return nil }
        self.scope.withLock { $0 = scope }
    }

    deinit { end() }

    /// Releases the delivery. Calling it again has no effect.
    ///
    /// - Parameter error: The error that occurred, if any. The receipt contains it like the error of an observer.
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
