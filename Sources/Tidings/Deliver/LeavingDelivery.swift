extension WaitGraph {
    static func discard(in scope: DeliveryScope, mailbox: ObjectIdentifier, error: (any Error)? = nil) {
        update { $0.leave(scope, mailbox, hasRun: false, error: error) }
    }

    mutating func leave(_ scope: DeliveryScope, _ mailbox: ObjectIdentifier, hasRun: Bool, error: (any Error)? = nil) {
        var each = scopes[scope]
        let observer = each?.observers[mailbox]?.observer
        while let state = each {
            if hasRun { state.calls += 1 } else { state.discardedCalls += 1 }
            if let error, let observer, !state.isTold { state.failures.append(.init(error: error, observer: observer)) }
            each = state.parent.flatMap { scopes[$0] }
        }
        remove(.mailbox(mailbox), from: scope)
    }

    private mutating func remove(_ node: Node, from scope: DeliveryScope) {
        guard let state = scopes[scope], let left = state.end(node) else { return }
        // Once the last call has ended, the mailbox can be deallocated, and a new mailbox can have the same identity.
        if left == 0, case .mailbox(let mailbox) = node { state.observers[mailbox] = nil }
        settle(scope)
    }

    mutating func settle(_ scope: DeliveryScope) {
        guard let state = scopes[scope] else { return }
        if let waiter = state.waiter, state.isSettled {
            let receipt = receipt(of: state, for: waiter)
            resumptions.append { waiter.resume(receipt) }
            let call = state.waitingCall
            state.waiter = nil
            state.isTold = true
            state.failures = []
            if let call { endWait(call, for: .scope(scope)) }
        }
        if state.isComplete, state.isTold {
            scopes[scope] = nil
            if let parent = state.parent { remove(.scope(scope), from: parent) }
        }
    }

    private func receipt(of state: ScopeState, for waiter: ScopeState.Waiter) -> DeliveryReceipt {
        let unfinished = unfinished(in: state).values.sorted { $0.number < $1.number }
        return DeliveryReceipt(
            observers: waiter.observers, asynchronousCalls: state.calls, discardedCalls: state.discardedCalls,
            isComplete: state.isComplete, failures: state.failures,
            unfinished: unfinished.map(\.observer))
    }

    private func unfinished(
        in state: ScopeState
    ) -> [ObjectIdentifier: (number: Int, observer: DeliveryReceipt.Observer)] {
        var observers: [ObjectIdentifier: (number: Int, observer: DeliveryReceipt.Observer)] = [:]
        for node in state.nodes {
            switch node {
            case .mailbox(let mailbox): observers[mailbox] = state.observers[mailbox]
            case .scope(let scope):
                guard let inner = scopes[scope] else { continue }
                observers.merge(unfinished(in: inner)) { first, _ in first }
            }
        }
        return observers
    }
}
