public import Foundation

/// A descriptor made from a name and a conversion.
///
/// ```swift
/// extension NotificationDescribing where Self == PayloadDescriptor<Bool> {
///     static var bundleDidLoad: Self { PayloadDescriptor(name: Bundle.didLoadNotification) { $0.object is Bundle } }
/// }
/// token = center.addObserver(descriptor: .bundleDidLoad) { isBundle in ... }
/// ```
public struct PayloadDescriptor<Payload>: NotificationDescriptor {
    /// Extracts a payload from a notification.
    public typealias Decode = @Sendable (Notification) throws(NotificationDecodingError) -> Payload

    /// Creates a notification from a payload.
    public typealias Encode = @Sendable (Payload) throws(NotificationEncodingError) -> Notification

    /// The name of the notification.
    public let name: Notification.Name

    private let coding: Coding?

    private struct Coding: Sendable {
        let decode: Decode
        let encode: Encode
    }

    /// Creates a descriptor that passes the payload of your own notification unchanged, within the process.
    ///
    /// - Parameter name: The name of the notification.
    public init(name: Notification.Name) {
        self.name = name
        coding = nil
    }

    /// Creates a descriptor of a notification that is only observed. Posting it throws.
    ///
    /// - Parameters:
    ///   - name: The name of the notification.
    ///   - decode: Extracts the payload.
    public init(name: Notification.Name, decode: @escaping Decode) {
        self.init(name: name, decode: decode) { _ throws(NotificationEncodingError) in
            throw NotificationEncodingError(notification: name, reason: "its descriptor only decodes")
        }
    }

    /// Creates a descriptor of a notification that is observed and posted.
    ///
    /// - Parameters:
    ///   - name: The name of the notification.
    ///   - decode: Extracts the payload.
    ///   - encode: Creates the notification.
    public init(name: Notification.Name, decode: @escaping Decode, encode: @escaping Encode) {
        self.name = name
        coding = Coding(decode: decode, encode: encode)
    }

    /// Creates the notification that carries a payload.
    public func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        try coding?.encode(payload) ?? PayloadBox(payload).notification(name)
    }

    /// Extracts the payload that a notification carries.
    public func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        if let coding { return try coding.decode(notification) }
        return try PayloadBox.payload(of: notification)
    }
}

/// Main-actor notifications whose payload is their object. Declare them as an enum whose raw values are the names:
///
/// ```swift
/// enum PlayerNotification: String, MainActorObjectDescriptor {
///     typealias Payload = Player
///     case started = "PlayerStarted"
///     case stopped = "PlayerStopped"
/// }
///
/// center.addObserver(descriptor: PlayerNotification.started) { player in ... }.store(in: &tokens)
/// ```
///
/// A class can observe several notifications of a set at once; see ``NotificationSetObserver``.
public protocol MainActorObjectDescriptor: MainActorNotificationDescriptor, RawRepresentable where RawValue == String {}

extension MainActorObjectDescriptor {
    /// The raw value.
    public var name: Notification.Name { Notification.Name(rawValue) }

    /// Creates the notification with the payload as its object.
    @MainActor
    public func encode(_ payload: Payload) throws(NotificationEncodingError) -> Notification {
        Notification(name: name, object: payload)
    }

    /// Reads the notification's object.
    @MainActor
    public func decode(_ notification: Notification) throws(NotificationDecodingError) -> Payload {
        try UserInfoReader(notification).object(as: Payload.self)
    }
}
