public import Foundation

/// Makes the `userInfo` of an untyped notification from an `Encodable` value, as classic code expects it.
///
/// ```swift
/// let userInfo = try UserInfoEncoder().encode(payload, notification: .downloadFinished)
/// ```
///
/// Coding keys become strings, or what ``UserInfoCodingKey`` says. In which form the values are put in is the ``form``: by default,
/// as they are.
///
/// ``UserInfoDecoder`` makes an equal value of it.
public struct UserInfoEncoder: Sendable {
    /// The form in which values are put in.
    public var form: UserInfoForm

    /// How many values may lie within each other. One that lies deeper, as in an object that refers to itself, is an error.
    ///
    /// A value that encodes another one in its place, through a single-value container, counts as well.
    public var maximumDepth = 100

    /// How many values may be put into dictionaries and arrays in one encoding. More are an error.
    ///
    /// An object to which two others refer is put in twice.
    public var maximumCount = 100_000

    /// Makes an encoder.
    ///
    /// - Parameter form: The form in which values are put in.
    public init(form: UserInfoForm = .values) { self.form = form }

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
        let root = EncodingNode(form: form, maximumDepth: maximumDepth, maximumCount: maximumCount)
        do {
            return try root.userInfo(from: value)
        } catch {
            throw NotificationEncodingError(notification: notification, reason: EncodingNode.reason(of: error))
        }
    }
}
