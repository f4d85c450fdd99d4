public import Foundation

/// Reads typed values out of an untyped notification, one by one, also objects that are not `Codable`.
///
/// ```swift
/// let reader = UserInfoReader(notification)
/// let session = try reader.object(as: AVAudioSession.self)
/// let reason = try reader.value(for: AVAudioSessionRouteChangeReasonKey, as: AVAudioSession.RouteChangeReason.self)
/// let previous = try reader.value(for: AVAudioSessionRouteChangePreviousRouteKey, as: AVAudioSessionRouteDescription?.self)
/// ```
///
/// A `Decodable` type is read as ``UserInfoDecoder`` reads it, an enum or a struct with a raw value from that value, and
/// everything else as it is: objects, collections of objects, and Swift values that were put in.
public struct UserInfoReader {
    private let notification: Notification
    private let limits: UserInfoDecoder

    /// Reads a notification. No `userInfo` at all is read as an empty one.
    ///
    /// - Parameter notification: The notification.
    public init(_ notification: Notification) { self.init(notification, limits: UserInfoDecoder()) }

    /// Reads a notification with the limits of a decoder.
    package init(_ notification: Notification, limits: UserInfoDecoder) {
        self.notification = notification
        self.limits = limits
    }

    /// Reads the value under a key of `userInfo`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type wanted.
    /// - Returns: The value.
    /// - Throws: An error if there is none under the key, or none of the type.
    public func value<T>(for key: AnyHashable, as type: T.Type) throws(NotificationDecodingError) -> T {
        try read(notification.userInfo?[key], as: type, at: UserInfoKey.string(words(of: key)))
    }

    /// Reads the value under a key of `userInfo`, if there is one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type wanted, as an optional.
    /// - Returns: The value; `nil` if there is none under the key, or `NSNull`.
    /// - Throws: An error if the value is not of the type.
    public func value<T>(for key: AnyHashable, as type: T?.Type) throws(NotificationDecodingError) -> T? {
        guard let value = notification.userInfo?[key], !isNil(value) else { return nil }
        return try read(value, as: T.self, at: UserInfoKey.string(words(of: key)))
    }

    /// Reads the notification's object.
    ///
    /// - Parameter type: The type wanted.
    /// - Returns: The object.
    /// - Throws: An error if there is none, or none of the type.
    public func object<T>(as type: T.Type) throws(NotificationDecodingError) -> T {
        try session.decode([:]) { root throws(DecodingError) in try root.object(as: type) }
    }

    private func read<T>(_ value: Any?, as type: T.Type, at key: UserInfoKey) throws(NotificationDecodingError) -> T {
        try session.decode([:]) { root throws(DecodingError) in
            guard let value else { throw root.failure(.missing, expected: type, at: key, found: nil) }
            return try root.read(any: type, from: value, at: key)
        }
    }

    /// A key in words, for errors.
    private func words(of key: AnyHashable) -> String {
        if let string = castExactly(key.base, to: String.self) { return string }
        return (key.base as? Int).map(String.init) ?? describe(key)
    }

    private var session: DecodingSession {
        limits.session(notification.name.rawValue, object: notification.object)
    }
}
