public import Foundation

/// A typed notification that can be converted from and to an untyped Foundation notification.
///
/// On Foundation's center, untyped observers receive a typed post as a `Notification` with a `userInfo`. Typed
/// observers with any kind of delivery receive untyped posts under the type's name, for example from frameworks.
///
/// A `Codable` type only needs coding keys. ``UserInfoDecoder`` describes how values are read.
///
/// ```swift
/// struct VolumeChanged: BridgedNotification, Codable {
///     static let name = "AVSystemController_SystemVolumeDidChangeNotification"
///     var volume: Float
///     enum CodingKeys: String, CodingKey { case volume = "AVSystemController_AudioVolumeNotificationParameter" }
/// }
///
/// NotificationCenter.default.addObserver(for: VolumeChanged.self) { note in print(note.volume) }.store(in: &tokens)
/// ```
///
/// The object of the Foundation notification is the sender. In a `Codable` type, ``NotificationSender`` reads the
/// sender, and ``UserInfoValue`` reads values that aren't `Codable`. Untyped observers receive each property unchanged;
/// ``UserInfoForm`` provides other forms. For keys that aren't strings, see ``UserInfoCodingKey``.
///
/// Declare `name`, as a string or as a `Notification.Name`. Without a declaration, the name is derived from the type.
public protocol BridgedNotification: TypedNotification {
    /// Creates the typed notification from a Foundation notification.
    ///
    /// - Parameter notification: A notification with the type's name, from any code. Values may be missing or wrong.
    /// - Throws: An error that names the value that is missing or wrong.
    init(bridging notification: Notification) throws(NotificationDecodingError)

    /// Creates the Foundation notification, with the type's name, and the sender as its object.
    ///
    /// - Returns: The notification.
    /// - Throws: An error that explains why the notification can't be created.
    func bridged() throws(NotificationEncodingError) -> Notification

    /// How the default ``bridged()`` writes an `Encodable` type's properties into `userInfo`. By default, unchanged.
    static var userInfoForm: UserInfoForm { get }
}

extension BridgedNotification {
    /// Each property is written unchanged.
    public static var userInfoForm: UserInfoForm { .values }
}

extension BridgedNotification where Self: Decodable {
    /// Decodes the notification's `userInfo`, and its object if the type has a ``NotificationSender``.
    public init(bridging notification: Notification) throws(NotificationDecodingError) {
        self = try UserInfoDecoder().decode(from: notification)
    }
}

extension BridgedNotification where Self: Encodable {
    /// Encodes the typed notification as `userInfo`, with the sender as the object.
    public func bridged() throws(NotificationEncodingError) -> Notification {
        try Notification(encoding: self, named: Self.name, from: sender, form: Self.userInfoForm)
    }
}

extension Notification {
    init(
        encoding value: some Encodable, named name: String, from sender: some Any, form: UserInfoForm
    ) throws(NotificationEncodingError) {
        let name = Notification.Name(name)
        let userInfo = try UserInfoEncoder(form: form).encode(value, notification: name)
        self.init(name: name, object: foundationObject(of: sender), userInfo: userInfo.isEmpty ? nil : userInfo)
    }
}
