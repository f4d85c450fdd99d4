/// Records all waits in the process: deliveries wait for mailboxes, and calls wait for deliveries or mailboxes.
struct WaitGraph: Sendable {
    enum Node: Hashable {
        case mailbox(ObjectIdentifier)
        case scope(DeliveryScope)
    }

    var scopes: [DeliveryScope: ScopeState] = [:]

    /// The numbers of the open windows.
    var windows: Set<Int> = []

    var waits: [ObjectIdentifier: [Wait]] = [:]

    /// Closures that resume waiting tasks. They are called after the unlock.
    var resumptions: [@Sendable () -> Void] = []

    /// Scopes, windows and observers share these numbers. No number is used twice.
    private var lastNumber = 0

    private static let shared = Lock(WaitGraph())

    /// Runs `change` under the lock. After the unlock, resumes the tasks whose wait has ended.
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

    mutating func openWindow(in scope: DeliveryScope) -> DeliveryWindow {
        let window = DeliveryWindow(number: makeNumber(), scope: scope)
        windows.insert(window.number)
        return window
    }

    mutating func close(_ window: DeliveryWindow) { windows.remove(window.number) }
}
