public import Dispatch

// Deliveries on a dispatch queue: those on an operation queue, with a block for each turn. The compiler takes another delivery if it
// can: `on: .main` means the main actor, not the queue.

extension TypedNotificationCenter {
    /// Calls a closure on a dispatch queue with every notification of a type, asynchronously.
    ///
    /// The closure gets the notifications in the order posted and never runs concurrently with itself, also on a concurrent
    /// queue. The poster never waits for it. What is queued when the token is cancelled is discarded. While the queue is suspended,
    /// notifications wait.
    ///
    /// ```swift
    /// center.addObserver(on: queue, for: CacheCleared.self) { _ in disk.clear() }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits: it takes no room in the queue, and counts for nobody. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @_disfavoredOverload
    public func addObserver<N: TypedNotification & Sendable>(
        on queue: DispatchQueue, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        observe(.init(type, .everyone, .queue, where: condition, buffering: policy, fileID, line), on: queue, observer)
    }

    /// Calls a closure on a dispatch queue with every notification of a type from one sender, asynchronously.
    ///
    /// - Parameters:
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits: it takes no room in the queue, and counts for nobody. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @_disfavoredOverload
    public func addObserver<N: TypedNotification & Sendable>(
        on queue: DispatchQueue, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .queue, where: condition, buffering: policy, fileID, line), on: queue, observer)
    }

    /// Calls a closure on a dispatch queue with its owner and every notification of a type, asynchronously, for as long as
    /// the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits: it takes no room in the queue, and counts for nobody. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @_disfavoredOverload
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on queue: DispatchQueue, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken {
        observe(
            owner, .init(type, .everyone, .queue, where: condition, buffering: policy, fileID, line), on: queue,
            observer)
    }

    /// Calls a closure on a dispatch queue with its owner and every notification of a type from one sender, asynchronously,
    /// for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - queue: The queue.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits: it takes no room in the queue, and counts for nobody. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @_disfavoredOverload
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on queue: DispatchQueue, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            owner, .init(type, sender, .queue, where: condition, buffering: policy, fileID, line), on: queue, observer)
    }
}

extension DispatchQueue: TurnQueue {
    func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        async { if turn() { self.takeTurns(turn) } }
    }
}
