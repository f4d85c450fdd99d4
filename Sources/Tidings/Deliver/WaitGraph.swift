/// Records the waits of the whole process: of deliveries for mailboxes, and of calls for deliveries or mailboxes. An
/// observer that neither waits nor is waited for never accesses the graph.
///
/// The graph is a state machine under one lock. Its operations are in the files that use them:
///
/// - `Delivering`: a scope is opened for the post, and a task waits for it.
/// - `EnteringDelivery`: a call becomes part of the scope when it is put into a mailbox.
/// - `CallContext`: the call is made, and everything that it posts is part of the scope as well.
/// - `LeavingDelivery`: the call ends, and the wait ends with the last call.
/// - `WaitCycles`: calls can wait as well, and none of these waits is a deadlock.
struct WaitGraph: Sendable {
    /// A node that a delivery or a call can wait for.
    enum Node: Hashable {
        case mailbox(ObjectIdentifier)
        case scope(DeliveryScope)
    }

    var scopes: [DeliveryScope: ScopeState] = [:]
    /// The open windows.
    var windows: Set<DeliveryWindow> = []

    /// The waits of running calls, by the mailbox that makes the call.
    var waits: [ObjectIdentifier: [Wait]] = [:]

    /// Closures that resume the tasks whose wait has ended; called after the unlock.
    var resumptions: [@Sendable () -> Void] = []

    /// The last number assigned to a scope, a window or an observer. No number is used twice.
    private var lastNumber = 0

    private static let shared = Lock(WaitGraph())

    /// Changes the process-wide graph and then, after the unlock, resumes the tasks whose wait has ended.
    static func update<Result: Sendable>(_ change: (inout WaitGraph) -> Result) -> Result {
        let (result, resumptions) = shared.withLock { graph in
            let result = change(&graph)
            return (result, graph.takeResumptions())
        }
        for resumption in resumptions { resumption() }
        return result
    }

    mutating func takeResumptions() -> [@Sendable () -> Void] {
        defer { resumptions = [] }
        return resumptions
    }

    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Opens a window in which posts belong to a scope.
    mutating func openWindow(in scope: DeliveryScope) -> DeliveryWindow {
        let window = DeliveryWindow(number: makeNumber(), scope: scope)
        windows.insert(window)
        return window
    }

    /// Closes a window: later posts by a task that inherited it belong to no delivery.
    mutating func close(_ window: DeliveryWindow) { windows.remove(window) }
}
