/// Where notifications are posted and observed.
///
/// Code that posts or observes depends on this protocol, so that a test can hand it a center of its own. Every way to post
/// and to observe is an extension over the two requirements, and so works on every center: the native one, Foundation's, one
/// that records for tests, one you write.
///
/// To write a center, implement the two requirements; to forward, pass both on and return what the other center returned.
public protocol TypedNotificationCenter: Sendable {
    /// Posts a notification to the observers that are registered for its type and its sender.
    ///
    /// This is what a center implements. To post, call `post(_:fileID:line:)`, which fills in the place.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: Where the source posts it. A center that does not tell anybody need not look at it.
    /// - Returns: How many observers were called. One whose owner this post finds dead counts a last time.
    @discardableResult
    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int

    /// Registers a closure for a notification type.
    ///
    /// This is what a center implements. To observe, call one of the `addObserver` methods: they return a token.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, if it is.
    ///   - registration: What is known about the observer beside its closure.
    ///   - observer: The closure to call in the post, synchronously, on the thread that posts.
    /// - Returns: The observation. It goes on until it is cancelled, also when nobody holds this value.
    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle
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
    @MainActor
    @discardableResult
    public func post<N: MainActorNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        post(OnMainActor(notification: notification), from: SourcePlace(fileID: fileID, line: line))
    }
}

/// A center whose purpose it is to keep what was posted, as one that records for tests does.
///
/// The conformance suite has it let go of that where it checks that a center keeps nothing alive.
package protocol KeepsNotifications: TypedNotificationCenter {
    /// Lets go of everything that was kept, also by such a center behind this one.
    func forget()
}
