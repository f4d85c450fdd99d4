extension NativeNotificationCenter {
    /// Posts a notification to all observers but one: that which brings notifications to where this one comes from.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - observation: The observation that is left out.
    ///   - place: Where the source posts it.
    /// - Returns: How many observers were called.
    package func post<N: TypedNotification>(
        _ notification: N, except observation: any ObserverHandle, from place: SourcePlace
    ) -> Int {
        // The channel lives as long as the center, which must not end before the post has.
        defer { extendLifetime(self) }
        guard let channel = unsafe channels.channel(of: N.self) else { return 0 }
        return unsafe channel._withUnsafeGuaranteedRef { channel in
            channel.postMonitored(notification, from: place, except: (observation as? EntryToken)?.entry)
        }
    }
}
