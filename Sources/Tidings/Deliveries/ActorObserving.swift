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
    /// For the main actor, hand in `MainActor.self`; for a closure of another global actor, ``TaskDelivery/task``.
    ///
    /// - Parameters:
    ///   - actor: The actor.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - policy: What becomes of notifications that arrive faster than the closure takes them.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation before the actor does. It can be discarded.
    @inlinable
    @discardableResult
    public func addObserver<A: Actor, N: TypedNotification & Sendable>(
        on actor: A, for type: N.Type, sender: N.Sender? = nil, buffering policy: BufferingPolicy = .unbounded,
        fileID: StaticString = #fileID, line: UInt = #line, using observer: @escaping @Sendable (isolated A, N) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(actor)
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .actor, owner: ownership.owner)
        let held = HeldObserver(observer)
        let mailbox = Mailbox<N>(buffering: policy) { [weak actor, held] mailbox in
            guard ownership.owner.isAlive else { return ownership.end() }
            mailbox.takeTurns { [weak held] in
                guard let actor else { return ownership.endsTurns() }
                return await mailbox.run(on: actor) { held?.closure }
            }
        }
        return observe(
            type, sender: SenderFilter(unchecked: sender, N.senderComparison), registration: registration, in: mailbox,
            tiedBy: ownership
        )
        .token(of: ownership)
    }
}

extension Mailbox {
    /// Calls a closure inside an actor with what is queued, for a turn.
    @inlinable
    func run<A: Actor>(
        on actor: isolated A, _ held: @Sendable () -> (@Sendable (isolated A, Element) -> Void)?
    ) -> Bool {
        guard let observer = held() else { return false }
        return run { element in observer(actor, element) }
    }
}
