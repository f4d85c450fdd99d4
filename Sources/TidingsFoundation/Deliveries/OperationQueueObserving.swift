public import Foundation
public import Tidings

// Deliveries on an operation queue, in the words of Foundation: what `on: .queue(queue)` does, with `queue:`.

extension TypedNotificationCenter {
    /// Calls a closure on an operation queue with each notification of a type, after the post, one at a time, in the order posted:
    /// what `on: .queue(queue)` does.
    ///
    /// ```swift
    /// center.addObserver(for: CacheCleared.self, queue: .main) { note in reload() }.store(in: &tokens)
    /// ```
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
    @export(implementation)
    public func addObserver<N: NotificationContent & Sendable>(
        for type: N.Type, sender: sending N.Sender? = nil, queue: OperationQueue,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken {
        addObserver(
            on: .queue(queue), for: type, sender: sender, where: condition, buffering: policy, onFailure: response,
            fileID: fileID, line: line, using: observer)
    }

    /// Calls a closure on an operation queue with its owner and each notification of a type, after the post, one at a time, in the
    /// order posted, for as long as the owner lives: what `on: .queue(queue)` does.
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
    @export(implementation)
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: NotificationContent & Sendable>(
        _ owner: Owner, for type: N.Type, sender: sending N.Sender? = nil, queue: OperationQueue,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) throws -> Void
    ) -> NotificationToken {
        addObserver(
            owner, on: .queue(queue), for: type, sender: sender, where: condition, buffering: policy,
            onFailure: response, fileID: fileID, line: line, using: observer)
    }
}
