import Tidings
import TidingsWire

/// The center of a relay, which the relay observes, and in which it posts what arrives to everybody else.
final class RelayedCenter: Sendable {
    let base: any TypedNotificationCenter
    /// The center, if it can leave an observer out of a post.
    private let native: NativeNotificationCenter?
    /// The relay's own observations, by the type that they observe.
    private let observed = Lock([ObjectIdentifier: NotificationToken]())

    init(_ center: any TypedNotificationCenter) {
        base = center
        native = center as? NativeNotificationCenter
    }

    /// The places of the relay's own observations and holds.
    var place: SourcePlace { SourcePlace() }

    /// Observes a type. What was posted before the relay was made has been carried already, or never.
    func observe<N: RemoteNotification>(_ type: N.Type, _ send: @escaping @Sendable (N) -> Void) {
        let registration = ObserverRegistration(fileID: #fileID, line: #line).withoutReplay
        let token = base.observe(type, sender: .everyone, registration: registration, using: send).token()
        observed.withLock { $0[ObjectIdentifier(type)] = token }
    }

    /// Ends the relay's own observations.
    func stopObserving() {
        let tokens = observed.withLock { observed in
            defer { observed = [:] }
            return observed.values
        }
        for token in tokens { token.cancel() }
    }

    private func own<N>(_ type: N.Type) -> NotificationToken? { observed.withLock { $0[ObjectIdentifier(type)] } }

    /// Whether anybody but the relay observes a type, or its notifications with their origin.
    ///
    /// Only the native center knows all its observers. Of another one it is taken that somebody does.
    func isObserved<N: RemoteNotification>(_ type: N.Type) -> Bool {
        guard let native else { return true }
        // Looked at first, as this takes no lock.
        guard native.mayBeObserved(N.self) || native.mayBeObserved(RelayedNotification<N>.self) else { return false }
        return native.observerCount(of: N.self) > (own(type) == nil ? 0 : 1)
            || native.observerCount(of: RelayedNotification<N>.self) > 0
    }

    /// Whether a notification with which the relay's own observer is called is the one that has just arrived, or was just committed.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - hasTable: Whether some come from a table, which other centers than this one may post.
    /// - Returns: Whether it is.
    func isEcho<N: RemoteNotification>(_ notification: N, hasTable: Bool) -> Bool {
        (native == nil || hasTable) && Arrival.isEcho(notification, of: self)
    }

    /// Posts what arrived, first with its origin, which is made only if anybody may observe it.
    func post<N: RemoteNotification>(
        _ notification: N, _ event: ArrivedEvent, received: () -> RelayedNotification<N>
    ) -> Int {
        RelayTraceContext.withArrived(event.trace) {
            let isObserved = native?.mayBeObserved(RelayedNotification<N>.self) ?? true
            return (isObserved ? base.post(received()) : 0) + postToOthers(notification)
        }
    }

    /// Posts a notification to all observers but the relay's own.
    ///
    /// - Returns: How many observers were called.
    func postToOthers<N: RemoteNotification>(_ notification: N) -> Int {
        guard let own = own(N.self) else { return base.post(notification, from: place) }
        guard let native else { return Arrival.post(notification, at: self, in: base, from: place) }
        return native.post(notification, except: own.observation, from: place)
    }

    /// Posts what was committed to all observers but the relay's own.
    func postCommitted<N: RemoteNotification>(
        _ notification: N, in center: any TypedNotificationCenter, from place: SourcePlace
    ) {
        if let native, center as? NativeNotificationCenter === native, let own = own(N.self) {
            _ = native.post(notification, except: own.observation, from: place)
        } else {
            // Also where the relay only now begins to observe, or where this center passes on what is posted to that of the relay.
            _ = Arrival.post(notification, at: self, in: center, from: place)
        }
    }
}
