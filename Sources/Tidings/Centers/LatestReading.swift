extension TypedNotificationCenter {
    /// Returns the latest notification of a replayed type. An observer that is registered now would receive this
    /// notification first. If another thread posts at the same time, the result may already be outdated. To react to
    /// each change, add an observer.
    ///
    /// ```swift
    /// if center.latest(of: ConnectionChanged.self)?.isOnline == true { synchronize() }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender of the notification; `nil` for the latest of all senders.
    /// - Returns: The notification; `nil` if there was none, or if the center doesn't replay the type. Foundation's
    ///   center replays no type.
    @export(implementation)
    public func latest<N: TypedNotification & Sendable>(of type: N.Type, sender: sending N.Sender? = nil) -> N? {
        latest(type, from: SenderFilter(sending: sender, of: type))
    }

    /// Returns the latest notification of a replayed main-actor type. An observer that is registered now would receive
    /// this notification first.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender of the notification; `nil` for the latest of all senders.
    /// - Returns: The notification; `nil` if there was none, or if the center doesn't replay the type.
    @export(implementation)
    @MainActor
    public func latest<N: MainActorNotification & Sendable>(of type: N.Type, sender: N.Sender? = nil) -> N? {
        latest(OnMainActor<N>.self, from: SenderFilter(sender, ofMainActor: type))?.notification
    }

    @usableFromInline
    func latest<N: TypedNotification>(_ type: N.Type, from sender: SenderFilter<N.Sender>) -> N? {
        listing?.nativeCenters.lazy.compactMap { $0.keptLatest(type, from: sender) }.first
    }
}

extension NativeNotificationCenter {
    /// Returns the latest notification. For a main-actor notification, the caller has to be on the main actor.
    fileprivate func keptLatest<N: TypedNotification>(_ type: N.Type, from sender: SenderFilter<N.Sender>) -> N? {
        // The channel, which stores the notification, lives as long as the center.
        defer { extendLifetime(self) }
        let channel = unsafe channels.channel(Replayed<N>.self) as Unmanaged<TypedChannel<Replayed<N>, N.Sender>>?
        return unsafe channel?._withUnsafeGuaranteedRef { channel in
            unsafe latest(in: channel)._withUnsafeGuaranteedRef { latest in
                latest.latest(type, of: latest.snapshot(for: sender, lookingForDead: true))?.payload(of: type)
                    .notification
            }
        }
    }
}
