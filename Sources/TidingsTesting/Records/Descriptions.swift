enum TypeName {
    /// The name within its module, without the addresses that the names of private and local types contain.
    static func of(_ type: Any.Type) -> String {
        var name = _typeName(type, qualified: true).drop { $0 != "." }.dropFirst()
        var result = ""
        while !name.isEmpty {
            if name.hasPrefix("(unknown context at "), let close = name.firstIndex(of: ")") {
                name = name[name.index(after: close)...].drop { $0 == "." }
            } else {
                result.append(name.removeFirst())
            }
        }
        return result
    }
}

enum SenderText {
    static func describe(_ sender: Any) -> String? {
        if sender is Void { return nil }
        let mirror = Mirror(reflecting: sender)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { describe($0.value) } }
        guard type(of: sender) is AnyObject.Type else { return String(describing: sender) }
        let address = UInt(bitPattern: ObjectIdentifier(sender as AnyObject))
        return "\(type(of: sender)) at 0x\(String(address, radix: 16))"
    }
}

enum Listing {
    private static let limit = 50

    static func lines<Element: CustomStringConvertible>(_ elements: [Element]) -> [String] {
        if elements.isEmpty { return ["  none"] }
        let lines = elements.prefix(limit).enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return elements.count > limit ? lines + ["  … and \(elements.count - limit) more"] : lines
    }
}
