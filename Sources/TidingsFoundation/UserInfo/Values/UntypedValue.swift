import Foundation

// A `userInfo` holds values that another program chose. What a value is decides how it may be touched: a cast of a Swift
// collection to a class, such as `value as? NSNumber`, first makes a Foundation collection of it, with everything inside. A
// dictionary nested 10,000 deep overflows the stack there, and an array that holds the one before twice, 60 times over, takes
// for ever. Two casts look at the type alone: that of an object to a class, and that of a value in no optional to a protocol.
//
// So the functions of this module ask for the type of a foreign value first, and cast it to a class with
// `castObject(_:to:)`.

/// Whether a value is an object, which a cast to a class leaves as it is.
func isObject(_ value: Any) -> Bool { type(of: value) is AnyObject.Type }

/// An object as one of a class; `nil` for everything else, also for values of which Foundation would make such an object.
func castObject<Object: AnyObject>(_ value: Any, to type: Object.Type) -> Object? {
    isObject(value) ? value as? Object : nil
}

extension [AnyHashable: Any] {
    /// The object of a class of this package, under a key: no other code puts one in.
    ///
    /// To look a key up, keys are compared by casts, which takes as long as to look at the types of a dozen values. So that is
    /// done first where there are few.
    func object<Object: AnyObject>(of type: Object.Type, under key: String) -> Object? {
        if count > 4 { return self[key].flatMap { castObject($0, to: type) } }
        for value in values { if let object = castObject(value, to: type) { return object } }
        return nil
    }
}

/// A value that has exactly a type; `nil` for everything else, also for values that Foundation would convert.
func castExactly<T>(_ value: Any, to type: T.Type) -> T? {
    Swift.type(of: value) == type ? value as? T : nil
}

/// Stands for a value inside more optionals than are unwrapped. A cast would unwrap all of them, by recursion.
struct Overwrapped {
    static let maximumCount = 100

    let type: Any.Type
}

/// The value inside optionals and `AnyHashable`s; an optional that is empty is left as it is.
func unwrapped(_ value: Any) -> Any {
    var value = value
    for _ in 0..<Overwrapped.maximumCount {
        if isObject(value) { return value }
        if let hashable = castExactly(value, to: AnyHashable.self) {
            value = hashable.base
        } else if let wrapped = (value as? any OptionalValue)?.wrapped {
            value = wrapped
        } else {
            return value
        }
    }
    return Overwrapped(type: type(of: value))
}

/// Whether a value stands for none: `NSNull`, or an empty optional.
func isNil(_ value: Any) -> Bool {
    let value = unwrapped(value)
    if isObject(value) { return value is NSNull }
    guard let optional = value as? any OptionalValue else { return false }
    return optional.wrapped == nil
}

/// The `object` that stands for a sender in a Foundation notification: optionals are unwrapped, `Void` is none.
func foundationObject<Sender>(of sender: Sender) -> Any? {
    if Sender.self == Void.self { return nil }
    if Sender.self is AnyObject.Type { return sender }
    guard let optional = sender as? any OptionalValue else { return sender }
    return optional.wrapped.flatMap { foundationObject(of: $0) }
}
