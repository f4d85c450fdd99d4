import Foundation

/// The entries of a dictionary with keys of any type. A coding key is looked up as a string, or as an integer if the
/// string represents one. Small dictionaries are searched linearly, because a lookup among keys of any type takes
/// several times as long as comparing a few strings.
struct UserInfoEntries {
    private enum Storage {
        case few(keys: [String], values: [Any])
        case many([String: Any])
        /// A large `userInfo`, or one whose keys can have any type. It isn't copied.
        case userInfo([AnyHashable: Any])
        case any([(key: AnyHashable, value: Any)])
    }

    private let storage: Storage

    init(_ dictionary: any UntypedDictionary, hasAnyKeys: Bool) {
        let isSmall = dictionary.count <= 16
        let userInfo = castExactly(dictionary, to: [AnyHashable: Any].self)
        if hasAnyKeys {
            storage = userInfo.map { .userInfo($0) } ?? .any(dictionary.untypedEntries)
        } else if let userInfo {
            storage = isSmall ? Self.few(userInfo) : .userInfo(userInfo)
        } else {
            storage = isSmall ? Self.few(dictionary.untypedEntries) : Self.many(dictionary.untypedEntries)
        }
    }

    private static func few(_ entries: some Sequence<(key: AnyHashable, value: Any)>) -> Storage {
        var keys: [String] = []
        var values: [Any] = []
        keys.reserveCapacity(16)
        values.reserveCapacity(16)
        for (key, value) in entries {
            guard let key = string(key) else { continue }
            keys.append(key)
            values.append(value)
        }
        return .few(keys: keys, values: values)
    }

    private static func many(_ entries: [(key: AnyHashable, value: Any)]) -> Storage {
        var many: [String: Any] = [:]
        many.reserveCapacity(entries.count)
        for (key, value) in entries {
            if let key = string(key) { many[key] = value }
        }
        return .many(many)
    }

    var keys: [String] {
        switch storage {
        case .few(let keys, _): keys
        case .many(let entries): Array(entries.keys)
        case .userInfo(let entries): entries.keys.compactMap(Self.string)
        case .any(let entries): entries.compactMap { Self.string($0.key) }
        }
    }

    /// The value of a key of any type. The entries must have been created with `hasAnyKeys`.
    subscript(any key: AnyHashable) -> Any? {
        if let string = castExactly(key.base, to: String.self) { return self[string] }
        return switch storage {
        case .few, .many: nil
        case .userInfo(let entries): entries[key]
        case .any(let entries): entries.first { $0.key == key }?.value
        }
    }

    subscript(key: String) -> Any? {
        switch storage {
        case .few(let keys, let values): return keys.firstIndex(of: key).map { values[$0] }
        case .many(let entries): return entries[key]
        case .userInfo(let entries):
            if let value = entries[key] ?? Int(key).flatMap({ entries[$0] }) { return value }
            #if canImport(ObjectiveC)
                return nil
            #else
                return entries[NSString(string: key)]  // an NSString key differs from a String key on this platform
            #endif
        case .any(let entries): return entries.first { Self.string($0.key) == key }?.value
        }
    }

    private static func string(_ key: AnyHashable) -> String? {
        switch key.base {
        case let string as String: string
        case let number as Int: String(number)
        default: nil
        }
    }
}

struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: DecodingNode
    private let entries: UserInfoEntries
    private let hasOwnKeys = Key.haveOwnUserInfoKeys

    init(node: DecodingNode, dictionary: any UntypedDictionary) {
        self.node = node
        entries = UserInfoEntries(dictionary, hasAnyKeys: hasOwnKeys)
    }

    var codingPath: [any CodingKey] { node.codingPath }

    /// The keys that are strings or integers. Other keys can't be converted to coding keys.
    var allKeys: [Key] { entries.keys.compactMap { Key(stringValue: $0) } }

    private func value(_ key: Key) -> Any? {
        if hasOwnKeys, let key = key.ownUserInfoKey { return entries[any: key] }
        return entries[key.stringValue]
    }

    private func missing(_ type: Any.Type, _ key: Key) -> DecodingError {
        node.failure(.missing, expected: type, at: key, found: nil)
    }

    private func value(_ key: Key, expected: Any.Type) throws -> Any {
        guard let value = value(key) else { throw missing(expected, key) }
        return value
    }

    private func child(_ key: Key, expected: Any.Type) throws -> DecodingNode {
        try node.child(value(key, expected: expected), key: key, expected: expected)
    }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try isNil(value(key, expected: Any?.self)) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try read(type, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try read(type, key) }

    private func read<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
        try node.read(type, from: value(key, expected: type), at: key)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let value = value(key) { return try node.read(type, from: value, at: key) }
        if let wrapper = type as? any UserInfoWrapper.Type, wrapper.canBeMissing {
            return try node.child(NSNull(), key: key, expected: type).make(type)
        }
        throw missing(type, key)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let value = value(key), !isNil(value) else { return nil }
        return try node.read(type, from: value, at: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try child(key, expected: [AnyHashable: Any].self).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key, expected: [Any].self).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        let key = UserInfoKey(stringValue: "super")
        return try node.child(entries[key.stringValue] ?? NSNull(), key: key, expected: Any.self)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try child(key, expected: Any.self) }
}

struct UnkeyedValues: UnkeyedDecodingContainer {
    let node: DecodingNode
    let elements: [Any]
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    private var key: UserInfoKey { .index(currentIndex) }

    private func element(expected: Any.Type) throws -> Any {
        if isAtEnd { throw node.failure(.missing, expected: expected, at: key, found: nil) }
        return elements[currentIndex]
    }

    private mutating func child(expected: Any.Type) throws -> DecodingNode {
        let child = try node.child(element(expected: expected), key: key, expected: expected)
        currentIndex += 1
        return child
    }

    mutating func decodeNil() throws -> Bool {
        guard try isNil(element(expected: Any?.self)) else { return false }
        currentIndex += 1
        return true
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next(type) }

    private mutating func next<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try node.read(type, from: element(expected: type), at: key)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        try child(expected: [AnyHashable: Any].self).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try child(expected: [Any].self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try child(expected: Any.self) }
}
