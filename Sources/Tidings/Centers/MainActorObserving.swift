extension TypedNotificationCenter {
    /// Calls a main-actor closure in every post of a main-actor notification, synchronously.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: The token, which is the lifetime of the observation.
    public func addObserver<N: MainActorNotification>(
        for type: N.Type, sender: N.Sender? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (N) -> Void
    ) -> NotificationToken {
        let registration = ObserverRegistration(fileID: fileID, line: line, delivery: .inPostOnMainActor)
        return observe(
            OnMainActor<N>.self, sender: SenderFilter(unchecked: sender, N.senderComparison), registration: registration
        ) { note in
            note.call(observer)
        }
        .token()
    }

    /// Calls a main-actor closure with its owner in every post of a main-actor notification, for as long as the owner lives.
    ///
    /// ```swift
    /// center.addObserver(self, for: WillShow.self) { me, note in me.inset(for: note.view) }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The owner, held weakly and handed in.
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, held weakly if it is an object; `nil` for every sender.
    ///   - fileID: The file of the call. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - observer: The closure.
    /// - Returns: A token, to end the observation earlier. It can be discarded.
    @discardableResult
    public func addObserver<Owner: AnyObject & Sendable, N: MainActorNotification>(
        _ owner: Owner, for type: N.Type, sender: N.Sender? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        using observer: @escaping @MainActor (Owner, N) -> Void
    ) -> NotificationToken {
        let ownership = Ownership(owner)
        let registration = ObserverRegistration(
            fileID: fileID, line: line, delivery: .inPostOnMainActor, owner: ownership.owner)
        return observe(
            OnMainActor<N>.self, sender: SenderFilter(unchecked: sender, N.senderComparison), registration: registration
        ) { [weak owner] note in
            guard let owner else { return ownership.end() }
            note.call { note in observer(owner, note) }
        }
        .token(owner: ownership)
    }
}

/// A main-actor notification on its way through a center, which only knows typed notifications.
///
/// It can only be made on the main actor, and is posted synchronously, so whoever receives it is on the main actor too.
package struct OnMainActor<N: MainActorNotification>: TypedNotification, BelongsToMainActor {
    package let notification: N

    package static var name: String { N.name }
    package static var content: Any.Type { N.self }
    package var sender: N.Sender { notification.sender }
    package static var senderComparison: SenderComparison<N.Sender> { N.senderComparison }

    @MainActor
    package init(notification: N) { self.notification = notification }

    /// Calls a main-actor closure with the notification.
    fileprivate func call(_ observer: @MainActor (N) -> Void) {
        // The post that led here was made on the main actor and is synchronous, so nothing crosses an isolation boundary;
        // `assumeIsolated` checks it.
        nonisolated(unsafe) let notification = notification
        MainActor.assumeIsolated { unsafe observer(notification) }
    }
}

/// A typed notification of which every observer asserts the main actor.
package protocol BelongsToMainActor {
    /// The notification type that it stands for.
    static var content: Any.Type { get }
}
