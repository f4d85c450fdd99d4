import Foundation

/// The type of a value, and the value itself where that says more and is short.
///
/// Collections are not described: one may contain itself.
func describe(_ value: Any) -> String {
    let value = unwrapped(value)
    if isNil(value) { return value is NSNull ? "NSNull" : "nil" }
    let name = typeName(of: value)
    if let string = value as? String {
        let beginning = string.prefix(40)
        return "\(name) \"\(beginning)\(beginning.endIndex < string.endIndex ? "…" : "")\""
    }
    if let number = value as? NSNumber { return "\(name) \(number)" }
    return name
}

/// The name of a value's type; for an object of a class cluster, that of the class one knows.
private func typeName(of value: Any) -> String {
    guard type(of: value) is AnyObject.Type, let object = value as? NSObject else {
        return String(describing: type(of: value))
    }
    let clusters = [
        NSNumber.self, NSValue.self, NSString.self, NSDate.self, NSData.self, NSMutableDictionary.self,
        NSDictionary.self,
        NSMutableArray.self, NSArray.self, NSSet.self,
    ]
    let known = clusters.first { object.isKind(of: $0) }
    return String(describing: known ?? type(of: object))
}
