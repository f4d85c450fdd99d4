// The deliveries of `AwaitingMainActorObserving`, in the spelling `on: MainActor.self`.

extension TypedNotificationCenter {
    /// Calls a main-actor closure that awaits, and may throw, with each notification of a type, one at a time, in the order
    /// posted.
    ///
    /// - Parameters:
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActor.Type, for type: N.Type,
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .mainActor, buffering: policy, onFailure: response, fileID, line),
            onMainActorAwaiting: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with each notification of a type from one sender, one at a time,
    /// in the order posted.
    ///
    /// - Parameters:
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: MainActor.Type, for type: N.Type, sender: N.Sender?,
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .mainActor, buffering: policy, onFailure: response, fileID, line),
            onMainActorAwaiting: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with its owner and each notification of a type, one at a time, in
    /// the order posted, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
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
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .mainActor, buffering: policy, onFailure: response, fileID, line),
            owner: owner, onMainActorAwaiting: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with its owner and each notification of a type from one sender,
    /// one at a time, in the order posted, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `MainActor.self`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
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
        buffering policy: BufferingPolicy = .unbounded, onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .mainActor, buffering: policy, onFailure: response, fileID, line),
            owner: owner, onMainActorAwaiting: observer)
    }
}
