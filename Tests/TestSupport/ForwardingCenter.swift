package import Tidings

/// A center that forwards everything to another center, with the code that a user would write.
package struct ForwardingCenter: TypedNotificationCenter {
    private let base: any TypedNotificationCenter

    package init(to base: any TypedNotificationCenter) { self.base = base }

    package var underlyingCenter: (any TypedNotificationCenter)? { base }

    package func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    package func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        base.observe(type, sender: sender, registration: registration, using: observer)
    }
}
