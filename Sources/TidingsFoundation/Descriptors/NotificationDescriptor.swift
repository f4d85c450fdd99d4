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

/// A translation between a typed payload and a Foundation notification that may be posted anywhere.
///
/// For a notification of your own, a name is enough: the payload then travels as it is, within the process.
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
/// For a notification that other code posts, or one that classic observers read, implement ``decode(_:)``, and ``encode(_:)``
/// with it if it is posted too. ``PayloadDescriptor`` is one ready made from closures.
public protocol NotificationDescriptor: NotificationDescribing where Isolation == Never {
    /// What observers receive.
    associatedtype Payload

    /// Makes the notification that carries a payload.
    ///
    /// The default puts the payload into `userInfo` as it is, where only the default ``decode(_:)`` finds it.
    ///
    /// - Parameter payload: The payload.
    /// - Returns: The notification, with the descriptor's name.
    /// - Throws: An error that says why there is no notification for the payload.
    func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification

    /// Makes the payload that a notification carries.
    ///
    /// - Parameter notification: A notification with the descriptor's name. Any code may have posted it: anything may be in it or
    ///   missing.
    /// - Returns: The payload.
    /// - Throws: An error that says what is missing or wrong, and where.
    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload
}

extension NotificationDescriptor {
    /// Puts the payload into the notification as it is; only the default ``decode(_:)`` finds it there.
    public func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        PayloadBox(payload).notification(name)
    }

    /// Takes a payload out of a notification as the default ``encode(_:)`` put it in.
    public func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        try PayloadBox.payload(of: notification)
    }
}

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
    /// - Parameter notification: A notification with the descriptor's name. Any code may have posted it: anything may be in it or
    ///   missing.
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

/// A payload inside a notification, as it is: what the default coding of descriptors writes and reads.
///
/// It is boxed so that nothing bridges it to another type on its way.
final class PayloadBox<Payload> {
    private let payload: Payload

    init(_ payload: Payload) { self.payload = payload }

    func notification(_ name: Notification.Name) -> Notification {
        Notification(name: name, object: nil, userInfo: [PayloadBoxKey.payload: self])
    }

    static func payload(of notification: Notification) throws(NotificationDecodingError) -> Payload {
        if let box = notification.userInfo?.object(of: PayloadBox.self, under: PayloadBoxKey.payload) {
            return box.payload
        }
        let found = notification.userInfo?[PayloadBoxKey.payload]
        throw NotificationDecodingError(
            notification: notification.name.rawValue, keyPath: [PayloadBoxKey.payload], expected: "\(Payload.self)",
            found: found.map { "\(type(of: $0))" }, reason: found == nil ? .missing : .mistyped)
    }
}

private enum PayloadBoxKey {
    static let payload = "tidings.payload"
}
