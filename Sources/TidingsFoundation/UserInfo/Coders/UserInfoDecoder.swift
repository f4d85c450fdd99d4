public import Foundation

/// Makes a `Decodable` value from the `userInfo` of an untyped notification.
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
/// Coding keys are looked up as strings, or as what ``UserInfoCodingKey`` says. The value under a key is read by these rules:
///
/// - a value that has the type wanted is taken as it is, of any type;
/// - an object that Foundation bridges to the type wanted is bridged: `NSString`, `NSURL`, `NSDate`, `NSData`, `NSUUID`…;
/// - a number, `NSNumber` or Swift's, is read as every number type that holds exactly that number, and as a `Bool` if it is 0
///   or 1; a `Bool` is read as the number 0 or 1, as Objective-C does not tell them apart;
/// - an `NSValue` is read as the `CGRect`, `CGPoint`, `CGSize`, `NSRange` or `Range<Int>` in it;
/// - a `URL` and a `UUID` are also read from a string, and the structures above from arrays of numbers, as property lists have
///   them;
/// - an enum or a struct with a raw value is read from its raw value, and any other type from a dictionary, an array or a set,
///   Swift's or Foundation's, by its own `init(from:)`;
/// - a missing key, `NSNull` and an empty optional are `nil`, where an optional is wanted.
///
/// Everything else is a ``NotificationDecodingError`` with the keys that lead to the value. No input makes the decoder trap
/// or hang: collections that contain themselves end at ``maximumDepth``, and those that contain one another over and over at
/// ``maximumCount``. A value that is not of the type wanted is never looked into.
public struct UserInfoDecoder: Sendable {
    /// How many values may lie within each other. One that lies deeper is an error.
    public var maximumDepth = 100

    /// How many elements of dictionaries and arrays may be looked at in one decoding. More are an error.
    ///
    /// A collection that has the type wanted as a whole is taken as it is, and counts as one.
    public var maximumCount = 100_000

    /// Makes a decoder.
    public init() {}

    /// Makes a value from the `userInfo` of a notification, and from its object where there is a ``NotificationSender``.
    ///
    /// No `userInfo` at all is read as an empty one.
    ///
    /// - Parameters:
    ///   - type: The type wanted.
    ///   - notification: The notification.
    /// - Returns: The value.
    /// - Throws: An error that says what is wrong with the `userInfo`, and where.
    @_semantics("optimize.sil.specialize.generic.never")  // once, not for each type of the catalogue
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, from notification: Notification
    ) throws(NotificationDecodingError) -> T {
        try session(notification.name.rawValue, object: notification.object)
            .decode(notification.userInfo ?? [:]) { root throws(DecodingError) in try root.make(type) }
    }

    /// Makes a value from a dictionary with keys and values of any type.
    ///
    /// - Parameters:
    ///   - type: The type wanted.
    ///   - userInfo: The dictionary.
    ///   - notification: The name of the notification, for errors.
    /// - Returns: The value.
    /// - Throws: An error that says what is wrong with the dictionary, and where.
    @_semantics("optimize.sil.specialize.generic.never")
    public func decode<T: Decodable>(
        _ type: T.Type = T.self, from userInfo: [AnyHashable: Any], notification: String
    ) throws(NotificationDecodingError) -> T {
        try session(notification).decode(userInfo) { root throws(DecodingError) in try root.make(type) }
    }

    /// Makes a value from a dictionary, and tells how many values were looked at on the way, for tests of the limits.
    package func decodeCounting<T: Decodable>(
        _ type: T.Type = T.self, from userInfo: [AnyHashable: Any], notification: String
    ) -> (result: Result<T, NotificationDecodingError>, lookCount: Int) {
        let session = session(notification)
        let result = Result { () throws(NotificationDecodingError) in
            try session.decode(userInfo) { root throws(DecodingError) in try root.make(type) }
        }
        return (result, session.lookCount)
    }

    /// Makes the state that the values of one decoding share.
    func session(_ notification: String, object: Any? = nil) -> DecodingSession {
        DecodingSession(
            maximumDepth: maximumDepth, maximumCount: maximumCount, notification: notification, object: object)
    }
}
