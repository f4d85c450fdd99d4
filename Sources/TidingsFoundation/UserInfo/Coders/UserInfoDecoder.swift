public import Foundation

/// Decodes a `Decodable` value from the `userInfo` of an untyped notification.
///
/// ```swift
/// struct ReadCompleted: Decodable {
///     let data: Data
///     let error: Int?
///     enum CodingKeys: String, CodingKey {
///         case data = "NSFileHandleNotificationDataItem"
///         case error = "NSFileHandleError"
///     }
/// }
/// let completed = try UserInfoDecoder().decode(ReadCompleted.self, from: notification)
/// ```
///
/// Coding keys are looked up as strings, or as the values of ``UserInfoCodingKey``. A value is read by these rules:
///
/// - A value that has the requested type is returned unchanged, whatever the type is.
/// - An object that Foundation bridges to the requested type is bridged: `NSString`, `NSURL`, `NSDate` and so on.
/// - A number (`NSNumber` or a Swift number) is read as any number type that represents it exactly, and as a `Bool` if
///   it is 0 or 1. A `Bool` is also read as the number 0 or 1, because Objective-C doesn't distinguish the two.
/// - An `NSValue` is read as the `CGRect`, `CGPoint`, `CGSize`, `NSRange` or `Range<Int>` in it.
/// - A `URL` and a `UUID` are also read from a string, and the structures above from arrays of numbers, as in property
///   lists.
/// - An enum or a struct with a raw value is read from its raw value. Any other type is read by its own `init(from:)`,
///   from a Swift or Foundation dictionary, array or set.
/// - If the requested type is optional, a missing key, `NSNull` and an empty optional are read as `nil`.
///
/// Anything else throws a ``NotificationDecodingError`` with the keys that lead to the value. No input makes the
/// decoder trap or hang: decoding a collection that contains itself ends at ``maximumDepth`` or ``maximumCount``. The
/// content of a value with an unsuitable type is never examined.
public struct UserInfoDecoder: Sendable {
    /// The maximum nesting depth of values. A value that is nested more deeply is an error.
    public var maximumDepth = 100

    /// The maximum number of elements in dictionaries, arrays and sets that are examined in one decoding. Exceeding it
    /// is an error. A collection that already has the requested type is returned unchanged, and counts as one element.
    public var maximumCount = 100_000

    /// Creates a decoder.
    public init() {}

    /// Decodes a value from the `userInfo` of a notification, and from its object if the type has a
    /// ``NotificationSender``. A missing `userInfo` is treated as an empty one.
    ///
    /// - Parameters:
    ///   - type: The requested type.
    ///   - notification: The notification.
    /// - Returns: The value.
    /// - Throws: An error that names the value that is missing or wrong.
    @_semantics("optimize.sil.specialize.generic.never")  // compiled once, not for each type of the catalogue
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, from notification: Notification
    ) throws(NotificationDecodingError) -> T {
        try session(notification.name.rawValue, object: notification.object)
            .decode(notification.userInfo ?? [:]) { root throws(DecodingError) in try root.make(type) }
    }

    /// Decodes a value from a dictionary with keys and values of any type.
    ///
    /// - Parameters:
    ///   - type: The requested type.
    ///   - userInfo: The dictionary.
    ///   - notification: The name of the notification, for errors and for ``FamilyEvent``.
    /// - Returns: The value.
    /// - Throws: An error that names the value that is missing or wrong.
    @_semantics("optimize.sil.specialize.generic.never")
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, from userInfo: [AnyHashable: Any], notification: String
    ) throws(NotificationDecodingError) -> T {
        try session(notification).decode(userInfo) { root throws(DecodingError) in try root.make(type) }
    }

    func session(_ notification: String, object: Any? = nil) -> DecodingSession {
        DecodingSession(
            maximumDepth: maximumDepth, maximumCount: maximumCount, notification: notification, object: object)
    }
}
