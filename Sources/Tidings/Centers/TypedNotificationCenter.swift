/// A center on which notifications are posted and observed.
///
/// Code that posts or observes should depend on this protocol, so that a test can pass in another center. The
/// convenience methods are extension methods that call `post` and `observe`, so they work on every center.
///
/// To write a center, implement `post` and `observe`. The other requirements have default implementations. A forwarding
/// center also implements ``underlyingCenter``, passes both calls to that center, and returns the results.
public protocol TypedNotificationCenter: Sendable {
    /// Posts a notification to the observers of its type and its sender. A center implements this requirement. To post,
    /// call `post(_:fileID:line:)`, which fills in the place.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: The file and line of the post. A center without monitors can ignore this argument.
    /// - Returns: The number of observers called, including any whose owner turns out to be deallocated.
    @discardableResult
    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int

    /// Registers a closure for a notification type. A center implements this requirement. To observe, call one of the
    /// `addObserver` methods, which return a token.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, or no limit.
    ///   - registration: The details of the observer besides its closure.
    ///   - observer: The closure to call during the post, synchronously, on the thread that posts.
    /// - Returns: The handle. Releasing the handle doesn't end the observation.
    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: consuming @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle

    /// Ends all observations that are tied to an owner.
    ///
    /// When this method has returned, no post that begins later calls the owner's observers, for any type and any
    /// delivery. Notifications queued for them are discarded, and their tokens are no longer active. Observers that
    /// merely capture the object aren't affected.
    ///
    /// The default implementation calls the method of the ``underlyingCenter``. A center of your own that stores
    /// observers has to end those whose ``ObserverRegistration/owner`` is the object, and call
    /// ``ObserverRegistration/discardQueue()`` for each.
    ///
    /// ```swift
    /// center.removeObservers(of: screen)
    /// ```
    ///
    /// - Parameter owner: The owner. It can remain in use, and observe again.
    func removeObservers(of owner: AnyObject)

    /// The center to which this one forwards; `nil` by default. Implement this property in a forwarding center.
    ///
    /// Only the centers of this package list their observers. For a center of your own without an underlying center,
    /// ``observations``, ``statistics``, ``drain(within:clock:)``, ``finish(within:clock:)``,
    /// ``attach(_:interests:samplingInterval:thresholds:clock:)`` and
    /// ``postWaitingForRoom(_:within:clock:fileID:line:)`` find no observers.
    ///
    /// ```swift
    /// var underlyingCenter: (any TypedNotificationCenter)? { base }
    /// ```
    ///
    /// The chain of underlying centers must not lead back to this center.
    var underlyingCenter: (any TypedNotificationCenter)? { get }
}

extension TypedNotificationCenter {
    /// Posts a notification synchronously to the observers of its type and its sender.
    ///
    /// ```swift
    /// center.post(SubscriptionsChanged(sender: account, subscribed: [123]))
    /// ```
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers called, including any whose owner turns out to be deallocated.
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
    ///   - notification: The notification. Its payload doesn't have to be `Sendable`.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers called, including any whose owner turns out to be deallocated.
    @inlinable
    @MainActor
    @discardableResult
    public func post<N: MainActorNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        MainActorPost.begin()
        defer { MainActorPost.end() }
        return post(OnMainActor(notification: notification), from: SourcePlace(fileID: fileID, line: line))
    }
}

/// A center that stores notifications. The conformance suite calls `forget()` before it checks for leaks.
package protocol KeepsNotifications: TypedNotificationCenter {
    /// Releases the notifications stored by this center, and by the centers to which it forwards.
    func forget()
}
