public import Foundation

/// A typed notification that is an untyped one too: made from a Foundation notification, and turned into one.
///
/// On Foundation's center, a typed post of it reaches classic observers with a real `userInfo`, and a classic post under its
/// name, from a framework or from Objective-C, reaches typed observers, with every delivery there is.
///
/// For a `Codable` type, coding keys are all it takes; see ``UserInfoDecoder`` for what they read.
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
/// The object of the Foundation notification is the sender: ``NotificationSender`` reads it in a `Codable` type, and
/// ``UserInfoValue`` what is not `Codable` itself.
///
/// Classic observers find each property as it is; ``UserInfoForm`` has other forms. Keys that are not strings take one line each,
/// see ``UserInfoCodingKey``.
///
/// Declare the `name`, unless it is a name of your own that is made from the type.
public protocol BridgedNotification: TypedNotification {
    /// Makes the typed notification from a Foundation notification.
    ///
    /// - Parameter notification: A notification with the type's name. Any code may have posted it: anything may be in it or
    ///   missing.
    /// - Throws: An error that says what is missing or wrong, and where.
    init(bridging notification: Notification) throws(NotificationDecodingError)

    /// Makes the Foundation notification, with the type's name and the sender as the object.
    ///
    /// - Returns: The notification.
    /// - Throws: An error that says why there is none.
    func bridged() throws(NotificationEncodingError) -> Notification

    /// The form in which the default ``bridged()`` writes the properties of an `Encodable` type into `userInfo`: by default, as
    /// they are.
    static var userInfoForm: UserInfoForm { get }
}

extension BridgedNotification {
    /// Each property as it is, as a poster by hand would have put it there.
    public static var userInfoForm: UserInfoForm { .values }
}

extension BridgedNotification where Self: Decodable {
    /// Decodes the notification's `userInfo`, and its object where there is a ``NotificationSender``.
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
    /// Makes the Foundation notification of a typed one.
    init(
        encoding value: some Encodable, named name: String, from sender: some Any, form: UserInfoForm
    ) throws(NotificationEncodingError) {
        let name = Notification.Name(name)
        let userInfo = try UserInfoEncoder(form: form).encode(value, notification: name)
        self.init(name: name, object: foundationObject(of: sender), userInfo: userInfo.isEmpty ? nil : userInfo)
    }
}
