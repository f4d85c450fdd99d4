public import Foundation
public import Tidings

extension TypedNotificationCenter {
    /// Calls a closure on an operation queue with each notification of a type, after the post. Notifications are
    /// delivered one at a time, in the order posted. This method is equivalent to `on: .queue(queue)`.
    ///
    /// ```swift
    /// center.addObserver(for: CacheCleared.self, queue: .main) { note in reload() }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - queue: The queue.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - policy: The policy for buffering notifications that arrive faster than the closure handles them.
    ///   - response: The response to an error that the closure throws. The error is always reported as well.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which keeps the observer alive.
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

    /// Calls a closure on an operation queue with its owner and each notification of a type. The observation ends when
    /// the owner is deallocated. Notifications are delivered after the post, one at a time, in the order posted. This
    /// method is equivalent to `on: .queue(queue)`.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and passed to the closure.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - queue: The queue.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - policy: The policy for buffering notifications that arrive faster than the closure handles them.
    ///   - response: The response to an error that the closure throws. The error is always reported as well.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token that can end the observation earlier. You can discard it.
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
