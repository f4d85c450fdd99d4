import Tidings

/// A notification that was posted.
///
/// Nobody can tell at run time whether it is `Sendable`. So what is done with it here is to hand it out as a type that the
/// compiler knows to be `Sendable`, or on the main actor, from where it came; any other is only released.
struct KeptNotification: @unchecked Sendable {
    private let notification: any NotificationContent

    init(_ notification: any NotificationContent) { self.notification = notification }

    func value<N: NotificationContent & Sendable>(as type: N.Type) -> N? {
        Swift.type(of: notification) == type ? notification as? N : nil
    }

    @MainActor
    func value<N: MainActorNotification>(onMainActor type: N.Type) -> N? {
        Swift.type(of: notification) == type ? notification as? N : nil
    }
}
