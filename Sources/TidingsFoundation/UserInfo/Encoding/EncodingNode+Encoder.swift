extension EncodingNode: Encoder {
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedPlaces(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedPlaces(node: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension EncodingNode: SingleValueEncodingContainer {
    func encodeNil() { putNil() }
    func encode<T: Encodable>(_ value: T) throws { try put(value) }
    func encode(_ value: Int128) throws { try put(value) }
    func encode(_ value: UInt128) throws { try put(value) }
}
