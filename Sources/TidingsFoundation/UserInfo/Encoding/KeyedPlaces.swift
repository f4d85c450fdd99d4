/// The entries of a dictionary, written by coding keys.
struct KeyedPlaces<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let node: EncodingNode

    init(node: EncodingNode) {
        self.node = node
        node.makeEntries()
    }

    var codingPath: [any CodingKey] { node.codingPath }

    func encodeNil(forKey key: Key) { node.entry(key).putNil() }
    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if let wrapper = value as? any UserInfoWrapper, !wrapper.isWritten { return }
        try node.entry(key).put(value)
    }

    func encode(_ value: Int128, forKey key: Key) throws { try node.entry(key).put(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try node.entry(key).put(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        node.entry(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { node.entry(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { node.entry(UserInfoKey.string("super")) }
    func superEncoder(forKey key: Key) -> any Encoder { node.entry(key) }
}
