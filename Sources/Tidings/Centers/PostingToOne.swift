extension TypedNotificationCenter {
    /// Posts a notification to some of its observers: that of a token, or those that are tied to an owner.
    ///
    /// It is for an observer that comes late, and needs what the others have had already:
    ///
    /// ```swift
    /// let token = center.addObserver(for: PlaylistChanged.self) { note in show(note.playlist) }
    /// center.post(PlaylistChanged(playlist), to: token)
    /// ```
    ///
    /// The observer is called as in any post, if it is registered for the type and, if it is limited to one, for the sender. Other
    /// observers, classic ones among them, are not called. A notification of a type that is replayed is not kept. For a state that each
    /// observer should begin with, the article <doc:Replay> has what needs no second post.
    ///
    /// A center of your own that does not forward calls nobody, as only that one knows its observers.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - recipient: The token of an observer, or the owner of some.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called.
    @export(implementation)
    @discardableResult
    public func post<N: TypedNotification>(
        _ notification: N, to recipient: AnyObject, fileID: StaticString = #fileID, line: UInt = #line
    ) -> Int {
        post(notification, toOne: recipient, from: SourcePlace(fileID: fileID, line: line))
    }

    /// Posts a main-actor notification to some of its observers: that of a token, or those that are tied to an owner.
    ///
    /// The same holds as for other notifications.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - recipient: The token of an observer, or the owner of some.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    /// - Returns: How many observers were called.
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
        if numbers.isEmpty { return 0 }
        return listing?.post(notification, toObservers: numbers, from: place) ?? 0
    }
}

extension ListingCenter {
    @usableFromInline
    package func post<N: TypedNotification>(
        _ notification: N, toObservers numbers: [UInt64], from place: SourcePlace
    ) -> Int {
        nativeCenters.reduce(0) { $0 + $1.post(notification, toOwn: numbers, from: place) }
    }
}

extension NativeNotificationCenter {
    /// Posts a notification to observers of this center alone.
    package func post<N: TypedNotification>(_ notification: N, toOwn numbers: [UInt64], from place: SourcePlace) -> Int
    {
        // The channels live as long as the center, which must not end before the post has.
        defer { extendLifetime(self) }
        if let channel = unsafe channels.channel(N.self) as Unmanaged<TypedChannel<N, N.Sender>>? {
            return unsafe channel._withUnsafeGuaranteedRef {
                postUnusual(notification, from: place, in: $0, reaching: .only(numbers))
            }
        }
        let replaying = unsafe channels.channel(Replayed<N>.self) as Unmanaged<TypedChannel<Replayed<N>, N.Sender>>?
        return unsafe replaying?._withUnsafeGuaranteedRef { channel in
            // As what a registration hands over, it passes the gate of the observer, and is not numbered.
            let payload = unsafe Replayed(notification, number: 0, of: KeptPost(), countingIn: nil)
            return postUnusual(
                payload, from: place, in: channel, reaching: .only(numbers), isAdmitted: !channel.hasFinished)
        } ?? 0
    }
}
