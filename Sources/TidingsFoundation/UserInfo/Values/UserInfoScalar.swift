import Foundation

/// A type whose values can be written to a `userInfo` without `encode(to:)`, and can be read from Foundation's objects.
protocol UserInfoScalar: Codable {
    /// Reads a value, which can have any type. Optionals are already unwrapped, unless they are `nil`.
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self

    /// The form that untyped code expects: an `NSRange` for a `Range<Int>`, and for most types the value itself.
    var untyped: Any { get }

    /// The value in a property list, or `nil` if a property list can't represent it.
    var propertyListValue: Any? { get }

    /// Whether a property list contains each value of this type as an array of its parts, which `encode(to:)` writes.
    static var isPropertyListOfParts: Bool { get }
}

struct UserInfoMismatch: Error {
    let reason: NotificationDecodingError.Reason

    static let mistyped = UserInfoMismatch(reason: .mistyped)
    static let inexact = UserInfoMismatch(reason: .inexact)
}

extension UserInfoScalar {
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self {
        guard type(of: value) == Self.self || isObject(value), let value = value as? Self else { throw .mistyped }
        return value
    }

    /// Calls ``read(_:)`` for an existential metatype. A direct call, with its typed error, crashes the optimizer.
    static func reading(_ value: Any) -> Result<Any, UserInfoMismatch> {
        do { return .success(try read(value)) } catch { return .failure(error) }
    }

    var untyped: Any { self }
    var propertyListValue: Any? { self }
    static var isPropertyListOfParts: Bool { false }
    var isPropertyListOfParts: Bool { Self.isPropertyListOfParts }
}

// Foundation bridges these types to its own classes.

extension String: UserInfoScalar {}
extension Data: UserInfoScalar {}
extension Date: UserInfoScalar {}

extension URL: UserInfoScalar {
    static func read(_ value: Any) throws(UserInfoMismatch) -> URL {
        if let url = castExactly(value, to: URL.self) ?? castObject(value, to: NSURL.self) as URL? { return url }
        guard let url = URL(string: try String.read(value)) else { throw .inexact }
        return url
    }

    var propertyListValue: Any? { absoluteString }
}

extension UUID: UserInfoScalar {
    static func read(_ value: Any) throws(UserInfoMismatch) -> UUID {
        if let uuid = castExactly(value, to: UUID.self) ?? castObject(value, to: NSUUID.self) as UUID? { return uuid }
        guard let uuid = UUID(uuidString: try String.read(value)) else { throw .inexact }
        return uuid
    }

    var propertyListValue: Any? { uuidString }
}

extension Range: UserInfoScalar where Bound == Int {
    static func read(_ value: Any) throws(UserInfoMismatch) -> Range<Int> {
        if let value = castExactly(value, to: Self.self) { return value }
        let range = try NSRange.read(value)
        let (end, overflow) = range.location.addingReportingOverflow(range.length)
        if range.location == NSNotFound || range.length < 0 || overflow { throw .inexact }
        return range.location..<end
    }

    /// An `NSRange`. If the lower bound is negative or `NSNotFound`, no `NSRange` can represent the range, so the value
    /// is the range itself.
    var untyped: Any {
        if lowerBound < 0 || lowerBound == NSNotFound { return self }
        return NSRange(location: lowerBound, length: count).untyped
    }

    static var isPropertyListOfParts: Bool { true }
}
