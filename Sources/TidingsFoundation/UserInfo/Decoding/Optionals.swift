import Foundation

/// What is in an optional, if it is one and something is in it.
func unwrapped(_ value: Any) -> Any {
    if type(of: value) is AnyObject.Type { return value }
    return (value as? any OptionalValue)?.wrapped.map(unwrapped) ?? value
}

/// Whether a value stands for none: `NSNull`, or an empty optional.
func isNil(_ value: Any) -> Bool {
    if type(of: value) is AnyObject.Type { return value is NSNull }
    guard let optional = value as? any OptionalValue else { return false }
    return optional.wrapped.map(isNil) ?? true
}

/// An optional of whatever type.
protocol OptionalValue: ExpressibleByNilLiteral {
    associatedtype Wrapped
    init(_ wrapped: Wrapped)
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { self }
}
