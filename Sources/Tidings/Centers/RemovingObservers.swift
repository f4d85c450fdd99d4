extension TypedNotificationCenter {
    /// Ends the observations of a notification type that are tied to an owner.
    ///
    /// It is ``removeObservers(of:)`` for one type: once this has returned, no post that begins later calls such an observer, by any
    /// delivery, and what was queued for one is discarded.
    ///
    /// ```swift
    /// center.removeObservers(of: self, for: EpisodeAdded.self)
    /// ```
    ///
    /// A center of your own that does not forward does nothing, as only that one knows its observers.
    ///
    /// - Parameters:
    ///   - owner: The owner, which need not be dying: it can observe again.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observations are limited that end; `nil` ends all of the type.
    @export(implementation)
    public func removeObservers<N: TypedNotification>(
        of owner: AnyObject, for type: N.Type, sender: sending N.Sender? = nil
    ) {
        remove(observersOf: owner, for: type, SenderFilter(sending: sender, of: type).limit)
    }

    /// Ends the observations of a main-actor notification type that are tied to an owner.
    ///
    /// The same holds as for other notifications.
    ///
    /// - Parameters:
    ///   - owner: The owner, which need not be dying: it can observe again.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observations are limited that end; `nil` ends all of the type.
    @export(implementation)
    @MainActor
    public func removeObservers<N: MainActorNotification>(
        of owner: AnyObject, for type: N.Type, sender: N.Sender? = nil
    ) {
        remove(observersOf: owner, for: type, SenderFilter(sender, ofMainActor: type).limit)
    }

    @usableFromInline
    func remove(observersOf owner: AnyObject, for type: Any.Type, _ limit: SenderLimit?) {
        let subject = NotificationSubject(type)
        for observer in observers(of: owner) where observer.type == subject {
            if observer.isLimited(to: limit) { observer.cancel() }
        }
    }
}
