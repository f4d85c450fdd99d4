/// Which delivery waits for which mailbox, and which call for which delivery or mailbox, in the whole process.
///
/// Observers that neither wait nor are waited for never come here. `WaitCycles` has the waits of calls, and why none of them is a
/// deadlock; this file has the deliveries.
struct WaitGraph: Sendable {
    /// What a delivery or a call waits for.
    enum Node: Hashable {
        case mailbox(ObjectIdentifier)
        case scope(DeliveryScope)
    }

    var scopes: [DeliveryScope: ScopeState] = [:]
    private var windows: Set<DeliveryWindow> = []

    /// What calls wait for, by the mailbox that makes the call.
    var waits: [ObjectIdentifier: [Wait]] = [:]

    /// What resumes the tasks whose wait is over; called when the lock is free.
    private var resumptions: [@Sendable () -> Void] = []

    private var lastNumber = 0

    private static let shared = Lock(WaitGraph())

    /// Changes the one graph of the process, and then, with the lock free, resumes the tasks whose wait is over.
    static func update<Result: Sendable>(_ change: (inout WaitGraph) -> Result) -> Result {
        let (result, resumptions) = shared.withLock { graph in
            let result = change(&graph)
            return (result, graph.takeResumptions())
        }
        for resumption in resumptions { resumption() }
        return result
    }

    /// Takes out what resumes the tasks whose wait is over.
    mutating func takeResumptions() -> [@Sendable () -> Void] {
        defer { resumptions = [] }
        return resumptions
    }

    private mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Scopes

    /// Opens a scope with a window for its post.
    ///
    /// - Parameters:
    ///   - window: The window in which that happens.
    ///   - isTracked: Whether the scope is a single hand-over. One is never part of another.
    /// - Returns: The window.
    mutating func openScope(from window: DeliveryWindow?, isTracked: Bool = false) -> DeliveryWindow {
        let scope = DeliveryScope(number: makeNumber())
        var parent = window.flatMap { windows.contains($0) && $0.scope != .none ? $0.scope : nil }
        if isTracked, let state = parent.flatMap({ scopes[$0] }), state.isTracked { parent = state.parent }
        scopes[scope] = ScopeState(parent: parent, isTracked: isTracked)
        if let parent { scopes[parent]?.outstanding[.scope(scope)] = 1 }
        return openWindow(in: scope)
    }

    mutating func openWindow(in scope: DeliveryScope) -> DeliveryWindow {
        let window = DeliveryWindow(number: makeNumber(), scope: scope)
        windows.insert(window)
        return window
    }

    /// Opens a window for a call in a scope. What the call of a single hand-over posts belongs to the delivery around it.
    mutating func openCallWindow(in scope: DeliveryScope) -> DeliveryWindow {
        guard let state = scopes[scope], state.isTracked else { return openWindow(in: scope) }
        return openWindow(in: state.parent ?? .none)
    }

    mutating func close(_ window: DeliveryWindow) {
        windows.remove(window)
    }

    /// Adds a call that is put into a mailbox.
    ///
    /// - Parameters:
    ///   - window: The window in which that happens.
    ///   - mailbox: The mailbox.
    ///   - observer: The mailbox's observer, to be named in the receipt.
    /// - Returns: The scope of the call; none if the window is closed.
    mutating func enter(
        _ window: DeliveryWindow, _ mailbox: ObjectIdentifier, of observer: DeliveryReceipt.Observer? = nil
    ) -> DeliveryScope {
        guard windows.contains(window), window.scope != .none else { return .none }
        if let observer, scopes[window.scope]?.observers[mailbox] == nil {
            let number = makeNumber()
            scopes[window.scope]?.observers[mailbox] = (number, observer)
        }
        scopes[window.scope]?.outstanding[.mailbox(mailbox), default: 0] += 1
        // Every cycle through the new edge goes through a call that waits for this scope, or for one that contains it.
        var inner = Node.mailbox(mailbox)
        var scope: DeliveryScope? = window.scope
        while let outer = scope {
            if let call = scopes[outer]?.waiter?.call, closesCycle(call, to: .mailbox(mailbox)) {
                scopes[outer]?.excused.insert(inner)
                settle(outer)
            }
            inner = .scope(outer)
            scope = scopes[outer]?.parent
        }
        return window.scope
    }

    /// Notes that a call of a scope has run, perhaps with an error, or will not.
    mutating func leave(_ scope: DeliveryScope, _ mailbox: ObjectIdentifier, hasRun: Bool, error: (any Error)? = nil) {
        let observer = scopes[scope]?.observers[mailbox]?.observer
        var each: DeliveryScope? = scope
        while let scope = each {
            if hasRun { scopes[scope]?.calls += 1 } else { scopes[scope]?.discardedCalls += 1 }
            if let error, let observer { scopes[scope]?.failures.append(.init(error: error, observer: observer)) }
            each = scopes[scope]?.parent
        }
        remove(.mailbox(mailbox), from: scope)
    }

    private mutating func remove(_ node: Node, from scope: DeliveryScope) {
        guard let count = scopes[scope]?.outstanding[node] else { return }
        scopes[scope]?.outstanding[node] = count == 1 ? nil : count - 1
        settle(scope)
    }

    // MARK: Waiting

    /// Waits for a scope whose post has been made.
    mutating func wait(_ scope: DeliveryScope, _ waiter: ScopeState.Waiter) {
        scopes[scope]?.waiter = waiter
        if let call = waiter.call, let outstanding = scopes[scope]?.outstanding.keys {
            let excused = outstanding.filter { closesCycle(call, to: $0) }
            scopes[scope]?.excused.formUnion(excused)
            beginWait(call, for: .scope(scope))
        }
        settle(scope)
    }

    /// Ends the wait for a scope, as the task that waits was cancelled or the time is over.
    mutating func abandon(_ scope: DeliveryScope) {
        scopes[scope]?.isAbandoned = true
        settle(scope)
    }

    /// Tells the waiter if there is nothing to wait for any more, and forgets the scope when nothing of it is left.
    private mutating func settle(_ scope: DeliveryScope) {
        guard let state = scopes[scope] else { return }
        if let waiter = state.waiter, state.isSettled {
            let outcome = outcome(of: state)
            resumptions.append { waiter.resume(outcome) }
            scopes[scope]?.waiter = nil
            scopes[scope]?.isTold = true
            if let call = waiter.call { endWait(call, for: .scope(scope)) }
        }
        if state.outstanding.isEmpty, scopes[scope]?.isTold == true {
            scopes[scope] = nil
            if let parent = state.parent { remove(.scope(scope), from: parent) }
        }
    }

    private func outcome(of state: ScopeState) -> ScopeOutcome {
        let unfinished = unfinished(in: state).sorted { $0.value.number < $1.value.number }
        return ScopeOutcome(
            calls: state.calls, discardedCalls: state.discardedCalls, failures: state.failures,
            unfinished: unfinished.map(\.value.observer), isComplete: state.outstanding.isEmpty)
    }

    /// The observers with calls of a scope, or of a delivery that such a call has made, that are still to end.
    private func unfinished(
        in state: ScopeState
    ) -> [ObjectIdentifier: (number: Int, observer: DeliveryReceipt.Observer)] {
        var observers: [ObjectIdentifier: (number: Int, observer: DeliveryReceipt.Observer)] = [:]
        for node in state.outstanding.keys {
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

extension WaitGraph {
    /// Puts a call into the scope of an open window, as it is put into a mailbox.
    static func enter(
        _ window: DeliveryWindow, mailbox: ObjectIdentifier, of observer: DeliveryReceipt.Observer? = nil
    ) -> DeliveryScope {
        update { $0.enter(window, mailbox, of: observer) }
    }

    /// Notes that a call of a scope will not run.
    static func discard(in scope: DeliveryScope, mailbox: ObjectIdentifier, error: (any Error)? = nil) {
        update { $0.leave(scope, mailbox, hasRun: false, error: error) }
    }
}

extension DeliveryScope {
    /// Adds a call that is about to wait in a mailbox to the delivery that the caller is part of.
    ///
    /// - Parameters:
    ///   - mailbox: The mailbox.
    ///   - observer: The mailbox's observer, to be named in the receipt. Most calls are part of no delivery and do not ask.
    /// - Returns: The scope of that delivery; ``none`` if the caller is part of none.
    @usableFromInline
    static func enter(
        _ mailbox: ObjectIdentifier, of observer: @autoclosure () -> DeliveryReceipt.Observer?
    ) -> DeliveryScope {
        guard let window = CallContext.current?.window else { return .none }
        return WaitGraph.enter(window, mailbox: mailbox, of: observer())
    }
}
