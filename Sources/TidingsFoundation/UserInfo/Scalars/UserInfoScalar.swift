/// A type whose values are put into a `userInfo` as they are, and read back from whatever Foundation makes of them.
protocol UserInfoScalar: Codable {
    /// Reads a value of whatever type as this one.
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self

    /// What is put into a `userInfo`, which is the value itself unless classic code expects something else.
    var untyped: Any { get }
}

extension UserInfoScalar {
    /// The value itself, or an object that Foundation bridges to it.
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self {
        guard let value = value as? Self else { throw .mistyped }
        return value
    }

    /// Reads a value of whatever type as this one, which may only be known at run time: there, a call that throws a typed error
    /// crashes the compiler's optimiser.
    static func reading(_ value: Any) -> Result<Any, UserInfoMismatch> {
        do { return .success(try read(value)) } catch { return .failure(error) }
    }

    var untyped: Any { self }
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
