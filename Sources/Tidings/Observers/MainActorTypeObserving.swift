// The deliveries of `MainActorObserving` and `AwaitingMainActorObserving`, in the spelling `on: MainActor.self`.

extension TypedNotificationCenter {
    // MARK: Closures that do not await

    /// Calls a closure on the main actor with each notification of a type, one at a time, in the order posted.
    ///
    /// The closure always runs after the post, also when that is made on the main actor. For one that runs in the post, see
    /// ``MainActorNotification``.
    ///
    /// ```swift
    /// center.addObserver(on: MainActor.self, for: CacheCleared.self) { _ in label.text = "" }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActor.Type, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        addObserver(
            on: .main, for: type, where: condition, buffering: policy, fileID: fileID, line: line, using: observer)
    }

    /// Calls a closure on the main actor with each notification of a type from one sender, one at a time, in the order posted.
    ///
    /// - Parameters:
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActor.Type, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            on: .main, for: type, sender: sender, where: condition, buffering: policy, fileID: fileID, line: line,
            using: observer)
    }

    /// Calls a closure on the main actor with its owner and each notification of a type, one at a time, in the order posted,
    /// for as long as the owner lives.
    ///
    /// The owner is held weakly and handed in, so that the closure need not capture it. When it is gone the observation is
    /// over, and what was queued is discarded.
    ///
    /// ```swift
    /// center.addObserver(self, on: MainActor.self, for: CacheCleared.self) { me, _ in me.label.text = "" }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActor.Type, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken {
        addObserver(
            owner, on: .main, for: type, where: condition, buffering: policy, fileID: fileID, line: line,
            using: observer)
    }

    /// Calls a closure on the main actor with its owner and each notification of a type from one sender, one at a time, in the
    /// order posted, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActor.Type, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            owner, on: .main, for: type, sender: sender, where: condition, buffering: policy, fileID: fileID,
            line: line, using: observer)
    }

    // MARK: Closures that await

    /// Calls a main-actor closure that awaits, and may throw, with each notification of a type, one at a time, in the order
    /// posted.
    ///
    /// - Parameters:
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActor.Type, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        addObserver(
            on: .main, for: type, where: condition, buffering: policy, onFailure: response, fileID: fileID, line: line,
            using: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with each notification of a type from one sender, one at a time,
    /// in the order posted.
    ///
    /// - Parameters:
    ///   - delivery: `MainActor.self`.
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
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActor.Type, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            on: .main, for: type, sender: sender, where: condition, buffering: policy, onFailure: response,
            fileID: fileID, line: line,
            using: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with its owner and each notification of a type, one at a time, in
    /// the order posted, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `MainActor.self`.
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
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActor.Type, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken {
        addObserver(
            owner, on: .main, for: type, where: condition, buffering: policy, onFailure: response, fileID: fileID,
            line: line,
            using: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with its owner and each notification of a type from one sender,
    /// one at a time, in the order posted, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `MainActor.self`.
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
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ owner: Owner, on delivery: MainActor.Type, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        addObserver(
            owner, on: .main, for: type, sender: sender, where: condition, buffering: policy, onFailure: response,
            fileID: fileID,
            line: line, using: observer)
    }
}
