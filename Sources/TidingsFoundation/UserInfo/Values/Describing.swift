import Foundation

// The words of error messages. They look at a foreign value one level deep at most, as it may have no end.

/// The type of a value, and the value itself where that says more and is short.
///
/// Of a collection only the type is told, as it may contain itself.
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

/// The first 40 characters of a string, in quotation marks.
private func quoted(_ string: String) -> String {
    "\"\(ending(beginning(of: string, 160).prefix(40), of: string))\""
}

/// The first 500 scalars of a text.
func shortened(_ text: String) -> String { ending(beginning(of: text, 500), of: text) }

/// So many scalars of a text. A character may consist of any number of them.
private func beginning(of text: String, _ count: Int) -> Substring {
    let scalars = text.unicodeScalars
    return text[
        ..<(scalars.index(scalars.startIndex, offsetBy: count, limitedBy: scalars.endIndex) ?? scalars.endIndex)]
}

/// The beginning of a text, with an ellipsis if there is more of it.
private func ending(_ beginning: Substring, of text: String) -> String {
    beginning.endIndex < text.endIndex ? "\(beginning)…" : text
}

/// The name of a value's type; for an object of a class cluster, that of the class one knows.
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

/// What an error says that a type's own initialiser or `encode(to:)` threw.
///
/// A description that the error's type implements is taken as it is. Swift's default description walks through everything in
/// the error, also through a foreign value that it holds. This function looks one level deep instead.
func describe(error: any Error) -> String {
    if let error = castObject(error, to: NSError.self) { return "Error Domain=\(error.domain) Code=\(error.code)" }
    if type(of: error) is any CustomStringConvertible.Type { return shortened("\(error)") }
    let mirror = Mirror(reflecting: error)
    if mirror.displayStyle == .enum {
        // The name of a case without a value is all that Swift's own description says.
        guard let value = mirror.children.first else { return "\(error)" }
        return "\(value.label ?? "\(type(of: error))")(\(parts(of: value.value)))"
    }
    return "\(type(of: error))(\(list(mirror.children)))"
}

/// The values of an enum's case, which are one value or a tuple.
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
