public import Foundation

// Deliveries on queues of what a descriptor describes. Each is the delivery of the same name that every center has, on a center that
// delivers the payloads of one descriptor.

extension NotificationCenter {
    /// Calls a closure, which may throw, on a dispatch or operation queue with the payload of every notification that a descriptor
    /// describes, asynchronously.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<Queue: DeliveryQueue, D: NotificationDescriptor>(
        on queue: Queue, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (D.Payload) throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        DescribedCenter(self, descriptor, object)
            .addObserver(
                on: queue, for: Described<D>.self, where: Described.condition(condition), buffering: policy,
                onFailure: response, fileID: fileID, line: line
            ) { note in
                try observer(note.payload)
            }
    }

    /// Calls a closure, which may throw, on a dispatch or operation queue with its owner and the payload of every notification that a
    /// descriptor describes, asynchronously, for as long as the owner lives.
    ///
    /// ```swift
    /// center.addObserver(self, on: queue, descriptor: DownloadFinished()) { me, payload in try me.store(payload) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - queue: The queue.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, Queue: DeliveryQueue, D: NotificationDescriptor>(
        _ owner: Owner, on queue: Queue, descriptor: D, object: (any Sendable)? = nil,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, D.Payload) throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        DescribedCenter(self, descriptor, object)
            .addObserver(
                owner, on: queue, for: Described<D>.self, where: Described.condition(condition), buffering: policy,
                onFailure: response, fileID: fileID, line: line
            ) { owner, note in
                try observer(owner, note.payload)
            }
    }

    /// Calls a closure, which may throw, on an operation queue with the payload of every notification that a descriptor describes,
    /// asynchronously: what `on: queue` does, in the words of Foundation.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - queue: The queue.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<D: NotificationDescriptor>(
        descriptor: D, object: (any Sendable)? = nil, queue: OperationQueue,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (D.Payload) throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        DescribedCenter(self, descriptor, object)
            .addObserver(
                for: Described<D>.self, queue: queue, where: Described.condition(condition), buffering: policy,
                onFailure: response, fileID: fileID, line: line
            ) { note in
                try observer(note.payload)
            }
    }

    /// Calls a closure, which may throw, on an operation queue with its owner and the payload of every notification that a descriptor
    /// describes, for as long as the owner lives: what `on: queue` does, in the words of Foundation.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - descriptor: The descriptor.
    ///   - object: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - queue: The queue.
    ///   - condition: Whether the observer wants a payload, asked in the post, on the thread that posts. A refused one never waits.
    ///     `nil` for every payload.
    ///   - policy: What becomes of payloads that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, D: NotificationDescriptor>(
        _ owner: Owner, descriptor: D, object: (any Sendable)? = nil, queue: OperationQueue,
        where condition: (@Sendable (D.Payload) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, D.Payload) throws -> Void
    ) -> NotificationToken where D.Payload: Sendable {
        DescribedCenter(self, descriptor, object)
            .addObserver(
                owner, for: Described<D>.self, queue: queue, where: Described.condition(condition), buffering: policy,
                onFailure: response, fileID: fileID, line: line
            ) { owner, note in
                try observer(owner, note.payload)
            }
    }
}
