extension TypedNotificationCenter {
    /// Ends the observations of a type that are tied to an owner, and discards the notifications queued for them. When
    /// this method has returned, no post that begins later calls these observers, whatever their delivery mode.
    ///
    /// ```swift
    /// center.removeObservers(of: self, for: EpisodeAdded.self)
    /// ```
    ///
    /// Observers that ended when the center was finished keep their queues; to discard these queues, call
    /// ``removeObservers(of:)``. In a center of your own that doesn't forward, this method has no effect, because such
    /// a center lists no observers.
    ///
    /// - Parameters:
    ///   - owner: The owner. It can register observers again afterwards.
    ///   - type: The notification type.
    ///   - sender: Ends only observations that are limited to this sender; `nil` ends all observations of the type.
    @export(implementation)
    public func removeObservers<N: TypedNotification>(
        of owner: AnyObject, for type: N.Type, sender: sending N.Sender? = nil
    ) {
        remove(observersOf: owner, for: type, SenderFilter(sending: sender, of: type).limit)
    }

    /// Ends the observations of a main-actor notification type that are tied to an owner.
    ///
    /// - Parameters:
    ///   - owner: The owner. It can register observers again afterwards.
    ///   - type: The notification type.
    ///   - sender: Ends only observations that are limited to this sender; `nil` ends all observations of the type.
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
