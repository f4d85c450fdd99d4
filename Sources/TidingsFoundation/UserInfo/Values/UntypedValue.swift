import Foundation

// A `userInfo` contains values that other code has chosen. A cast of a Swift collection to a class such as `NSNumber`
// first converts it to a Foundation collection with its whole content. This conversion overflows the stack for a
// dictionary nested 10,000 levels deep. If an array contains another array twice, and this one contains a third array
// twice, and so on for 60 levels, the conversion practically never ends. Two casts examine only the type: a cast of an
// object to a class, and a cast of a non-optional value to a protocol. So the functions of this module check the type
// first, and cast a value from other code to a class with `castObject(_:to:)`.

/// Whether the value is an object. A cast of an object to a class doesn't convert the object.
func isObject(_ value: Any) -> Bool { type(of: value) is AnyObject.Type }

/// Casts an object. Returns `nil` for any other value, even if Foundation would convert the value to such an object.
func castObject<Object: AnyObject>(_ value: Any, to type: Object.Type) -> Object? {
    isObject(value) ? value as? Object : nil
}

extension [AnyHashable: Any] {
    /// Returns the object under a key. In a small dictionary, the first value of the class is returned, because only
    /// this package inserts such objects. A lookup of the key would take as long as checking a dozen types.
    func object<Object: AnyObject>(of type: Object.Type, under key: String) -> Object? {
        if count > 4 { return self[key].flatMap { castObject($0, to: type) } }
        for value in values { if let object = castObject(value, to: type) { return object } }
        return nil
    }
}

/// Casts a value of exactly this type. Returns `nil` for any other value, even if Foundation would convert the value.
func castExactly<T>(_ value: Any, to type: T.Type) -> T? {
    Swift.type(of: value) == type ? value as? T : nil
}

/// A replacement for a value in at least ``maximumCount`` nested optionals. A cast would unwrap all the optionals
/// recursively, and could overflow the stack.
struct Overwrapped {
    static let maximumCount = 100

    let type: Any.Type
}

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

func isNil(_ value: Any) -> Bool {
    let value = unwrapped(value)
    if isObject(value) { return value is NSNull }
    guard let optional = value as? any OptionalValue else { return false }
    return optional.wrapped == nil
}

/// Returns the `object` of a Foundation notification for a sender. Optionals are unwrapped, and `Void` becomes `nil`.
func foundationObject<Sender>(of sender: Sender) -> Any? {
    if Sender.self == Void.self { return nil }
    if Sender.self is AnyObject.Type { return sender }
    guard let optional = sender as? any OptionalValue else { return sender }
    return optional.wrapped.flatMap { foundationObject(of: $0) }
}
