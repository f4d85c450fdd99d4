public import Foundation

/// Makes the `userInfo` of an untyped notification from an `Encodable` value, as classic code expects it.
///
/// ```swift
/// let userInfo = try UserInfoEncoder().encode(payload, notification: .downloadFinished)
/// ```
///
/// Coding keys become strings. Numbers, strings, `Data`, `Date`, `URL` and `UUID` are put in as they are; `CGRect`,
/// `CGPoint`,
/// `CGSize`, `NSRange` and `Range<Int>` as the `NSValue` that a framework would put in; enums and structs with a raw value as
/// that value; everything else as a dictionary with string keys or an array, by its own `encode(to:)`. A `nil` is left out of
/// a dictionary, and is `NSNull` in an array.
///
/// ``UserInfoDecoder`` makes an equal value of it.
public struct UserInfoEncoder: Sendable {
    /// How many values may lie within each other. One that lies deeper, as in an object that refers to itself, is an error.
    ///
    /// A value that encodes another one in its place, through a single-value container, counts as well.
    public var maximumDepth = 100

    /// How many values may be put into dictionaries and arrays in one encoding. More are an error.
    ///
    /// An object to which two others refer is put in twice.
    public var maximumCount = 100_000

    /// Makes an encoder.
    public init() {}

    /// Makes a dictionary from a value.
    ///
    /// - Parameters:
    ///   - value: The value, of a type that encodes as a dictionary: with coding keys.
    ///   - notification: The name of the notification, for errors.
    /// - Returns: The dictionary.
    /// - Throws: An error that says which value could not be encoded, and why.
    public func encode<T: Encodable>(
        _ value: T, notification: Notification.Name
    ) throws(NotificationEncodingError) -> [AnyHashable: Any] {
        let root = EncodingNode(maximumDepth: maximumDepth, maximumCount: maximumCount)
        do {
            return try root.userInfo(from: value)
        } catch {
            throw NotificationEncodingError(notification: notification, reason: EncodingNode.reason(of: error))
        }
    }
}
