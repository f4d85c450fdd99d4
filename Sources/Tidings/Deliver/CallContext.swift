/// A call of an asynchronous observer that is running; one for a whole turn if the observer cannot be suspended.
@usableFromInline
final class Call: Sendable {
    /// The mailbox whose observer is called, by identity.
    let mailbox: ObjectIdentifier

    /// Whether the observer can be suspended, and so wait for something.
    let canWait: Bool

    private let hasEnded = AtomicByte(false)

    @usableFromInline
    init(of mailbox: AnyObject, canWait: Bool) {
        self.mailbox = ObjectIdentifier(mailbox)
        self.canWait = canWait
    }

    /// Whether the call is still running. A task that inherited from it may outlive it.
    ///
    /// The acquiring load is paired with the releasing store in ``end()``: a caller that sees the end sees what the call
    /// wrote.
    var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

    @usableFromInline
    func end() { hasEnded.store(true, ordering: .releasing) }
}

/// How a call of an asynchronous observer has ended.
@usableFromInline
enum CallEnd {
    /// The observer has handled the element.
    case handled
    /// The observer threw an error, and is not called with the element again.
    case failed(any Error)
    /// The observer threw an error, and will be called again with the element, for which a delivery goes on waiting. The turn may have to
    /// end, as what is behind the element waits for it.
    case repeated(any Error, endsTurn: Bool)

    /// The error that the observer threw.
    @usableFromInline var error: (any Error)? {
        switch self {
        case .handled: nil
        case .failed(let error), .repeated(let error, _): error
        }
    }

    /// Whether the turn has to end.
    @usableFromInline var endsTurn: Bool {
        if case .repeated(_, let endsTurn) = self { endsTurn } else { false }
    }

    /// Whether a delivery need not wait for the element any more.
    var isLast: Bool {
        if case .repeated = self { false } else { true }
    }
}

/// What a task knows about the asynchronous call that it is part of.
///
/// It is a task-local, so that tasks which inherit from the call know it too. A drain reads it, and so does a mailbox when an
/// element is put into it; a post itself does not.
@usableFromInline
struct CallContext: Sendable {
    @TaskLocal static var current: CallContext?

    /// The call.
    var call: Call?

    /// The delivery to which posts belong.
    var window: DeliveryWindow?

    /// The sequences for which the delivery waits, in its own post; `nil` if it waits for none, as nearly all deliveries do.
    var awaitedSequences: AwaitedSequences?
}

extension CallContext {
    /// Runs a turn of calls that cannot be suspended.
    @usableFromInline
    static func perform(_ call: Call, _ body: () -> Void) {
        $current.withValue(CallContext(call: call), operation: body)
    }

    /// Runs a turn of calls that may be suspended.
    @usableFromInline
    static func perform(_ call: Call, isolation: isolated (any Actor)?, _ body: () async -> Void) async {
        await $current.withValue(CallContext(call: call)) {
            // A closure is isolated like its context only if it captures the isolation.
            _ = isolation
            await body()
        }
    }

    /// Runs one call of a turn that a delivery waits for.
    ///
    /// - Parameters:
    ///   - call: The call of the turn.
    ///   - scope: The scope of the delivery that waits for it.
    ///   - body: Makes the call, and returns how it has ended.
    /// - Returns: How it has ended.
    @usableFromInline
    static func perform(_ call: Call, in scope: DeliveryScope, _ body: () -> CallEnd) -> CallEnd {
        let window = WaitGraph.update { $0.openCallWindow(in: scope) }
        let end = $current.withValue(CallContext(call: call, window: window), operation: body)
        note(end, of: call, window, in: scope)
        return end
    }

    /// Runs a call that may be suspended, and that may fail.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - scope: The scope of the delivery that waits for it.
    ///   - isolation: Where the call is made.
    ///   - body: Makes the call, and returns how it has ended.
    /// - Returns: How it has ended.
    @usableFromInline
    static func perform(
        _ call: Call, in scope: DeliveryScope, isolation: isolated (any Actor)?, _ body: () async -> CallEnd
    ) async -> CallEnd {
        let window = scope == .none ? nil : WaitGraph.update { $0.openCallWindow(in: scope) }
        let end = await $current.withValue(CallContext(call: call, window: window)) {
            // A closure is isolated like its context only if it captures the isolation.
            _ = isolation
            return await body()
        }
        if let window { note(end, of: call, window, in: scope) }
        return end
    }

    /// Ends a call for the delivery that waits for it, which goes on waiting if the observer is called with the element again.
    private static func note(_ end: CallEnd, of call: Call, _ window: DeliveryWindow, in scope: DeliveryScope) {
        let (isLast, error) = (end.isLast, end.error)
        WaitGraph.update { graph in
            graph.close(window)
            if isLast { graph.leave(scope, call.mailbox, hasRun: true, error: error) }
        }
    }
}

extension WaitGraph {
    /// Opens a window for a call in a scope. What the call of a single hand-over posts belongs to the delivery around it.
    mutating func openCallWindow(in scope: DeliveryScope) -> DeliveryWindow {
        guard let state = scopes[scope], state.isTracked else { return openWindow(in: scope) }
        return openWindow(in: state.parent ?? .none)
    }
}
