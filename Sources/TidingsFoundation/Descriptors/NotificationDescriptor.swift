public import Foundation

/// The common requirements of descriptors: the name of a Foundation notification, and the type of its payload.
///
/// A descriptor is a value that converts between a typed payload and an untyped `Notification`. A `TypedNotification`
/// is identified by its type. A descriptor is identified by its value, so several names can share one payload type.
///
/// Adopt ``NotificationDescriptor`` for a notification that can be posted anywhere, or
/// ``MainActorNotificationDescriptor`` for a notification that a framework posts on the main thread.
public protocol NotificationDescribing: Sendable {
    /// The type of the values that observers receive.
    associatedtype Payload

    /// The actor on which the notification is posted, as set by the refining protocols. `Never` means any thread.
    associatedtype Isolation

    /// The name of the notification.
    var name: Notification.Name { get }
}

/// A conversion between a typed payload and a Foundation notification that can be posted anywhere.
///
/// For your own notification, a name is enough: the payload is then passed unchanged, within the process.
///
/// ```swift
/// struct DownloadFinished: NotificationDescriptor {
///     struct Payload { let file: URL; let bytes: Int }
///     let name = Notification.Name("DownloadFinished")
/// }
/// token = center.addObserver(descriptor: DownloadFinished()) { payload in print(payload.bytes) }
/// try center.post(DownloadFinished(), payload: .init(file: file, bytes: 1_024))
/// ```
///
/// For a notification that other code posts, or that untyped observers receive, implement ``decode(_:)`` and, if you
/// post it as well, ``encode(_:)``. ``PayloadDescriptor`` is a descriptor made from closures.
public protocol NotificationDescriptor: NotificationDescribing where Isolation == Never {
    /// The type of the values that observers receive.
    associatedtype Payload

    /// Creates the notification that carries a payload.
    ///
    /// By default, the payload is put into `userInfo` unchanged. Only the default ``decode(_:)`` finds it there.
    ///
    /// - Parameter payload: The payload.
    /// - Returns: The notification, with the descriptor's name.
    /// - Throws: An error that explains why there is no notification for the payload.
    func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification

    /// Extracts the payload that a notification carries.
    ///
    /// - Parameter notification: A notification with the descriptor's name, posted by any code. Values may be missing
    ///   or unexpected.
    /// - Returns: The payload.
    /// - Throws: An error that names the value that is missing or wrong.
    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload
}

extension NotificationDescriptor {
    /// Puts the payload into the notification unchanged. Only the default ``decode(_:)`` finds it there.
    public func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        PayloadBox(payload).notification(name)
    }

    /// Extracts a payload that the default ``encode(_:)`` has put into a notification.
    public func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        try PayloadBox.payload(of: notification)
    }
}

/// A conversion between a typed payload and a Foundation notification that is posted on the main thread.
///
/// Use it for notifications that a framework documents as posted on the main thread, such as those of the keyboard.
/// Observers are main-actor closures, called in the post. Payloads don't have to be `Sendable`.
///
/// If such a notification is posted elsewhere, it is delivered on the main actor afterwards, in order, and reported;
/// see ``NotificationReport``. The defaults are those of ``NotificationDescriptor``. A type can't conform to both.
public protocol MainActorNotificationDescriptor: NotificationDescribing where Isolation == MainActor {
    /// The type of the values that observers receive.
    associatedtype Payload

    /// Creates the notification that carries a payload.
    ///
    /// By default, the payload is put into `userInfo` unchanged. Only the default ``decode(_:)`` finds it there.
    ///
    /// - Parameter payload: The payload.
    /// - Returns: The notification, with the descriptor's name.
    /// - Throws: An error that explains why there is no notification for the payload.
    @MainActor
    func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification

    /// Extracts the payload that a notification carries.
    ///
    /// - Parameter notification: A notification with the descriptor's name, posted by any code. Values may be missing
    ///   or unexpected.
    /// - Returns: The payload.
    /// - Throws: An error that names the value that is missing or wrong.
    @MainActor
    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload
}

extension MainActorNotificationDescriptor {
    /// Puts the payload into the notification unchanged. Only the default ``decode(_:)`` finds it there.
    @MainActor
    public func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        PayloadBox(payload).notification(name)
    }

    /// Extracts a payload that the default ``encode(_:)`` has put into a notification.
    @MainActor
    public func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        try PayloadBox.payload(of: notification)
    }
}

/// Holds a payload in an object, so that Foundation doesn't bridge the payload to another type.
final class PayloadBox<Payload> {
    private let payload: Payload

    init(_ payload: Payload) { self.payload = payload }

    func notification(_ name: Notification.Name) -> Notification {
        Notification(name: name, object: nil, userInfo: [payloadKey: self])
    }

    static func payload(of notification: Notification) throws(NotificationDecodingError) -> Payload {
        if let box = notification.userInfo?.object(of: PayloadBox.self, under: payloadKey) {
            return box.payload
        }
        let found = notification.userInfo?[payloadKey]
        throw NotificationDecodingError(
            notification: notification.name.rawValue, keyPath: [payloadKey], expected: "\(Payload.self)",
            found: found.map { "\(type(of: $0))" }, reason: found == nil ? .missing : .mistyped)
    }
}

private let payloadKey = "tidings.payload"
