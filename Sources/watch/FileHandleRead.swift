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
        let reader = UserInfoReader(notification)
        return Payload(
            bytes: [UInt8](try reader.value(for: NSFileHandleNotificationDataItem, as: Data.self)),
            error: try reader.value(for: "NSFileHandleError", as: Int32?.self))
    }
}
