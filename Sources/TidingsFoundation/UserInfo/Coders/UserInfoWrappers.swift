/// A wrapper for a property that isn't `Codable`. Its value is read from and written to `userInfo` unchanged.
///
/// Use the wrapper for objects and collections of objects, and for enums with a raw value that aren't `Codable`. The
/// forms ``UserInfoForm/objects`` and ``UserInfoForm/propertyList`` write the raw values of such enums. Such an enum is
/// also read from its raw value.
///
/// ```swift
/// struct RouteChanged: BridgedNotification, Codable {
///     static var name: String { AVAudioSession.routeChangeNotification.rawValue }
///     static let userInfoForm = UserInfoForm.objects
///     @UserInfoValue var reason: AVAudioSession.RouteChangeReason
///     @UserInfoValue var previousRoute: AVAudioSessionRouteDescription?
///     enum CodingKeys: String, CodingKey {
///         case reason = "AVAudioSessionRouteChangeReasonKey"
///         case previousRoute = "AVAudioSessionRouteChangePreviousRouteKey"
///     }
/// }
/// ```
///
/// If the type is optional, the key may be missing.
@propertyWrapper
public struct UserInfoValue<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension UserInfoValue: Sendable where Value: Sendable {}
extension UserInfoValue: Equatable where Value: Equatable {}
extension UserInfoValue: Hashable where Value: Hashable {}

extension UserInfoValue: Decodable {
    /// Reads the value from a ``UserInfoDecoder``. Throws an error if there is no value of the type.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.node().itself(as: Value.self))
    }
}

extension UserInfoValue: Encodable {
    /// Writes the value to a ``UserInfoEncoder``. Throws an error if the encoder has another type.
    public func encode(to encoder: any Encoder) throws {
        guard let node = encoder as? EncodingNode else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "can only be encoded by UserInfoEncoder")
            throw EncodingError.invalidValue(wrappedValue, context)
        }
        try node.put(any: unwrapped(wrappedValue))
    }
}

extension UserInfoValue: UserInfoWrapper {
    static var canBeMissing: Bool { Value.self is any OptionalValue.Type }
    var isWritten: Bool { !isNil(wrappedValue) }
}

/// A wrapper for the sender of a `Codable` notification, read from and written to the Foundation notification's object.
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
/// The sender's type doesn't have to be `Codable`. If the type is optional, there may be no object. Nothing is written
/// to `userInfo`, so the coding key doesn't matter.
@propertyWrapper
public struct NotificationSender<Sender> {
    /// The sender.
    public var wrappedValue: Sender

    /// Wraps a sender.
    public init(wrappedValue: Sender) { self.wrappedValue = wrappedValue }
}

extension NotificationSender: Sendable where Sender: Sendable {}
extension NotificationSender: Equatable where Sender: Equatable {}
extension NotificationSender: Hashable where Sender: Hashable {}

extension NotificationSender: Decodable {
    /// Reads the object of the notification that a ``UserInfoDecoder`` is decoding. Throws an error if there is no
    /// object, or the object doesn't have the type.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.node().object(as: Sender.self))
    }
}

extension NotificationSender: Encodable {
    /// Encodes nothing: the sender is the object of the notification.
    public func encode(to encoder: any Encoder) {}
}

extension NotificationSender: UserInfoWrapper {
    static var canBeMissing: Bool { true }
    var isWritten: Bool { false }
}

/// A wrapper for the event of a ``NotificationFamily``. The event's raw value is the notification's name.
///
/// Nothing is written to `userInfo`. Other coders, such as JSON's, use the name as the value under the coding key.
@propertyWrapper
public struct FamilyEvent<Event: RawRepresentable> where Event.RawValue == String {
    /// The event.
    public var wrappedValue: Event

    /// Wraps an event.
    public init(wrappedValue: Event) { self.wrappedValue = wrappedValue }
}

extension FamilyEvent: Sendable where Event: Sendable {}
extension FamilyEvent: Equatable where Event: Equatable {}
extension FamilyEvent: Hashable where Event: Hashable {}

extension FamilyEvent: Decodable {
    /// Reads the name of the notification that a ``UserInfoDecoder`` is decoding; with another decoder, reads the name
    /// from the value. Throws an error if no event has the name.
    public init(from decoder: any Decoder) throws {
        let notification = (decoder as? DecodingNode)?.session.notification
        let name = try notification ?? decoder.singleValueContainer().decode(String.self)
        guard let event = Event(rawValue: name) else { throw decoder.corrupted("no event has the name \(name)") }
        self.init(wrappedValue: event)
    }
}

extension FamilyEvent: Encodable {
    /// Encodes nothing with a ``UserInfoEncoder``, because the event is the name of the notification; with another
    /// encoder, encodes the name.
    public func encode(to encoder: any Encoder) throws {
        if encoder is EncodingNode { return }
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.rawValue)
    }
}

extension FamilyEvent: UserInfoWrapper {
    static var canBeMissing: Bool { true }
    var isWritten: Bool { false }
}

extension Decoder {
    fileprivate func node() throws -> DecodingNode {
        guard let node = self as? DecodingNode else { throw corrupted("can only be decoded by UserInfoDecoder") }
        return node
    }

    fileprivate func corrupted(_ reason: String) -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: reason))
    }
}
