public import Dispatch

/// A queue on which observers run: a dispatch queue, an operation queue, or one of your own.
///
/// ```swift
/// center.addObserver(on: .queue(queue), for: CacheCleared.self) { _ in disk.clear() }.store(in: &tokens)
/// ```
public protocol DeliveryQueue: Sendable {
    /// Runs a closure as a piece of work, and again after that, as a further piece of work, for as long as it returns true.
    ///
    /// It does not wait for the work. A piece of work that is not run holds back what waits for the observer.
    ///
    /// - Parameter turn: The closure. It hands one or a few notifications to an observer, and returns whether more wait.
    func takeTurns(_ turn: @escaping @Sendable () -> Bool)
}

extension DispatchQueue: DeliveryQueue {
    /// Runs a closure in a block, and again in a further block for as long as it returns true.
    ///
    /// - Parameter turn: The closure.
    public func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        async { if turn() { self.takeTurns(turn) } }
    }
}
