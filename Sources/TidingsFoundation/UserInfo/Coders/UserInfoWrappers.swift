/// Reads a value that is not `Codable` from a `userInfo`, as it is there, and writes it there as it is.
///
/// It is for objects and collections of objects, and for enums with a raw value that only lack the conformance: these are read
/// from the raw value too, and written as it in the forms ``UserInfoForm/objects`` and ``UserInfoForm/propertyList``.
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
/// With an optional type, the key may be missing.
@propertyWrapper
public struct UserInfoValue<Value> {
    /// The value.
    public var wrappedValue: Value

    /// Wraps a value.
    ///
    /// - Parameter wrappedValue: The value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension UserInfoValue: Sendable where Value: Sendable {}
extension UserInfoValue: Equatable where Value: Equatable {}
extension UserInfoValue: Hashable where Value: Hashable {}

extension UserInfoValue: Decodable {
    /// Reads the value from a ``UserInfoDecoder``.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: An error if there is no value of the type.
    public init(from decoder: any Decoder) throws {
        self.init(wrappedValue: try decoder.node().itself(as: Value.self))
    }
}

extension UserInfoValue: Encodable {
    /// Puts the value into a ``UserInfoEncoder``.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: An error if the encoder is another one, which can do nothing with the value.
    public func encode(to encoder: any Encoder) throws {
        guard let node = encoder as? EncodingNode else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "is only encoded by UserInfoEncoder")
            throw EncodingError.invalidValue(wrappedValue, context)
        }
        try node.put(any: unwrapped(wrappedValue))
    }
}

extension UserInfoValue: UserInfoWrapper {
    static var canBeMissing: Bool { Value.self is any OptionalValue.Type }
    var isWritten: Bool { !isNil(wrappedValue) }
}

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

/// Reads the event of a ``NotificationFamily`` from the name of the Foundation notification, and writes it there.
///
/// Nothing is put into `userInfo`. Other coders, such as those of JSON, read and write the name as the value under the coding key.
@propertyWrapper
public struct FamilyEvent<Event: RawRepresentable> where Event.RawValue == String {
    /// The event.
    public var wrappedValue: Event

    /// Wraps an event.
    ///
    /// - Parameter wrappedValue: The event.
    public init(wrappedValue: Event) { self.wrappedValue = wrappedValue }
}

extension FamilyEvent: Sendable where Event: Sendable {}
extension FamilyEvent: Equatable where Event: Equatable {}
extension FamilyEvent: Hashable where Event: Hashable {}

extension FamilyEvent: Decodable {
    /// Reads the name of the notification that is decoded, with ``UserInfoDecoder``; the value itself with another decoder.
    ///
    /// - Parameter decoder: The decoder.
    /// - Throws: An error if no event has the name.
    public init(from decoder: any Decoder) throws {
        let name: String
        if let node = decoder as? DecodingNode {
            name = node.session.notification
        } else {
            name = try decoder.singleValueContainer().decode(String.self)
        }
        guard let event = Event(rawValue: name) else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: "no event has the name \(name)")
            throw DecodingError.dataCorrupted(context)
        }
        self.init(wrappedValue: event)
    }
}

extension FamilyEvent: Encodable {
    /// Encodes nothing with ``UserInfoEncoder``, as the event is the name of the notification; otherwise the name.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: An error if the encoder throws one.
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
    /// The place where a ``UserInfoDecoder`` stands; an error if the decoder is another one.
    fileprivate func node() throws -> DecodingNode {
        if let node = self as? DecodingNode { return node }
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: "it is only decoded by UserInfoDecoder")
        throw DecodingError.dataCorrupted(context)
    }
}
