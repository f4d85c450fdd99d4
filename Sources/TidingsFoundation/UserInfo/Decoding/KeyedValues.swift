import Foundation

/// The entries of a dictionary, read by coding keys.
struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: DecodingNode
    let entries: UserInfoEntries

    var codingPath: [any CodingKey] { node.codingPath }

    var allKeys: [Key] { entries.keys.compactMap { Key(stringValue: $0) } }

    private func value(_ key: Key) -> Any? { entries[key.stringValue] }

    private func missing(_ type: Any.Type, _ key: Key) -> DecodingError {
        node.failure(.missing, expected: type, at: key, found: nil)
    }

    private func child(_ key: Key, expected: Any.Type) throws -> DecodingNode {
        guard let value = value(key) else { throw missing(expected, key) }
        return try node.child(value, key: key, expected: expected)
    }

    func contains(_ key: Key) -> Bool { value(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let value = value(key) else { throw missing(Any?.self, key) }
        return isNil(value)
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(type, key) }

    private func scalar<T: UserInfoScalar>(_ type: T.Type, _ key: Key) throws -> T {
        guard let value = value(key) else { throw missing(type, key) }
        return try node.read(scalar: type, from: value, at: key)
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
