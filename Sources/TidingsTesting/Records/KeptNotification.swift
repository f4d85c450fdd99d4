import Tidings

/// A notification that was posted.
///
/// Its type need not be `Sendable`, and whether it is cannot be asked at run time. What makes this type `Sendable` all the same:
/// the notification is handed out only as a type of which the compiler knows it, or on the main actor, from where it came. It
/// is described only in its post, or while it waits for an asynchronous observer, whose notifications are `Sendable`. Any other
/// notification is only released.
struct KeptNotification: @unchecked Sendable {
    /// The type as which it was posted, which for an object may be a superclass of its own.
    let type: any NotificationContent.Type

    private let notification: any NotificationContent

    init<N: TypedNotification>(_ notification: N) {
        let wrapper = notification as? any MainActorWrapper
        self.notification = wrapper?.content ?? notification
        type = wrapper.map { Swift.type(of: $0).contentType } ?? N.self
    }

    /// The notification as text, as it is now.
    var text: String { String(describing: notification) }

    func value<N: NotificationContent & Sendable>(as type: N.Type) -> N? {
        self.type == type ? notification as? N : nil
    }

    @MainActor
    func value<N: MainActorNotification>(onMainActor type: N.Type) -> N? {
        self.type == type ? notification as? N : nil
    }
}

/// The wrapper in which a main-actor notification travels.
protocol MainActorWrapper {
    static var contentType: any NotificationContent.Type { get }
    var content: any NotificationContent { get }
}

extension OnMainActor: MainActorWrapper {
    static var contentType: any NotificationContent.Type { N.self }
    var content: any NotificationContent { notification }
}
