// The deliveries that may fail, with a closure to which errors are handed, in the place of a `FailureResponse`.

extension TypedNotificationCenter {
    /// Calls a closure that awaits, and may throw, inside an actor with each notification of a type, and another one with its
    /// errors.
    ///
    /// ```swift
    /// center.addObserver(on: projection, for: Placed.self, onFailure: { error in log.error("\(error)") }) { me, note in
    ///     try await me.store(note)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - actor: The actor, held weakly.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where the observer runs: see ``FailureResponse/call(_:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, for type: N.Type, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        addObserver(
            on: actor, for: type, where: condition, buffering: policy, onFailure: .call(respond), fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that awaits, and may throw, inside an actor with each notification of a type from one sender, and
    /// another one with its errors.
    ///
    /// - Parameters:
    ///   - actor: The actor, held weakly.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where the observer runs: see ``FailureResponse/call(_:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, for type: N.Type, sender: N.Sender?, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            on: actor, for: type, sender: sender, where: condition, buffering: policy, onFailure: .call(respond),
            fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that awaits, and may throw, on the main actor with each notification of a type, and another one with
    /// its errors.
    ///
    /// - Parameters:
    ///   - delivery: `.main`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where the observer runs: see ``FailureResponse/call(_:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActorDelivery, for type: N.Type, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        addObserver(
            on: delivery, for: type, where: condition, buffering: policy, onFailure: .call(respond), fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that awaits, and may throw, on the main actor with each notification of a type from one sender, and
    /// another one with its errors.
    ///
    /// - Parameters:
    ///   - delivery: `.main`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where the observer runs: see ``FailureResponse/call(_:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActorDelivery, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            on: delivery, for: type, sender: sender, where: condition, buffering: policy, onFailure: .call(respond),
            fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that awaits, and may throw, on the main actor with its owner with each notification of a type, and
    /// another one with its errors.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `.main`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where the observer runs: see ``FailureResponse/call(_:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActorDelivery, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken {
        addObserver(
            owner, on: delivery, for: type, where: condition, buffering: policy, onFailure: .call(respond),
            fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that awaits, and may throw, on the main actor with its owner with each notification of a type from one
    /// sender, and another one with its errors.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `.main`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where the observer runs: see ``FailureResponse/call(_:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActorDelivery, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            owner, on: delivery, for: type, sender: sender, where: condition, buffering: policy,
            onFailure: .call(respond), fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that awaits, and may throw, in a task with each notification of a type, and another one with its errors.
    ///
    /// - Parameters:
    ///   - delivery: `.task`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where the observer runs: see ``FailureResponse/call(_:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: TaskDelivery, for type: N.Type, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        addObserver(
            on: delivery, for: type, where: condition, buffering: policy, onFailure: .call(respond), fileID: fileID,
            line: line, using: observer)
    }

    /// Calls a closure that awaits, and may throw, in a task with each notification of a type from one sender, and another one
    /// with its errors.
    ///
    /// - Parameters:
    ///   - delivery: `.task`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - respond: Called with each error that the observer throws, where the observer runs: see ``FailureResponse/call(_:)``.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: TaskDelivery, for type: N.Type, sender: N.Sender?, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, onFailure respond: @escaping @Sendable (any Error) -> Void,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            on: delivery, for: type, sender: sender, where: condition, buffering: policy, onFailure: .call(respond),
            fileID: fileID,
            line: line, using: observer)
    }
}
