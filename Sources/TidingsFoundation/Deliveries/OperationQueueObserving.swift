public import Foundation
import Synchronization

// Deliveries on an operation queue, in the words of Foundation: what `on: queue` does, with `queue:`.

extension TypedNotificationCenter {
    /// Calls a closure on an operation queue with every notification of a type, asynchronously.
    ///
    /// The closure gets the notifications in the order posted and never runs concurrently with itself, also on a concurrent
    /// queue. The poster never waits for it. What is queued when the token is cancelled is discarded. The queue's
    /// `cancelAllOperations()` loses nothing: only the token ends the observation.
    ///
    /// ```swift
    /// center.addObserver(for: CacheCleared.self, queue: .main) { _ in ... }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - queue: The queue.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        for type: N.Type, queue: OperationQueue, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .queue, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: queue, observer)
    }

    /// Calls a closure on an operation queue with every notification of a type from one sender, asynchronously.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - queue: The queue.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        for type: N.Type, sender: N.Sender?, queue: OperationQueue, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .queue, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: queue, observer)
    }

    /// Calls a closure on an operation queue with its owner and every notification of a type, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - type: The notification type.
    ///   - queue: The queue.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, for type: N.Type, queue: OperationQueue, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) throws -> Void
    ) -> NotificationToken {
        observe(
            owner,
            .init(type, .everyone, .queue, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: queue,
            observer)
    }

    /// Calls a closure on an operation queue with its owner and every notification of a type from one sender, for as long as the
    /// owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - queue: The queue.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, for type: N.Type, sender: N.Sender?, queue: OperationQueue,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            owner, .init(type, sender, .queue, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: queue, observer)
    }
}

extension OperationQueue: DeliveryQueue {
    /// Runs a closure in an operation, and again in a further operation for as long as it returns true.
    ///
    /// An operation that is cancelled before it begins is replaced by another one.
    ///
    /// - Parameter turn: The closure.
    public func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        let operation = TurnOperation { [self] in
            // Added before this operation ends: to wait for the queue's operations is then to wait for all turns.
            if turn() { takeTurns(turn) }
        }
        operation.completionBlock = { [unowned operation] in
            // It was cancelled with the others of its queue. The notifications that wait for the observer are not lost.
            if !operation.hasBegun { self.takeTurns(turn) }
        }
        addOperation(operation)
    }
}

private final class TurnOperation: Operation, @unchecked Sendable {  // a constant and an atomic
    private let turn: @Sendable () -> Void
    private let begun = Atomic(false)

    init(_ turn: @escaping @Sendable () -> Void) { self.turn = turn }

    var hasBegun: Bool { begun.load(ordering: .acquiring) }

    override func main() {
        begun.store(true, ordering: .releasing)
        turn()
    }
}
