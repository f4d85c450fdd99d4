import Tidings

/// A notification, and what it looks like once somebody asks.
struct Described: @unchecked Sendable {  // only described, by what is waiting for a `Sendable` notification
    private let notification: any NotificationContent

    init<N: TypedNotification>(_ notification: N) {
        self.notification = (notification as? any MainActorWrapper)?.content ?? notification
    }

    var text: String { String(describing: notification) }
}
