extension DecodingNode: Decoder {
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let entries = UserInfoCollection.entries(of: value) else {
            throw failure(.mistyped, expected: [AnyHashable: Any].self, found: value)
        }
        try take(entries.count)
        return KeyedDecodingContainer(KeyedValues(node: self, entries: UserInfoEntries(entries)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = UserInfoCollection.elements(of: value) else {
            throw failure(.mistyped, expected: [Any].self, found: value)
        }
        try take(elements.count)
        return UnkeyedValues(node: self, elements: elements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func take(_ count: Int) throws {
        if !session.take(count) { throw failure(.tooMany, expected: type(of: value), found: value) }
    }
}

extension DecodingNode: SingleValueDecodingContainer {
    func decodeNil() -> Bool { isNil(value) }
    func decode(_ type: Int128.Type) throws -> Int128 { try read(scalar: type, from: value, at: nil) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try read(scalar: type, from: value, at: nil) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try read(type, from: value, at: nil) }
}
