/// A notification that has arrived and is being posted. Only a `NativeNotificationCenter` can post without calling the
/// relay's own observer. In other centers, this observer ignores the first notification with the same encoded bytes, so
/// that the notification isn't sent back. Later notifications with these bytes were posted by other observers, and are
/// sent.
final class Arrival: Sendable {
    private let relayed: ObjectIdentifier
    private let type: ObjectIdentifier
    private let body: [UInt8]?
    private let passed = Flag()

    @TaskLocal private static var current: Arrival?

    private init<N: RemoteNotification>(_ notification: N, at relayed: RelayedCenter) {
        self.relayed = ObjectIdentifier(relayed)
        type = ObjectIdentifier(N.self)
        body = (try? notification.encoded()).map { Array($0) }
    }

    static func isEcho<N: RemoteNotification>(_ notification: N, of relayed: RelayedCenter) -> Bool {
        guard let arrival = current, arrival.relayed == ObjectIdentifier(relayed),
            arrival.type == ObjectIdentifier(N.self),
            !arrival.passed.isSet, let body = try? notification.encoded(), Array(body) == arrival.body
        else { return false }
        return arrival.passed.set()
    }

    /// Returns the number of observers that were called, without the relay's own.
    static func post<N: RemoteNotification>(
        _ notification: N, at relayed: RelayedCenter, in center: any TypedNotificationCenter, from place: SourcePlace
    ) -> Int {
        let arrival = Arrival(notification, at: relayed)
        let count = $current.withValue(arrival) { center.post(notification, from: place) }
        return count - (arrival.passed.isSet ? 1 : 0)
    }
}
