import Foundation

/// The entries of a dictionary with keys of whatever type, by coding keys.
///
/// Looking up a key among keys of whatever type costs several times what comparing a few strings does.
struct UserInfoEntries {
    private var fewKeys: [String] = []
    private var fewValues: [Any] = []
    private var many: [AnyHashable: Any] = [:]

    init(_ dictionary: [AnyHashable: Any]) {
        guard dictionary.count <= 16 else {
            many = dictionary
            return
        }
        fewKeys.reserveCapacity(dictionary.count)
        fewValues.reserveCapacity(dictionary.count)
        for (key, value) in dictionary {
            guard let key = Self.string(key) else { continue }
            fewKeys.append(key)
            fewValues.append(value)
        }
    }

    var keys: [String] { many.isEmpty ? fewKeys : many.keys.compactMap(Self.string) }

    /// The value under a key.
    subscript(key: String) -> Any? {
        if many.isEmpty { return fewKeys.firstIndex(of: key).map { fewValues[$0] } }
        return value(key)
    }

    private func value(_ key: String) -> Any? {
        if let value = many[key] ?? Int(key).flatMap({ many[$0] }) { return value }
        #if canImport(ObjectiveC)
            return nil
        #else
            return many[NSString(string: key)]  // it equals the string elsewhere, but not here
        #endif
    }

    /// A key as a coding key has it: a string, or the digits of an integer.
    private static func string(_ key: AnyHashable) -> String? {
        switch key.base {
        case let string as String: string
        case let number as Int: String(number)
        default: nil
        }
    }
}
