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
    func encode<T: Encodable>(_ value: T) throws { try putInPlace(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try putInPlace(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try putInPlace(value) }
}

struct KeyedPlaces<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let node: EncodingNode
    private let hasOwnKeys = Key.haveOwnUserInfoKeys

    init(node: EncodingNode) {
        self.node = node
        node.makeEntries()
    }

    var codingPath: [any CodingKey] { node.codingPath }

    private func entry(_ key: Key) -> EncodingNode { node.entry(key, under: hasOwnKeys ? key.ownUserInfoKey : nil) }

    func encodeNil(forKey key: Key) {
        if node.form != .propertyList { entry(key).putNil() }
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        if let wrapper = value as? any UserInfoWrapper, !wrapper.isWritten { return }
        if node.form == .propertyList, isNil(value) { return }
        try entry(key).put(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { try entry(key).put(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try entry(key).put(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        entry(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { entry(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { node.entry(UserInfoKey.string("super"), under: nil) }
    func superEncoder(forKey key: Key) -> any Encoder { entry(key) }
}

struct UnkeyedPlaces: UnkeyedEncodingContainer {
    private let node: EncodingNode

    init(node: EncodingNode) {
        self.node = node
        node.makeElements()
    }

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int { node.count }

    func encodeNil() { node.nextElement().putNil() }
    func encode<T: Encodable>(_ value: T) throws { try node.nextElement().put(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try node.nextElement().put(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try node.nextElement().put(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.nextElement().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.nextElement().unkeyedContainer() }
    func superEncoder() -> any Encoder { node.nextElement() }
}
