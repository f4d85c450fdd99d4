extension TypedNotificationCenter {
    /// Posts a notification only to the observer of a token, or only to the observers that are tied to an owner.
    ///
    /// Use it for a late observer that needs a notification which other observers have already received:
    ///
    /// ```swift
    /// let token = center.addObserver(for: PlaylistChanged.self) { note in show(note.playlist) }
    /// center.post(PlaylistChanged(playlist), to: token)
    /// ```
    ///
    /// The observer is called as in any post if it is registered for the type and isn't limited to another sender. If
    /// the type is replayed, this notification isn't stored for later observers. To pass each new observer the current
    /// state, see <doc:Replay>.
    ///
    /// In a center of your own that doesn't forward, no observer is called, because such a center lists none.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - recipient: The token of an observer, or the owner of observers.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers that were called.
    @export(implementation)
    @discardableResult
    public func post<N: TypedNotification>(
        _ notification: N, to recipient: AnyObject, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        post(notification, toOne: recipient, from: SourcePlace(fileID: fileID, line: line))
    }

    /// Posts a main-actor notification only to the observer of a token, or only to the observers tied to an owner.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - recipient: The token of an observer, or the owner of observers.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: The number of observers that were called.
    @export(implementation)
    @MainActor
    @discardableResult
    public func post<N: MainActorNotification>(
        _ notification: N, to recipient: AnyObject, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        post(OnMainActor(notification: notification), toOne: recipient, from: SourcePlace(fileID: fileID, line: line))
    }

    @usableFromInline
    func post<N: TypedNotification>(_ notification: N, toOne recipient: AnyObject, from place: SourcePlace) -> Int {
        let numbers =
            if let token = recipient as? NotificationToken {
                token.observation.knownNumbers
            } else {
                observers(of: recipient).flatMap(\.numbers)
            }
        return listing?.post(notification, toObservers: numbers, from: place) ?? 0
    }
}

extension ListingCenter {
    @usableFromInline
    package func post<N: TypedNotification>(
        _ notification: N, toObservers numbers: [UInt64], from place: SourcePlace
    ) -> Int {
        numbers.isEmpty ? 0 : nativeCenters.reduce(0) { $0 + $1.post(notification, toOwn: numbers, from: place) }
    }
}

extension NativeNotificationCenter {
    package func post<N: TypedNotification>(_ notification: N, toOwn numbers: [UInt64], from place: SourcePlace) -> Int
    {
        // The channels live as long as the center, which mustn't be deallocated before the post has ended.
        defer { extendLifetime(self) }
        if let channel = unsafe channels.channel(N.self) as Unmanaged<TypedChannel<N, N.Sender>>? {
            return unsafe channel._withUnsafeGuaranteedRef {
                postUnusual(notification, from: place, in: $0, reaching: .only(numbers))
            }
        }
        let replaying = unsafe channels.channel(Replayed<N>.self) as Unmanaged<TypedChannel<Replayed<N>, N.Sender>>?
        return unsafe replaying?._withUnsafeGuaranteedRef { channel in
            // `countingIn: nil` marks a notification that a ``ReplayGate`` lets through, because only this post's
            // recipients receive it.
            let payload = unsafe Replayed(notification, number: 0, of: KeptPost(), countingIn: nil)
            return postUnusual(
                payload, from: place, in: channel, reaching: .only(numbers), isAdmitted: !channel.hasFinished)
        } ?? 0
    }
}
