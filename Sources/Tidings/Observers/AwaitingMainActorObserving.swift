extension TypedNotificationCenter {
    /// Calls a main-actor closure that awaits, and may throw, with each notification of a type, one at a time, in the order
    /// posted.
    ///
    /// The next notification waits until the closure has returned for this one, however often it is suspended. Other code of
    /// the main actor runs while the closure awaits. Cancelling the token does not cancel a call that is running. An error ends
    /// nothing: it stands in the receipt of a `deliver` that waits for the call, and monitors are told.
    ///
    /// ```swift
    /// center.addObserver(on: .main, for: Placed.self) { note in try await show(note) }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - delivery: `.main`.
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
        on delivery: MainActorDelivery, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .mainActor, where: condition, buffering: policy, onFailure: response, fileID, line),
            onMainActorAwaiting: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with each notification of a type from one sender, one at a time,
    /// in the order posted.
    ///
    /// - Parameters:
    ///   - delivery: `.main`.
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
        on delivery: MainActorDelivery, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .mainActor, where: condition, buffering: policy, onFailure: response, fileID, line),
            onMainActorAwaiting: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with its owner and each notification of a type, one at a time, in
    /// the order posted, for as long as the owner lives.
    ///
    /// The owner is held weakly, except during a call, and handed in. When it is gone the observation is over, and what was
    /// queued is discarded.
    ///
    /// ```swift
    /// center.addObserver(screen, on: .main, for: Placed.self) { me, note in try await me.show(note) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `.main`.
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
        _ owner: Owner, on delivery: MainActorDelivery, for type: N.Type,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .mainActor, where: condition, buffering: policy, onFailure: response, fileID, line),
            owner: owner, onMainActorAwaiting: observer)
    }

    /// Calls a main-actor closure that awaits, and may throw, with its owner and each notification of a type from one sender,
    /// one at a time, in the order posted, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly.
    ///   - delivery: `.main`.
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
        _ owner: Owner, on delivery: MainActorDelivery, for type: N.Type, sender: N.Sender?,
        where condition: (@Sendable (N) -> Bool)? = nil, buffering policy: BufferingPolicy = .unbounded,
        onFailure response: FailureResponse = .report,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .mainActor, where: condition, buffering: policy, onFailure: response, fileID, line),
            owner: owner, onMainActorAwaiting: observer)
    }

    @inlinable
    func observe<N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>,
        onMainActorAwaiting observer: @escaping @MainActor (N) async throws -> Void
    ) -> NotificationToken {
        observe(registration, calling: observer) { mailbox, observer in
            await mailbox.runOnMainActor(observer, atMost: Mailbox<N>.callsInTurn) { closure, note in
                try await closure(note)
            }
        }
    }

    @inlinable
    func observe<Owner: AnyObject & Sendable, N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>, owner: Owner,
        onMainActorAwaiting observer: @escaping @MainActor (Owner, N) async throws -> Void
    ) -> NotificationToken {
        observe(registration, owner: owner, calling: observer) { mailbox, owner, observer in
            // A turn is one call, as it keeps the owner alive.
            await mailbox.runOnMainActor(observer, atMost: 1) { closure, note in try await closure(owner, note) }
        }
    }
}

extension Mailbox {
    /// Calls a closure that may be suspended on the main actor with what waits, for a turn.
    ///
    /// - Parameters:
    ///   - observer: The closure.
    ///   - calls: How many calls the turn makes at most.
    ///   - call: Calls the closure with an element.
    /// - Returns: Whether to call this method again, when others have had their turn.
    @MainActor
    @inlinable
    func runOnMainActor<Closure: Sendable>(
        _ observer: WeakObserver<Closure>, atMost calls: Int,
        _ call: @MainActor @Sendable (Closure, Element) async throws -> Void
    ) async -> Bool {
        guard let held = observer.held else { return false }
        let closure = held.closure
        return await run(isolation: MainActor.shared, atMost: calls, onFailure: held.respond) { element in
            try await call(closure, element)
        }
    }
}
