public import Foundation

extension NotificationCenter: TypedNotificationCenter {
    /// Posts a typed notification to its typed observers, in the order of registration, and to the untyped observers of
    /// its name.
    ///
    /// Untyped observers receive a `Notification` with the typed notification's name, and its sender as `object`. For a
    /// ``BridgedNotification``, the `userInfo` is that of ``BridgedNotification/bridged()``. The type's `name` is read
    /// once and then cached.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - place: The source line of the post, for monitors.
    /// - Returns: The number of typed observers called.
    @discardableResult
    public func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        post(notification, from: place, visited: nil)
    }

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace, visited: ObjectIdentifier?) -> Int {
        let traits = NotificationTraits.of(N.self)
        if traits.isSelfDelivered, let notification = notification as? any SelfDelivered {
            return notification.post(on: self)
        }
        let post = TypedPostOf(notification, on: self, traits, from: place, visited: visited)
        return post.make(on: self, in: post.carrier(reportingTo: self))
    }

    /// Registers a closure for a notification type. To observe, call one of the `addObserver` methods.
    ///
    /// An untyped post under the name of the type calls the closure if the type is a ``BridgedNotification`` that can
    /// be created from the post. Otherwise the post is reported; see ``NotificationReport``. The sender of a main-actor
    /// notification is only accessed on the main actor. So off the main actor, a token's `isActive` is `true` even if
    /// the sender has been deallocated.
    ///
    /// - Parameters:
    ///   - type: The notification type.
    ///   - sender: The sender to which the observer is limited, if any.
    ///   - registration: The details of the observer besides its closure.
    ///   - observer: The closure to call during each post.
    /// - Returns: The observation.
    public func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        let traits = NotificationTraits.of(N.self)
        if traits.isSelfDelivered, let type = type as? any SelfDelivered.Type {
            return observe(as: type, sender: sender, registration: registration, using: observer)
        }
        let registration = registration.with(type: type)
        return forwardEach(traits.names) { name in
            forward(
                name, from: sender, registration: registration, onMainActor: traits.belongsToMainActor,
                toTyped: observer)
        }
    }

    private func observe<N: TypedNotification, S: SelfDelivered>(
        as type: S.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        guard let sender = sender as? SenderFilter<S.Sender> else {
            preconditionFailure("the filter has the sender type of another notification")
        }
        return type.observe(on: self, sender: sender, registration: registration) { note in
            if let note = note as? N { observer(note) }
        }
    }

    /// Ends the observation of a token. If the observer isn't registered with this center, the method has no effect.
    ///
    /// - Parameter token: The token.
    public func removeObserver(_ token: NotificationToken) {
        if token.observation.center == ObjectIdentifier(self) { token.cancel() }
    }
}

/// A notification that Foundation's center doesn't carry in a `Notification`, such as a typed message.
protocol SelfDelivered: TypedNotification {
    /// Returns the number of observers called, or 0 if the number isn't known.
    func post(on center: NotificationCenter) -> Int

    static func observe(
        on center: NotificationCenter, sender: SenderFilter<Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (Self) -> Void
    ) -> any ObserverHandle
}

protocol MainActorSelfDelivered: MainActorNotification {
    @MainActor
    func post(on center: NotificationCenter) -> Int

    static func observe(
        on center: NotificationCenter, sender: SenderFilter<Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (OnMainActor<Self>) -> Void
    ) -> any ObserverHandle
}

extension OnMainActor: SelfDelivered where N: MainActorSelfDelivered {
    func post(on center: NotificationCenter) -> Int {
        // `assumeIsolated` traps off the main actor, so the notification stays on it.
        nonisolated(unsafe) let notification = notification
        return MainActor.assumeIsolated { unsafe notification.post(on: center) }
    }

    static func observe(
        on center: NotificationCenter, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (Self) -> Void
    ) -> any ObserverHandle {
        N.observe(on: center, sender: sender, registration: registration, using: observer)
    }
}
