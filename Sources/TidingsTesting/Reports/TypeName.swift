/// The name of a type, for a reader.
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
