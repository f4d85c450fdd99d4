public import Foundation

/// Encodes an `Encodable` value as the `userInfo` of an untyped notification, in the form that untyped code expects.
///
/// ```swift
/// let userInfo = try UserInfoEncoder().encode(payload, notification: .downloadFinished)
/// ```
///
/// Coding keys become strings, or the values that ``UserInfoCodingKey`` provides. The ``form`` determines how values
/// are written. ``UserInfoDecoder`` decodes an equal value from the result.
public struct UserInfoEncoder: Sendable {
    /// The form in which values are written.
    public var form: UserInfoForm

    /// The maximum nesting depth of values; deeper values are an error. A value that encodes another value in its
    /// place, through a single-value container, counts as a level.
    public var maximumDepth = 100

    /// The maximum number of values that are put into containers, including single-value containers, in one encoding.
    /// Exceeding it is an error. An object to which two values refer is encoded twice.
    public var maximumCount = 100_000

    /// Creates an encoder.
    ///
    /// - Parameter form: The form in which values are written.
    public init(form: UserInfoForm = .values) { self.form = form }

    /// Encodes a value as a dictionary.
    ///
    /// - Parameters:
    ///   - value: The value, of a type that encodes as a dictionary with coding keys.
    ///   - notification: The name of the notification, for errors.
    /// - Returns: The dictionary.
    /// - Throws: An error that names the value that couldn't be encoded, and the reason.
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
