/// Says that an observer gets a task of its own, as in `center.addObserver(on: .task, for: CacheCleared.self)`.
public enum TaskDelivery: Sendable {
    /// A task of its own, which it uses for one notification after the other.
    case task
}

extension TypedNotificationCenter {
    /// Calls an asynchronous closure with each notification of a type, one at a time, in the order posted.
    ///
    /// For observers that await something: the next notification waits until the closure has returned for this one. A
    /// closure that is marked with a global actor runs there. It may throw: an error ends nothing, it stands in the receipt of a
    /// `deliver` that waits for the call, and monitors are told.
    ///
    /// ```swift
    /// center.addObserver(on: .task, for: CacheCleared.self) { _ in await disk.clear() }.store(in: &tokens)
    /// center.addObserver(on: .task, for: CacheCleared.self) { @Database _ in Database.vacuum() }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - delivery: `.task`.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits, takes no room in the queue, and is not counted as delivered. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure. Cancelling the token does not cancel a call that is running. An observer that is registered
    ///     again is another observer, which does not wait for that call.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: TaskDelivery, for type: N.Type, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .task, where: condition, buffering: policy, onFailure: response, fileID, line),
            inTask: observer)
    }

    /// Calls an asynchronous closure with each notification of a type from one sender, one at a time, in the order posted.
    ///
    /// - Parameters:
    ///   - delivery: `.task`.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure. Cancelling the token does not cancel a call that is running.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification & Sendable>(
        on delivery: TaskDelivery, for type: N.Type, sender: N.Sender?, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .task, where: condition, buffering: policy, onFailure: response, fileID, line),
            inTask: observer)
    }

    @inlinable
    func observe<N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>,
        inTask observer: @escaping @isolated(any) @Sendable (N) async throws -> Void
    ) -> NotificationToken {
        observe(registration, calling: observer) { [isolation = observer.isolation] mailbox, observer in
            await mailbox.run(isolation: isolation, observer)
        }
    }
}

extension Mailbox {
    /// Calls a closure that may be suspended with what waits, for a turn.
    @inlinable
    func run(
        isolation: isolated (any Actor)?,
        _ observer: WeakObserver<@isolated(any) @Sendable (Element) async throws -> Void>
    ) async -> Bool {
        guard let held = observer.held else { return false }
        let closure = held.closure
        return await run(isolation: isolation, atMost: Self.callsInTurn, onFailure: held.respond) { element in
            try await closure(element)
        }
    }
}
