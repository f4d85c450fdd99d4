public import Foundation

/// A translation between a typed payload and a Foundation notification that is posted on the main thread.
///
/// It is for what a framework documents as posted there: the keyboard, an application's life cycle. Observers are main-actor
/// closures, called in the post, before it returns. Payloads need not be `Sendable`.
///
/// One that is posted off the main actor all the same is delivered on the main actor afterwards, in the order posted, and
/// reported, see ``NotificationReport``.
///
/// It is a sibling of ``NotificationDescriptor``, not a kind of it, and a type cannot be both; the same defaults hold.
public protocol MainActorNotificationDescriptor: NotificationDescribing where Isolation == MainActor {
    /// What observers receive.
    associatedtype Payload

    /// Makes the notification that carries a payload.
    ///
    /// The default puts the payload into `userInfo` as it is, where only the default ``decode(_:)`` finds it.
    ///
    /// - Parameter payload: The payload.
    /// - Returns: The notification, with the descriptor's name.
    /// - Throws: An error that says why there is no notification for the payload.
    @MainActor
    func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification

    /// Makes the payload that a notification carries.
    ///
    /// - Parameter notification: A notification with the descriptor's name, from whomever: anything may be in it or missing.
    /// - Returns: The payload.
    /// - Throws: An error that says what is missing or wrong, and where.
    @MainActor
    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload
}

extension MainActorNotificationDescriptor {
    /// Puts the payload into the notification as it is; only the default ``decode(_:)`` finds it there.
    @MainActor
    public func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        PayloadBox(payload).notification(name)
    }

    /// Takes a payload out of a notification as the default ``encode(_:)`` put it in.
    @MainActor
    public func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        try PayloadBox.payload(of: notification)
    }
}
