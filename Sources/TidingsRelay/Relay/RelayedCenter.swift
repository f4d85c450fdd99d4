final class RelayedCenter: Sendable {
    let base: any TypedNotificationCenter
    private let native: NativeNotificationCenter?
    private let observed = Lock([ObjectIdentifier: NotificationToken]())

    init(_ center: any TypedNotificationCenter) {
        base = center
        native = center as? NativeNotificationCenter
    }

    var place: SourcePlace { SourcePlace() }

    /// Observes a type without replay, so that notifications that were posted before the relay existed aren't sent.
    func observe<N: RemoteNotification>(_ type: N.Type, _ send: @escaping @Sendable (N) -> Void) {
        let registration = ObserverRegistration(fileID: #fileID, line: #line).withoutReplay
        let token = base.observe(type, sender: .everyone, registration: registration, using: send).token()
        observed.withLock { $0[ObjectIdentifier(type)] = token }
    }

    func stopObserving() {
        let tokens = observed.withLock { observed in
            defer { observed = [:] }
            return observed.values
        }
        for token in tokens { token.cancel() }
    }

    private func own<N>(_ type: N.Type) -> NotificationToken? { observed.withLock { $0[ObjectIdentifier(type)] } }

    /// Whether a type has an observer other than the relay's own. True if the center can't count its observers.
    func isObserved<N: RemoteNotification>(_ type: N.Type) -> Bool {
        guard let native else { return true }
        // This check is first, because it takes no lock.
        guard native.mayBeObserved(N.self) || native.mayBeObserved(RelayedNotification<N>.self) else { return false }
        return native.observerCount(of: N.self) > (own(type) == nil ? 0 : 1)
            || native.observerCount(of: RelayedNotification<N>.self) > 0
    }

    /// Whether the relay is posting this notification because it arrived or was committed. Such a notification must not
    /// be sent.
    func isEcho<N: RemoteNotification>(_ notification: N, hasTable: Bool) -> Bool {
        (native == nil || hasTable) && Arrival.isEcho(notification, of: self)
    }

    func post<N: RemoteNotification>(
        _ notification: N, _ event: ArrivedEvent, received: () -> RelayedNotification<N>
    ) -> Int {
        RelayTraceContext.withArrived(event.trace) {
            let isObserved = native?.mayBeObserved(RelayedNotification<N>.self) ?? true
            return (isObserved ? base.post(received()) : 0) + postToOthers(notification)
        }
    }

    func postToOthers<N: RemoteNotification>(_ notification: N) -> Int {
        guard let own = own(N.self) else { return base.post(notification, from: place) }
        guard let native else { return Arrival.post(notification, at: self, in: base, from: place) }
        return native.post(notification, except: own.observation, from: place)
    }

    func postCommitted<N: RemoteNotification>(
        _ notification: any RemoteNotification, as type: N.Type, in center: any TypedNotificationCenter,
        from place: SourcePlace
    ) {
        // Another type, which the relay doesn't carry, may have the same name.
        guard let notification = notification as? N else { return _ = center.post(notification, from: place) }
        if let native, center as? NativeNotificationCenter === native, let own = own(N.self) {
            _ = native.post(notification, except: own.observation, from: place)
        } else {
            // This branch is also used before the relay observes the type, and for a center that forwards to `base`.
            _ = Arrival.post(notification, at: self, in: center, from: place)
        }
    }
}
