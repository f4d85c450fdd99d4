extension TypedNotificationCenter {
    /// Calls a closure in every post of a notification type, synchronously, on the thread that posts.
    ///
    /// Such synchronous observers run in the order of registration. A post reaches the observers registered when it
    /// began. An observer may post, add observers, and cancel observers, including itself; no lock is held while it
    /// runs. The closure can't await or throw. For a closure that does, specify where it runs with `on:`.
    ///
    /// ```swift
    /// token = center.addObserver(for: SubscriptionsChanged.self, sender: account) { note in print(note.subscribed) }
    /// center.addObserver(for: Placed.self, where: { $0.isLarge }) { note in review(note) }.store(in: &tokens)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit. For
    ///     the comparison of senders, see ``TypedNotification``.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which keeps the observer alive.
    @inlinable
    public func addObserver<N: TypedNotification>(
        for type: N.Type, sender: sending N.Sender? = nil, where condition: (@Sendable (N) -> Bool)? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        observe(type, sender: SenderFilter(sending: sender, of: type), where: condition, fileID, line, using: observer)
    }

    @inlinable
    @inline(__always)
    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, where condition: (@Sendable (N) -> Bool)?,
        _ fileID: StaticString, _ line: UInt, using observer: consuming @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        let registration = ObserverRegistration(inPost: fileID, line)
        if let condition { return observe(type, sender: sender, registration, where: condition, using: observer) }
        return observe(type, sender: sender, registration: registration, using: observer).token()
    }

    @usableFromInline
    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, _ registration: ObserverRegistration,
        where condition: @escaping @Sendable (N) -> Bool, using observer: @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        observe(type, sender: sender, registration: registration.conditional) { note in
            Refusal.perform(if: condition(note)) { observer(note) }
        }
        .token()
    }

    /// Calls a closure with its owner in every post of a notification type, for as long as the owner is alive.
    ///
    /// The owner is held weakly and passed to the closure, which doesn't have to capture it. When the owner is
    /// deallocated, the observation ends. A later post or registration then detects the end and releases the closure.
    ///
    /// ```swift
    /// center.addObserver(self, for: CacheCleared.self) { me, _ in me.reload() }
    /// ```
    ///
    /// The closure runs on the thread that posts, so the owner has to be `Sendable`. For a closure on the main actor,
    /// such as in view code, use `on: .main`. For an owner that is an actor, use `on: .actor`. See ``OwnerDelivery``.
    ///
    /// - Parameters:
    ///   - owner: The owner.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for no limit.
    ///   - condition: Evaluated in each post. A notification it rejects isn't delivered or counted. `nil` accepts all.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token that can end the observation earlier. You can discard it.
    @inlinable
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ owner: Owner, for type: N.Type, sender: sending N.Sender? = nil,
        where condition: (@Sendable (N) -> Bool)? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken {
        let sender = SenderFilter(sending: sender, of: type)
        return observe(type, sender: sender, for: owner, where: condition, fileID, line, using: observer)
    }

    @inlinable
    func observe<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, for owner: Owner, where condition: (@Sendable (N) -> Bool)?,
        _ fileID: StaticString, _ line: UInt, using observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let registration = ObserverRegistration(fileID: fileID, line: line, owner: ownership.owner)
        if let condition {
            return observe(type, sender: sender, registration: registration.conditional) { note in
                guard let owner = ownership.owner.object(as: Owner.self) else { return ownership.end() }
                Refusal.perform(if: condition(note)) { observer(owner, note) }
            }
            .token(owner: ownership)
        }
        return observe(type, sender: sender, registration: registration) { note in
            guard let owner = ownership.owner.object(as: Owner.self) else { return ownership.end() }
            observer(owner, note)
        }
        .token(owner: ownership)
    }

    /// Ends the observation of a token, if its observer is registered with this center. Otherwise, as in a forwarding
    /// center, this method has no effect. To end an observation of any center, cancel its token.
    ///
    /// - Parameter token: The token.
    public func removeObserver(_ token: NotificationToken) {
        // A center that is a struct can only forward, so no observer is registered with it.
        guard type(of: self) is AnyObject.Type else { return }
        if token.observation.center == ObjectIdentifier(self as AnyObject) { token.cancel() }
    }
}
