/// A center, on which notifications are posted and observed.
///
/// Code that posts or observes should depend on this protocol, so that a test can give it another center. All methods that post
/// and observe are extensions over two of its requirements, `post` and `observe`, so they work on every center: the native one,
/// Foundation's, one that records for tests, and one of your own.
///
/// To write a center, implement these two. ``removeObservers(of:)`` has a default. A center that forwards passes both calls on,
/// and returns the other center's results; so it also has the other center's ``observations``, and takes monitors for it.
public protocol TypedNotificationCenter: Sendable {
    /// Posts a notification to the observers that are registered for its type and its sender.
    ///
    /// A center implements this requirement. To post, call `post(_:fileID:line:)`, which fills in the place.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: The line of source that posts it. A center without monitors can ignore it.
    /// - Returns: How many observers were called. One whose owner this post finds dead counts a last time.
    @discardableResult
    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int

    /// Registers a closure for a notification type.
    ///
    /// A center implements this requirement. To observe, call one of the `addObserver` methods: they return a token.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, or every sender.
    ///   - registration: The details of the observer, beside its closure.
    ///   - observer: The closure to call in the post, synchronously, on the thread that posts.
    /// - Returns: The handle of the observation. The observation lasts until it is cancelled, even if the handle is released.
    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle

    /// Ends all observations that are tied to an owner.
    ///
    /// Once this has returned, no post that begins later calls an observer that was registered with the owner, of any type and by
    /// any delivery, and what was queued for one is discarded. Tokens of such observers are no longer active. Observers that only
    /// capture the object stay.
    ///
    /// The centers of this package implement it, and a center that forwards to one of them inherits it. A center of your own that
    /// keeps observers itself ends those whose ``ObserverRegistration/owner`` is the object, and tells each one's
    /// ``ObserverRegistration/discardQueue()``; unless it does, nothing happens.
    ///
    /// ```swift
    /// center.removeObservers(of: screen)
    /// ```
    ///
    /// - Parameter owner: The owner, which need not be dying: it can observe again.
    func removeObservers(of owner: AnyObject)
}

extension TypedNotificationCenter {
    /// Posts a notification to the observers that are registered for its type and its sender, synchronously.
    ///
    /// ```swift
    /// center.post(SubscriptionsChanged(sender: account, subscribed: [123]))
    /// ```
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called. One whose owner this post finds dead counts a last time.
    @inlinable
    @discardableResult
    public func post<N: TypedNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        post(notification, from: SourcePlace(fileID: fileID, line: line))
    }

    /// Posts a main-actor notification, synchronously.
    ///
    /// - Parameters:
    ///   - notification: The notification. Its payload need not be `Sendable`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called. One whose owner this post finds dead counts a last time.
    @inlinable
    @MainActor
    @discardableResult
    public func post<N: MainActorNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        post(OnMainActor(notification: notification), from: SourcePlace(fileID: fileID, line: line))
    }
}

/// A center that keeps the notifications that were posted, as one that records for tests does.
///
/// The conformance suite calls `forget()` before it checks that a center keeps no object alive.
package protocol KeepsNotifications: TypedNotificationCenter {
    /// Releases the notifications that were kept, by this center and by such centers to which it forwards.
    func forget()
}
