import Foundation

/// The `userInfo` of a notification, read with typed errors.
struct UserInfoValues {
    private let notification: Notification

    init(_ notification: Notification) { self.notification = notification }

    /// A number, of whatever type.
    func number(_ key: String) throws(NotificationDecodingError) -> NSNumber {
        let value = try value(key, expected: "NSNumber")
        guard let number = value as? NSNumber else { throw mistyped(key, expected: "NSNumber", found: value) }
        return number
    }

    /// A number without a fraction.
    func integer(_ key: String) throws(NotificationDecodingError) -> Int {
        let number = try number(key)
        if let integer = Int(exactly: number.doubleValue) { return integer }
        throw error(key, expected: "Int", found: "\(number)", reason: .inexact)
    }

    /// A rectangle, as it is or in an `NSValue`.
    func rectangle(_ key: String) throws(NotificationDecodingError) -> CGRect {
        let value = try value(key, expected: "CGRect")
        if let rectangle = value as? CGRect { return rectangle }
        #if !canImport(ObjectiveC)
            // Where `as?` does not look into an `NSValue`, only the type it says it holds may be taken out: others trap.
            // The C strings live as long as the values they belong to.
            if let value = value as? NSValue, unsafe strcmp(value.objCType, NSValue(rect: .zero).objCType) == 0 {
                return value.rectValue
            }
        #endif
        throw mistyped(key, expected: "CGRect", found: value)
    }

    /// A rectangle as frameworks put it into `userInfo`.
    static func value(_ rectangle: CGRect) -> Any {
        #if canImport(ObjectiveC)
            rectangle  // it is made an `NSValue` where it meets Objective-C
        #else
            NSValue(rect: rectangle)
        #endif
    }

    private func value(_ key: String, expected: String) throws(NotificationDecodingError) -> Any {
        if let value = notification.userInfo?[key] { return value }
        throw error(key, expected: expected, found: nil, reason: .missing)
    }

    private func mistyped(_ key: String, expected: String, found: Any) -> NotificationDecodingError {
        error(key, expected: expected, found: "\(type(of: found))", reason: .mistyped)
    }

    private func error(
        _ key: String, expected: String, found: String?, reason: NotificationDecodingError.Reason
    ) -> NotificationDecodingError {
        NotificationDecodingError(
            notification: notification.name.rawValue, keyPath: [key], expected: expected, found: found, reason: reason)
    }
}
