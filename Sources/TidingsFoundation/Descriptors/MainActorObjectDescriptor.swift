public import Foundation

/// A set of main-actor notifications that have nothing to say but whom they are about: the payload is the notification's object.
///
/// Make one with an enum that has the names as raw values:
///
/// ```swift
/// enum PlayerNotification: String, MainActorObjectDescriptor {
///     typealias Payload = Player
///     case started = "PlayerStarted"
///     case stopped = "PlayerStopped"
/// }
///
/// center.addObserver(descriptor: PlayerNotification.started) { player in ... }.store(in: &tokens)
/// ```
///
/// A class can observe several of them at once, see ``NotificationSetObserver``.
public protocol MainActorObjectDescriptor: MainActorNotificationDescriptor, RawRepresentable where RawValue == String {}

extension MainActorObjectDescriptor {
    /// The raw value.
    public var name: Notification.Name { Notification.Name(rawValue) }

    /// Makes the notification with the payload as its object.
    @MainActor
    public func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        Notification(name: name, object: payload)
    }

    /// Reads the notification's object.
    @MainActor
    public func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        try UserInfoReader(notification).object(as: Payload.self)
    }
}
