/// Which delivery waits for which mailbox, and which call for which delivery or mailbox, in the whole process.
///
/// An observer that neither waits nor is waited for never comes here.
///
/// The graph is a state machine under one lock. Its steps stand where they are made, so that a delivery meets each file once:
///
/// - `Delivering`: a scope is opened for the post, and a task waits for it.
/// - `EnteringDelivery`: a call becomes part of the scope, as it is put into a mailbox.
/// - `CallContext`: the call is made, and what it posts is part of the scope, too.
/// - `LeavingDelivery`: the call has ended, and with the last one the wait.
/// - `WaitCycles`: calls that wait themselves, and why none of these waits is a deadlock.
struct WaitGraph: Sendable {
    /// What a delivery or a call waits for.
    enum Node: Hashable {
        case mailbox(ObjectIdentifier)
        case scope(DeliveryScope)
    }

    var scopes: [DeliveryScope: ScopeState] = [:]
    /// The windows that are open.
    var windows: Set<DeliveryWindow> = []

    /// What calls wait for, by the mailbox that makes the call.
    var waits: [ObjectIdentifier: [Wait]] = [:]

    /// What resumes the tasks whose wait is over; called when the lock is free.
    var resumptions: [@Sendable () -> Void] = []

    /// The last number that was given to a scope, a window or an observer. None is given twice, so that of a scope which was
    /// forgotten is never that of another one.
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

    /// Closes a window: posts from now on by a task that inherited it belong to no delivery.
    mutating func close(_ window: DeliveryWindow) { windows.remove(window) }
}
