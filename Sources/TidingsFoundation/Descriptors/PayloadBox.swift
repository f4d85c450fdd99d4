import Foundation

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
        let found = notification.userInfo?[PayloadBoxKey.payload]
        if let box = found.flatMap({ castObject($0, to: PayloadBox<Payload>.self) }) { return box.payload }
        throw NotificationDecodingError(
            notification: notification.name.rawValue, keyPath: [PayloadBoxKey.payload], expected: "\(Payload.self)",
            found: found.map { "\(type(of: $0))" }, reason: found == nil ? .missing : .mistyped)
    }
}

private enum PayloadBoxKey {
    static let payload = "tidings.payload"
}
