extension TypedNotificationCenter {
    /// Calls a closure in every post of a notification type, synchronously, on the thread that posts.
    ///
    /// Observers in the post run in the order in which they were registered. A post reaches those that were registered when
    /// it began. An observer may post, add and cancel observers, itself too; no lock is held while it runs.
    ///
    /// ```swift
    /// token = center.addObserver(for: SubscriptionsChanged.self) { note in print(note.subscribed) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification>(
        for type: N.Type, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> NotificationToken {
        observe(
            type, sender: .everyone, registration: ObserverRegistration(fileID: fileID, line: line), using: observer
        )
        .token()
    }

    /// Calls a closure in every post of a notification type from one sender.
    ///
    /// ```swift
    /// token = center.addObserver(for: SubscriptionsChanged.self, sender: account) { note in print(note.subscribed) }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender, held weakly if it is an object; `nil` for every sender. ``TypedNotification`` says what makes two
    ///     senders the same one.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    @inlinable
    public func addObserver<N: TypedNotification>(
        for type: N.Type, sender: N.Sender?, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        observe(
            type, sender: SenderFilter(sender, of: type),
            registration: ObserverRegistration(fileID: fileID, line: line), using: observer
        )
        .token()
    }

    /// Calls a closure with its owner in every post of a notification type, for as long as the owner lives.
    ///
    /// The owner is held weakly and handed in, so that the closure need not capture it. When the owner is gone the
    /// observation is over; the closure is released at the latest with the next post that would reach it. Other posts of its
    /// type, and registrations, look for dead owners too: for all of them, unless there are many.
    ///
    /// ```swift
    /// center.addObserver(self, for: CacheCleared.self) { me, _ in me.reload() }
    /// ```
    ///
    /// The closure runs on the thread that posts, so the owner is `Sendable`. View code wants its closure on the main
    /// actor: say `on: .main`, see ``MainActorDelivery``.
    ///
    /// - Parameters:
    ///   - owner: The owner.
    ///   - type: The notification type.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ owner: Owner, for type: N.Type, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken {
        observe(type, sender: .everyone, for: owner, fileID, line, using: observer)
    }

    /// Calls a closure with its owner in every post of a notification type from one sender, for as long as the owner lives.
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - type: The notification type.
    ///   - sender: The sender, held weakly if it is an object; `nil` for every sender.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ owner: Owner, for type: N.Type, sender: N.Sender?, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken where N.Sender: Sendable {
        observe(type, sender: SenderFilter(sender, of: type), for: owner, fileID, line, using: observer)
    }

    private func observe<Owner: AnyObject & Sendable, N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, for owner: Owner, _ fileID: StaticString, _ line: UInt,
        using observer: @escaping @Sendable (Owner, N) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let registration = ObserverRegistration(fileID: fileID, line: line, owner: ownership.owner)
        return observe(type, sender: sender, registration: registration) { [weak owner] note in
            guard let owner else { return ownership.end() }
            observer(owner, note)
        }
        .token(owner: ownership)
    }

    /// Ends the observation of a token, if its observer is registered with this center; otherwise changes nothing.
    ///
    /// A center that forwards has no observers: theirs is the center to which it forwards. Cancelling a token always works.
    ///
    /// - Parameter token: The token. One that was removed before, or belongs to another center, changes nothing.
    public func removeObserver(_ token: NotificationToken) {
        // A center that is a struct has no identity, and no observers: it forwards.
        guard type(of: self) is AnyObject.Type else { return }
        if token.observation.center == ObjectIdentifier(self as AnyObject) { token.cancel() }
    }
}
