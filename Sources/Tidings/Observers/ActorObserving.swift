extension TypedNotificationCenter {
    /// Calls a closure inside an actor with each notification of a type, one at a time, in the order posted.
    ///
    /// The actor is held weakly and handed in, isolated, so that the closure can use it without `await`. Notifications wait
    /// for it in a queue of their own, and a long queue lets others use the actor in between. A post never waits for the
    /// actor, also when it is made on it. When the actor is gone the observation is over.
    ///
    /// ```swift
    /// center.addObserver(on: cache, for: SubscriptionsChanged.self) { cache, note in cache.add(note.subscribed) }
    /// ```
    ///
    /// For the main actor, say ``MainActorDelivery/main``; for a closure of another global actor, ``TaskDelivery/task``.
    ///
    /// - Parameters:
    ///   - actor: The actor.
    ///   - type: The notification type.
    ///   - condition: Whether the observer wants a notification, asked in the post, on the thread that posts. A refused one never
    ///     waits, takes no room in the queue, and is not counted as delivered. `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation before the actor does. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, for type: N.Type, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded, fileID: StaticString = #fileID,
        line: UInt = #line, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken {
        observe(
            .init(type, .everyone, .actor, where: condition, buffering: policy, fileID, line), on: actor,
            calling: observer)
    }

    /// Calls a closure inside an actor with each notification of a type from one sender, one at a time, in the order posted.
    ///
    /// - Parameters:
    ///   - actor: The actor, held weakly.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - condition: Whether the observer wants a notification, asked in the post; `nil` for every notification.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation before the actor does. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, for type: N.Type, sender: N.Sender?, where condition: (@Sendable (N) -> Bool)? = nil,
        buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        let sender = SenderFilter(sender, of: type)
        return observe(
            .init(type, sender, .actor, where: condition, buffering: policy, fileID, line), on: actor, calling: observer
        )
    }

    @inlinable
    func observe<A: Actor, N: TypedNotification & Sendable>(
        _ registration: AsynchronousRegistration<N>, on actor: A,
        calling observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken {
        observe(registration, owner: actor, calling: observer) { mailbox, actor, observer in
            await mailbox.run(on: actor, observer)
        }
    }
}

extension Mailbox {
    /// Calls a closure inside an actor with what waits, for a turn.
    @inlinable
    func run<A: Actor>(
        on actor: isolated A, _ observer: WeakObserver<@Sendable (isolated A, Element) -> Void>
    ) -> Bool {
        guard let observer = observer.closure else { return false }
        return run { element in observer(actor, element) }
    }
}
