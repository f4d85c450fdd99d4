public import Foundation

/// Reads individual typed values from an untyped notification, including objects that aren't `Codable`.
///
/// ```swift
/// let reader = UserInfoReader(notification)
/// let session = try reader.object(as: AVAudioSession.self)
/// let reason = try reader.value(for: AVAudioSessionRouteChangeReasonKey, as: AVAudioSession.RouteChangeReason.self)
/// let previous = try reader.value(for: AVAudioSessionRouteChangePreviousRouteKey, as: AVAudioSessionRouteDescription?.self)
/// ```
///
/// A `Decodable` type is read by the rules of ``UserInfoDecoder``, and an enum or a struct with a raw value from its
/// raw value. Everything else is read unchanged.
public struct UserInfoReader {
    private let notification: Notification
    private let limits: UserInfoDecoder

    /// Creates a reader of a notification. A missing `userInfo` is treated as an empty one.
    ///
    /// - Parameter notification: The notification.
    public init(_ notification: Notification) { self.init(notification, limits: UserInfoDecoder()) }

    package init(_ notification: Notification, limits: UserInfoDecoder) {
        self.notification = notification
        self.limits = limits
    }

    /// Reads the value under a key of `userInfo`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The requested type.
    /// - Returns: The value.
    /// - Throws: An error if there is no value under the key, or the value can't be read as the type.
    public func value<T>(for key: AnyHashable, as type: T.Type) throws(NotificationDecodingError) -> T {
        try read(notification.userInfo?[key], as: type, at: UserInfoKey.string(words(of: key)))
    }

    /// Reads the value under a key of `userInfo`, if there is one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The requested type, as an optional.
    /// - Returns: The value; `nil` if there is no value under the key, or if the value is `NSNull`.
    /// - Throws: An error if the value can't be read as the type.
    public func value<T>(for key: AnyHashable, as type: T?.Type) throws(NotificationDecodingError) -> T? {
        guard let value = notification.userInfo?[key], !isNil(value) else { return nil }
        return try read(value, as: T.self, at: UserInfoKey.string(words(of: key)))
    }

    /// Reads the notification's object.
    ///
    /// - Parameter type: The requested type.
    /// - Returns: The object.
    /// - Throws: An error if the object can't be read as the type, or is missing although the type isn't optional.
    public func object<T>(as type: T.Type) throws(NotificationDecodingError) -> T {
        try session.decode([:]) { root throws(DecodingError) in try root.object(as: type) }
    }

    private func read<T>(_ value: Any?, as type: T.Type, at key: UserInfoKey) throws(NotificationDecodingError) -> T {
        try session.decode([:]) { root throws(DecodingError) in
            guard let value else { throw root.failure(.missing, expected: type, at: key, found: nil) }
            return try root.read(any: type, from: value, at: key)
        }
    }

    private func words(of key: AnyHashable) -> String {
        if let string = castExactly(key.base, to: String.self) { return string }
        return (key.base as? Int).map(String.init) ?? describe(key)
    }

    private var session: DecodingSession {
        limits.session(notification.name.rawValue, object: notification.object)
    }
}
