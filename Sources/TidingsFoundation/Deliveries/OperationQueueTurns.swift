public import Foundation

extension OperationQueue: DeliveryQueue {
    /// Runs a closure in an operation, and again in another operation for as long as the closure returns `true`. If an
    /// operation is cancelled before it begins, another operation replaces it.
    ///
    /// - Parameter turn: The closure.
    public func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        let operation = TurnOperation { [self] in
            // The next operation is added before this one ends, so that waiting for the queue includes all deliveries.
            if turn() { takeTurns(turn) }
        }
        operation.completionBlock = { [unowned operation] in
            // Replaces a cancelled operation, so that the observer's notifications aren't lost.
            if !operation.hasBegun { self.takeTurns(turn) }
        }
        addOperation(operation)
    }
}

private final class TurnOperation: Operation, @unchecked Sendable {  // its properties are a constant and an atomic
    private let turn: @Sendable () -> Void
    private let begun = AtomicByte(false)

    init(_ turn: @escaping @Sendable () -> Void) { self.turn = turn }

    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    override func main() {
        begun.store(true, ordering: .releasing)
        turn()
    }
}

extension DeliveryQueue where Self == OperationQueue {
    /// The operation queue of the main thread, as in `on: .queue(.main)`.
    @export(implementation) public static var main: OperationQueue { OperationQueue.main }
}
