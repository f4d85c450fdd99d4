public import Tidings

// Deliveries on a queue of any kind. As the queue is generic, `on: .main` means the main actor.

extension TypedNotificationCenter {
    /// Calls a closure on a dispatch or operation queue with every notification of a type, asynchronously.
    ///
    /// The closure gets the notifications in the order posted and never runs concurrently with itself, also on a concurrent
    /// queue. The poster never waits for it. What is queued when the token is cancelled is discarded. While the queue is
    /// suspended, notifications wait. An operation queue's `cancelAllOperations()` loses nothing: only the token ends the
    /// observation.
    ///
    /// ```swift
    /// center.addObserver(on: queue, for: CacheCleared.self) { _ in disk.clear() }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits, takes no room in the queue, and is not counted as delivered. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable, Queue: DeliveryQueue>(
        on queue: Queue, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .queue, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: queue, observer)
    }

    /// Calls a closure on a dispatch or operation queue with every notification of a type from one sender, asynchronously.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable, Queue: DeliveryQueue>(
        on queue: Queue, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .queue, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: queue, observer)
    }

    /// Calls a closure on a dispatch or operation queue with its owner and every notification of a type, asynchronously, for as
    /// long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable, Queue: DeliveryQueue>(
        _ owner: Owner, on queue: Queue, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) throws -> Void
    ) -> NotificationToken {
        observe(
            owner,
            .init(type, .everyone, .queue, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: queue,
            observer)
    }

    /// Calls a closure on a dispatch or operation queue with its owner and every notification of a type from one sender,
    /// asynchronously, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable, Queue: DeliveryQueue>(
        _ owner: Owner, on queue: Queue, for type: N.Type, sender: N.Sender?,
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

    /// Calls a closure that may throw on a dispatch or operation queue with every notification of a type,
    /// and another closure with its errors.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, on the queue: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable, Queue: DeliveryQueue>(
        on queue: Queue, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken {
        addObserver(
            on: queue, for: type, where: condition, buffering: policy, onFailure: .call(respond), fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that may throw on a dispatch or operation queue with every notification of a type from one sender,
    /// and another closure with its errors.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, on the queue: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable, Queue: DeliveryQueue>(
        on queue: Queue, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            on: queue, for: type, sender: sender, where: condition, buffering: policy, onFailure: .call(respond),
            fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that may throw on a dispatch or operation queue with its owner and every notification of a type,
    /// and another closure with its errors.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, on the queue: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable, Queue: DeliveryQueue>(
        _ owner: Owner, on queue: Queue, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) throws -> Void
    ) -> NotificationToken {
        addObserver(
            owner, on: queue, for: type, where: condition, buffering: policy, onFailure: .call(respond), fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that may throw on a dispatch or operation queue with its owner and every notification of a type from one
    /// sender, and another closure with its errors.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, on the queue: see `FailureResponse.call(_:)`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable, Queue: DeliveryQueue>(
        _ owner: Owner, on queue: Queue, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            owner, on: queue, for: type, sender: sender, where: condition, buffering: policy, onFailure: .call(respond),
            fileID: fileID,
            line: line, using: observer)
    }
}
