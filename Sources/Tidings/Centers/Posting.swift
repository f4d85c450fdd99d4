extension TypedNotificationCenter {
    /// Posts a notification to the observers that are registered for its type and its sender, synchronously.
    ///
    /// ```swift
    /// center.post(SubscriptionsChanged(sender: account, subscribed: [123]))
    /// ```
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
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
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    /// - Returns: How many observers were called. One whose owner this post finds dead counts a last time.
    @MainActor
    @discardableResult
    public func post<N: MainActorNotification>(
        _ notification: N, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        post(OnMainActor(notification: notification), from: SourcePlace(fileID: fileID, line: line))
    }
}
