import Foundation
import TidingsFoundation

/// What Foundation posts, on the main thread, when it has read from a file handle in the background.
struct FileHandleRead: MainActorNotificationDescriptor {
    /// What was read.
    struct Payload: Sendable {
        /// The bytes; none at the end of the file.
        let bytes: [UInt8]

        /// The number of the error, if there was one.
        let error: Int32?
    }

    let name = FileHandle.readCompletionNotification

    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        let found = notification.userInfo?[NSFileHandleNotificationDataItem]
        guard let data = found as? Data else {
            throw NotificationDecodingError(
                notification: name.rawValue, keyPath: [NSFileHandleNotificationDataItem], expected: "Data",
                found: found.map { "\(type(of: $0))" }, reason: found == nil ? .missing : .mistyped)
        }
        let error = notification.userInfo?["NSFileHandleError"] as? Int
        return Payload(bytes: [UInt8](data), error: error.map(Int32.init))
    }
}
