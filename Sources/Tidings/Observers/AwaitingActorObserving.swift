extension TypedNotificationCenter {
    /// Calls a closure that awaits, and may throw, inside an actor with each notification of a type, one at a time, in the order
    /// posted.
    ///
    /// The next notification waits until the closure has returned for this one, however often it is suspended. The actor is
    /// re-entrant meanwhile: what others ask of it runs while the closure awaits, so its state may have changed after an `await`.
    ///
    /// A closure that does not await is taken by the synchronous method of the same name, which is many times as fast.
    ///
    /// ```swift
    /// center.addObserver(on: projection, for: Placed.self) { me, note in try await me.store(note) }
    /// ```
    ///
    /// The actor is held weakly, except during a call, and handed in, isolated. When it is gone the observation is over.
    /// Cancelling the token does not cancel a call that is running: it goes on to its end. An error ends nothing: it stands in
    /// the receipt of a `deliver` that waits for the call, and monitors are told.
    ///
    /// - Parameters:
    ///   - actor: The actor.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation before the actor does. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, for type: N.Type, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .actor, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: actor,
            awaiting: observer)
    }

    /// Calls a closure that awaits, and may throw, inside an actor with each notification of a type from one sender, one at a
    /// time, in the order posted.
    ///
    /// - Parameters:
    ///   - actor: The actor, held weakly.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - response: What follows when the closure throws an error, beside a report.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation before the actor does. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, for type: N.Type, sender: N.Sender?, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .actor, where: condition, buffering: policy, onFailure: response, fileID, line),
            on: actor,
            awaiting: observer)
    }

    @inlinable
    func observe<A: Actor, N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>, on actor: A,
        awaiting observer: @escaping @Sendable (isolated A, N) async throws -> Void
    ) -> NotificationToken {
        observe(registration, owner: actor, calling: observer) { mailbox, actor, observer in
            await mailbox.runAwaiting(on: actor, observer)
        }
    }
}

extension Mailbox {
    /// Calls a closure that may be suspended inside an actor with what waits next.
    ///
    /// A turn is one call, as it keeps the actor alive: between two calls the actor may go.
    @inlinable
    func runAwaiting<A: Actor>(
        on actor: isolated A, _ observer: WeakObserver<@Sendable (isolated A, Element) async throws -> Void>
    ) async -> Bool {
        guard let held = observer.held else { return false }
        let closure = held.closure
        return await run(isolation: actor, atMost: 1, onFailure: held.respond) { element in
            try await closure(actor, element)
        }
    }
}
