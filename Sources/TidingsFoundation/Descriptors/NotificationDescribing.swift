public import Foundation

/// What every descriptor has: the name of a Foundation notification, and the type of the payload it stands for.
///
/// A descriptor is a value that translates between a typed payload and an untyped `Notification`, both ways. Where a
/// `TypedNotification` is named by its type, a descriptor is named by its value: several names can share one payload.
///
/// Adopt one of the two protocols that refine it: ``NotificationDescriptor`` for a notification that may be posted
/// anywhere, ``MainActorNotificationDescriptor`` for one that a framework posts on the main thread. A type cannot adopt both.
public protocol NotificationDescribing: Sendable {
    /// What observers receive.
    associatedtype Payload

    /// Where the notification may be posted. The two refining protocols decide it.
    associatedtype Isolation

    /// The name of the notification.
    var name: Notification.Name { get }
}
