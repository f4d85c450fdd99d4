/// The running calls of an asynchronous observer. One object represents all calls of a turn, which handles queued
/// elements one after another.
@usableFromInline
final class Call: Sendable {
    let mailbox: ObjectIdentifier
    let canWait: Bool
    private let hasEnded = AtomicByte(false)
    let isMarked = AtomicByte(false)

    /// The number of calls that the turn has begun. Only the turn writes the number. Accesses are relaxed, because
    /// readers only use the number to decide whether a ``CallMark`` belongs to the current call.
    @usableFromInline let begun = Atomic(0)

    @usableFromInline
    init(of mailbox: AnyObject, canWait: Bool) {
        self.mailbox = ObjectIdentifier(mailbox)
        self.canWait = canWait
    }

    /// Whether the call is running. A task that inherits the call may outlive the call. The acquiring load pairs with
    /// the releasing store in ``end()``: a reader that finds the call ended also sees everything that the call wrote.
    var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

    @usableFromInline
    func end() { hasEnded.store(true, ordering: .releasing) }

    var number: Int { begun.load(ordering: .relaxed) }

    /// Counts a new call, so that marks of earlier calls become obsolete.
    @inline(__always)
    @export(implementation)
    func begins() { begun.store(begun.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    // A relaxed load suffices, because every thread that marked the call has released its reference to the call.
    deinit { if isMarked.load(ordering: .relaxed) { removeMark() } }
}

@usableFromInline
enum CallEnd {
    case handled
    case failed(any Error)
    /// The observer will be called with the element again, so a delivery continues to wait. `endsTurn` is `true` if
    /// later elements have to wait for this element.
    case repeated(any Error, endsTurn: Bool)

    @usableFromInline var error: (any Error)? {
        switch self {
        case .handled: nil
        case .failed(let error), .repeated(let error, _): error
        }
    }

    @usableFromInline var endsTurn: Bool {
        if case .repeated(_, let endsTurn) = self { endsTurn } else { false }
    }

    var isLast: Bool {
        if case .repeated = self { false } else { true }
    }
}

/// The asynchronous call to which a task belongs. Tasks that are started in the call inherit it.
@usableFromInline
struct CallContext: Sendable {
    @TaskLocal static var current: CallContext?

    var call: Call?
    var window: DeliveryWindow?

    /// The sequences to wait for; set only during the post of a delivery that waits for sequences.
    var awaitedSequences: AwaitedSequences?
}

extension CallContext {
    @usableFromInline
    static func perform(_ call: Call, _ body: () -> Void) {
        $current.withValue(CallContext(call: call), operation: body)
    }

    @usableFromInline
    static func perform(_ call: Call, isolation: isolated (any Actor)?, _ body: () async -> Void) async {
        await $current.withValue(CallContext(call: call)) {
            // A closure has the isolation of its context only if it captures the isolation.
            _ = isolation
            await body()
        }
    }

    @usableFromInline
    static func perform(_ call: Call, in scope: DeliveryScope, _ body: () -> CallEnd) -> CallEnd {
        let window = WaitGraph.update { $0.openCallWindow(in: scope) }
        let end = $current.withValue(CallContext(call: call, window: window), operation: body)
        note(end, of: call, window, in: scope)
        return end
    }

    @usableFromInline
    static func perform(
        _ call: Call, in scope: DeliveryScope, isolation: isolated (any Actor)?, _ body: () async -> CallEnd
    ) async -> CallEnd {
        let window = scope == .none ? nil : WaitGraph.update { $0.openCallWindow(in: scope) }
        let end = await $current.withValue(CallContext(call: call, window: window)) {
            _ = isolation
            return await body()
        }
        if let window { note(end, of: call, window, in: scope) }
        return end
    }

    private static func note(_ end: CallEnd, of call: Call, _ window: DeliveryWindow, in scope: DeliveryScope) {
        let (isLast, error) = (end.isLast, end.error)
        WaitGraph.update { graph in
            graph.close(window)
            if isLast { graph.leave(scope, call.mailbox, hasRun: true, error: error) }
        }
    }
}

extension WaitGraph {
    /// Opens the ``DeliveryWindow`` of a call. In a ``TrackedDelivery``'s call, posts belong to the enclosing delivery.
    mutating func openCallWindow(in scope: DeliveryScope) -> DeliveryWindow {
        guard let state = scopes[scope], state.isTracked else { return openWindow(in: scope) }
        return openWindow(in: state.parent ?? .none)
    }
}
