/// Reads the sender of a `Codable` notification from the object of the Foundation notification, and writes it there.
///
/// ```swift
/// struct ReadCompleted: BridgedNotification, Codable {
///     static var name: String { FileHandle.readCompletionNotification.rawValue }
///     @NotificationSender var sender: FileHandle
///     var data: Data
///     enum CodingKeys: String, CodingKey { case sender, data = "NSFileHandleNotificationDataItem" }
/// }
/// ```
///
/// The type need not be `Codable`. With an optional type, there may be no object. The coding key is of no importance: nothing
/// is put into `userInfo`.
@propertyWrapper
public struct NotificationSender<Sender> {
    /// The sender.
    public var wrappedValue: Sender

    /// Wraps a sender.
    ///
    /// - Parameter wrappedValue: The sender.
    public init(wrappedValue: Sender) { self.wrappedValue = wrappedValue }
}

extension NotificationSender: Sendable where Sender: Sendable {}
extension NotificationSender: Equatable where Sender: Equatable {}
extension NotificationSender: Hashable where Sender: Hashable {}

extension NotificationSender: Decodable {
    /// Reads the object of the notification that is decoded, with ``UserInfoDecoder``.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: An error if there is no object, or none of the type.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.node().object(as: Sender.self))
    }
}

extension NotificationSender: Encodable {
    /// Encodes nothing: the sender is the object of the notification.
    ///
    /// - Parameter encoder: The encoder.
    public func encode(to encoder: any Encoder) {}
}

extension NotificationSender: UserInfoWrapper {
    static var canBeMissing: Bool { true }
    var isWritten: Bool { false }
}
