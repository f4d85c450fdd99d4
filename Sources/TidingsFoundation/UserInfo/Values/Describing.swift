import Foundation

// These functions examine a value from other code at most one level deep, because the value may contain itself.

func describe(_ value: Any) -> String {
    let value = unwrapped(value)
    if isNil(value) { return isObject(value) ? "NSNull" : "nil" }
    let name = typeName(of: value)
    if let string = castExactly(value, to: String.self) ?? castObject(value, to: NSString.self).map({ "\($0)" }) {
        return "\(name) \(quoted(string))"
    }
    if let number = castObject(value, to: NSNumber.self) { return "\(name) \(number)" }
    if let number = value as? any UserInfoNumber { return "\(name) \(number)" }
    return name
}

private func quoted(_ string: String) -> String {
    "\"\(ending(beginning(of: string, 160).prefix(40), of: string))\""
}

func shortened(_ text: String) -> String { ending(beginning(of: text, 500), of: text) }

/// Returns the first `count` Unicode scalars of a text. Characters aren't counted, because their length is unlimited.
private func beginning(of text: String, _ count: Int) -> Substring {
    let scalars = text.unicodeScalars
    return text[
        ..<(scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex) ?? scalars.endIndex)]
}

private func ending(_ beginning: Substring, of text: String) -> String {
    beginning.endIndex < text.endIndex ? "\(beginning)…" : text
}

/// The name of a value's type. For an object of a class cluster, this is the name of its public class.
private func typeName(of value: Any) -> String {
    guard let object = castObject(value, to: NSObject.self) else {
        return String(describing: (value as? Overwrapped)?.type ?? type(of: value))
    }
    let clusters = [
        NSNumber.self, NSValue.self, NSString.self, NSDate.self, NSData.self, NSMutableDictionary.self,
        NSDictionary.self, NSMutableArray.self, NSArray.self, NSSet.self,
    ]
    let known = clusters.first { object.isKind(of: $0) }
    return String(describing: known ?? type(of: object))
}

/// The text for an error from a type's own initializer or `encode(to:)`. Swift's default description visits everything
/// in the error, which can take very long, so an error without its own description is examined one level deep.
func describe(error: any Error) -> String {
    if let error = castObject(error, to: NSError.self) { return "Error Domain=\(error.domain) Code=\(error.code)" }
    if type(of: error) is any CustomStringConvertible.Type { return shortened("\(error)") }
    let mirror = Mirror(reflecting: error)
    if mirror.displayStyle == .enum {
        // Swift's own description of a case without associated values is only its name.
        guard let value = mirror.children.first else { return "\(error)" }
        return "\(value.label ?? "\(type(of: error))")(\(parts(of: value.value)))"
    }
    return "\(type(of: error))(\(list(mirror.children)))"
}

private func parts(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .tuple ? list(mirror.children) : describe(value)
}

private func list(_ children: Mirror.Children) -> String {
    children.prefix(8).map { child in
        let label = child.label.map { $0.hasPrefix(".") ? "" : "\($0): " } ?? ""
        return label + describe(child.value)
    }
    .joined(separator: ", ")
}
