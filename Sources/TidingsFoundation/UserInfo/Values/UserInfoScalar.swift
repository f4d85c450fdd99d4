import Foundation

/// A type whose values are put into a `userInfo` as they are, and read back from the objects that Foundation makes of them.
protocol UserInfoScalar: Codable {
    /// Reads a value of another type as this one. The value is in no optional.
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self

    /// The value to put into a `userInfo`: the value itself, unless classic code expects something else.
    var untyped: Any { get }

    /// The value to put into a property list; `nil` if it has no form there.
    var propertyListValue: Any? { get }

    /// Whether it is put into a property list as an array of its parts, by its own `encode(to:)`, and read from one.
    static var isPropertyListOfParts: Bool { get }
}

/// Why a value cannot be read as another type.
enum UserInfoMismatch: Error {
    case mistyped
    case inexact

    var reason: NotificationDecodingError.Reason {
        switch self {
        case .mistyped: .mistyped
        case .inexact: .inexact
        }
    }
}

extension UserInfoScalar {
    /// The value itself, or an object that Foundation bridges to it.
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self {
        guard type(of: value) == Self.self || isObject(value), let value = value as? Self else { throw .mistyped }
        return value
    }

    /// Reads a value as this type where the type is only known at run time.
    ///
    /// It returns a result, as a call of ``read(_:)`` on an existential metatype, with its typed error, crashes the
    /// compiler's optimiser.
    static func reading(_ value: Any) -> Result<Any, UserInfoMismatch> {
        do { return .success(try read(value)) } catch { return .failure(error) }
    }

    var untyped: Any { self }
    var propertyListValue: Any? { self }
    static var isPropertyListOfParts: Bool { false }
    var isPropertyListOfParts: Bool { Self.isPropertyListOfParts }
}

// Foundation bridges these to and from an object of its own.

extension String: UserInfoScalar {}
extension Data: UserInfoScalar {}
extension Date: UserInfoScalar {}

extension URL: UserInfoScalar {
    /// A URL of Swift's or of Foundation's, or the string that stands for one in a property list.
    static func read(_ value: Any) throws(UserInfoMismatch) -> URL {
        if let url = castExactly(value, to: URL.self) ?? castObject(value, to: NSURL.self) as URL? { return url }
        guard let url = URL(string: try String.read(value)) else { throw .inexact }
        return url
    }

    var propertyListValue: Any? { absoluteString }
}

extension UUID: UserInfoScalar {
    /// A UUID of Swift's or of Foundation's, or the string that stands for one in a property list.
    static func read(_ value: Any) throws(UserInfoMismatch) -> UUID {
        if let uuid = castExactly(value, to: UUID.self) ?? castObject(value, to: NSUUID.self) as UUID? { return uuid }
        guard let uuid = UUID(uuidString: try String.read(value)) else { throw .inexact }
        return uuid
    }

    var propertyListValue: Any? { uuidString }
}

extension Range: UserInfoScalar where Bound == Int {
    /// Reads a range of Swift's or of Foundation's. Foundation's range that stands for nothing found is none.
    static func read(_ value: Any) throws(UserInfoMismatch) -> Range<Int> {
        if let value = castExactly(value, to: Self.self) { return value }
        let range = try NSRange.read(value)
        let (end, overflow) = range.location.addingReportingOverflow(range.length)
        if range.location == NSNotFound || range.length < 0 || overflow { throw .inexact }
        return range.location..<end
    }

    /// Foundation's range; Swift's where Foundation's would stand for something else.
    var untyped: Any {
        if lowerBound < 0 || lowerBound == NSNotFound { return self }
        return NSRange(location: lowerBound, length: count).untyped
    }

    static var isPropertyListOfParts: Bool { true }
}
