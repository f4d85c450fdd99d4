public import Foundation

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
/// For a notification of somebody else's, or one that classic observers read, implement ``decode(_:)``, and ``encode(_:)``
/// with it if it is posted too. ``PayloadDescriptor`` is one ready made from closures.
public protocol NotificationDescriptor: NotificationDescribing where Isolation == AnyIsolation {
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
    /// - Parameter notification: A notification with the descriptor's name, from whomever: anything may be in it or missing.
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
