extension DeliveryScope {
    /// Makes the current delivery wait for one more element. `observer` is only evaluated inside a delivery.
    @usableFromInline
    static func enter(
        _ mailbox: ObjectIdentifier, of observer: @autoclosure () -> DeliveryReceipt.Observer?
    ) -> DeliveryScope {
        guard let window = CallContext.current?.window else { return .none }
        return WaitGraph.enter(window, mailbox: mailbox, of: observer())
    }
}

extension WaitGraph {
    static func enter(
        _ window: DeliveryWindow, mailbox: ObjectIdentifier, of observer: DeliveryReceipt.Observer? = nil
    ) -> DeliveryScope {
        update { $0.enter(window, mailbox, of: observer) }
    }

    mutating func enter(
        _ window: DeliveryWindow, _ mailbox: ObjectIdentifier, of observer: DeliveryReceipt.Observer? = nil
    ) -> DeliveryScope {
        guard windows.contains(window.number), window.scope != .none else { return .none }
        if let state = scopes[window.scope] {
            if let observer, state.observers[mailbox] == nil { state.observers[mailbox] = (makeNumber(), observer) }
            state.begin(.mailbox(mailbox))
        }
        // The mailbox may wait for the call that made this delivery or an outer delivery. A wait for the mailbox would
        // then never end.
        var inner = Node.mailbox(mailbox)
        var scope: DeliveryScope? = window.scope
        while let outer = scope, let state = scopes[outer] {
            if let call = state.waitingCall, closesCycle(call, to: .mailbox(mailbox)) {
                state.excuse(inner)
                settle(outer)
            }
            inner = .scope(outer)
            scope = state.parent
        }
        return window.scope
    }
}
