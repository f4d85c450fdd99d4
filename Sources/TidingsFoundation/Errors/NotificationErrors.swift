public import Foundation

/// Says why an untyped notification could not be turned into a typed value: which notification, which key, what was
/// expected there and what was found.
public struct NotificationDecodingError: Error, Hashable, Sendable {
    /// A defect of a value.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The reason in words.
        public let description: String

        /// There is no value, or no `userInfo` at all.
        public static let missing = Reason(description: "no value")
        /// A classic post brought no typed value, and the type cannot be made from what it brought.
        public static let untyped = Reason(description: "posted without a typed value")
        /// The value has another type.
        public static let mistyped = Reason(description: "a value of another type")
        /// The value has no exact counterpart in the type expected, such as 1.5 as an integer.
        public static let inexact = Reason(description: "a value that does not fit exactly")
        /// The value has the right type, and the type refuses it, such as an enum without such a case.
        public static let invalid = Reason(description: "a value that is not valid")
        /// The value lies in more dictionaries and arrays than the decoder's limit, such as one that contains itself.
        public static let tooDeep = Reason(description: "a value that lies too deep")
        /// There are more values than the decoder's limit.
        public static let tooMany = Reason(description: "too many values")
    }

    /// The name of the notification.
    public var notification: String

    /// The keys that lead to the value, outermost first; empty if the notification as a whole is at fault.
    public var keyPath: [String]

    /// The type expected.
    public var expected: String

    /// The type found, with the value where that says more; `nil` if there was no value.
    public var found: String?

    /// The defect of the value.
    public var reason: Reason

    /// What the type that refused the value says about it; `nil` if it says nothing.
    public var detail: String?

    /// Describes what could not be decoded.
    ///
    /// - Parameters:
    ///   - notification: The name of the notification.
    ///   - keyPath: The keys that lead to the value, outermost first.
    ///   - expected: The type expected.
    ///   - found: The type found; `nil` if there was no value.
    ///   - reason: The defect of the value.
    ///   - detail: What the type that refused the value says about it; `nil` if it says nothing.
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
    /// The error in one sentence.
    public var description: String {
        let place = keyPath.isEmpty ? "" : " under \(keyPath.joined(separator: "."))"
        let instead = found.map { ", found \($0)" } ?? ""
        let remark = detail.map { " (\($0))" } ?? ""
        return "\(notification): \(reason)\(place): expected \(expected)\(instead)\(remark)"
    }
}

/// Says why a payload could not be turned into a Foundation notification.
public struct NotificationEncodingError: Error, Hashable, Sendable {
    /// The name of the notification.
    public var notification: String

    /// Why there is no notification, in words.
    public var reason: String

    /// Describes what could not be encoded.
    ///
    /// - Parameters:
    ///   - notification: The name of the notification.
    ///   - reason: Why there is no notification, in words.
    public init(notification: Notification.Name, reason: String) {
        self.notification = notification.rawValue
        self.reason = reason
    }
}

extension NotificationEncodingError: CustomStringConvertible {
    /// The error in one sentence.
    public var description: String { "\(notification): cannot be posted: \(reason)" }
}
