public import Foundation

/// An error that is thrown if an untyped notification can't be converted to a typed value. It contains the
/// notification's name, the key, the expected type, and what was found.
public struct NotificationDecodingError: Error, Hashable, Sendable {
    /// The problem with a value.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// A description of the reason.
        public let description: String

        /// There is no value, or no `userInfo`.
        public static let missing = Reason(description: "no value")
        /// The post was untyped, and the expected type doesn't convert untyped posts; see ``BridgedNotification``.
        public static let untyped = Reason(description: "posted without a typed value")
        /// The value has another type.
        public static let mistyped = Reason(description: "a value of another type")
        /// The value can't be represented exactly in the expected type, for example 1.5 as an integer.
        public static let inexact = Reason(description: "a value without an exact representation")
        /// The value has the right type, but the expected type rejects it, for example an enum without a matching case.
        public static let invalid = Reason(description: "a value that is not valid")
        /// The nesting of the value exceeds the decoder's limit, for example because a collection contains itself.
        public static let tooDeep = Reason(description: "a value that is nested too deeply")
        /// The number of values exceeds the decoder's limit.
        public static let tooMany = Reason(description: "too many values")
    }

    /// The name of the notification.
    public var notification: String

    /// The keys that lead to the value, outermost first; empty if the notification as a whole is wrong.
    public var keyPath: [String]

    /// The expected type.
    public var expected: String

    /// The type that was found, with the value if that is helpful; `nil` if there was no value.
    public var found: String?

    /// The problem with the value.
    public var reason: Reason

    /// An additional message, for example from the type that rejected the value; `nil` if there is none.
    public var detail: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - notification: The name of the notification.
    ///   - keyPath: The keys that lead to the value, outermost first.
    ///   - expected: The expected type.
    ///   - found: The type that was found; `nil` if there was no value.
    ///   - reason: The problem with the value.
    ///   - detail: An additional message; `nil` if there is none.
    public init(
        notification: String, keyPath: [String], expected: String, found: String?, reason: Reason, detail: String? = nil
    ) {
        self.notification = notification
        self.keyPath = keyPath
        self.expected = expected
        self.found = found
        self.reason = reason
        self.detail = detail
    }
}

extension NotificationDecodingError: CustomStringConvertible {
    /// A sentence that describes the error.
    public var description: String {
        let place = keyPath.isEmpty ? "" : " under \(keyPath.joined(separator: "."))"
        let instead = found.map { ", found \($0)" } ?? ""
        let remark = detail.map { " (\($0))" } ?? ""
        return "\(notification): \(reason)\(place): expected \(expected)\(instead)\(remark)"
    }
}

/// An error that is thrown if a payload can't be converted to a Foundation notification.
public struct NotificationEncodingError: Error, Hashable, Sendable {
    /// The name of the notification.
    public var notification: String

    /// The reason why the payload can't be converted.
    public var reason: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - notification: The name of the notification.
    ///   - reason: The reason why the payload can't be converted.
    public init(notification: Notification.Name, reason: String) {
        self.notification = notification.rawValue
        self.reason = reason
    }
}

extension NotificationEncodingError: CustomStringConvertible {
    /// A sentence that describes the error.
    public var description: String { "\(notification): cannot be posted: \(reason)" }
}
