import Tidings

/// A notification that was posted.
///
/// Nobody can tell at run time whether it is `Sendable`. So it is handed out as a type that the compiler knows to be, or on the
/// main actor, from where it came; and it is described in its post, or while it waits for an asynchronous observer, which only
/// takes what is `Sendable`. Any other is only released.
struct KeptNotification: @unchecked Sendable {
    /// As what it was posted, which for an object may be a superclass of its own.
    let type: any NotificationContent.Type

    private let notification: any NotificationContent

    init<N: TypedNotification>(_ notification: N) {
        let wrapper = notification as? any MainActorWrapper
        self.notification = wrapper?.content ?? notification
        type = wrapper.map { Swift.type(of: $0).contentType } ?? N.self
    }

    /// What it looks like now.
    var text: String { String(describing: notification) }

    func value<N: NotificationContent & Sendable>(as type: N.Type) -> N? {
        self.type == type ? notification as? N : nil
    }

    @MainActor
    func value<N: MainActorNotification>(onMainActor type: N.Type) -> N? {
        self.type == type ? notification as? N : nil
    }
}
