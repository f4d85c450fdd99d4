public import Dispatch

/// A queue on which observers run: a dispatch queue, an operation queue, or your own.
///
/// ```swift
/// center.addObserver(on: .queue(queue), for: CacheCleared.self) { _ in disk.clear() }.store(in: &tokens)
/// ```
public protocol DeliveryQueue: Sendable {
    /// Runs a closure as a work item. Each time the closure returns `true`, runs it again as another work item.
    ///
    /// The method returns without waiting for the work. If a work item isn't run, the notifications remain queued.
    ///
    /// - Parameter turn: Delivers one or a few notifications to an observer, and returns whether more are queued.
    func takeTurns(_ turn: @escaping @Sendable () -> Bool)
}

extension DispatchQueue: DeliveryQueue {
    /// Runs a closure in a block. Each time the closure returns `true`, runs it again in another block.
    ///
    /// - Parameter turn: The closure.
    public func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        async { if turn() { self.takeTurns(turn) } }
    }
}
