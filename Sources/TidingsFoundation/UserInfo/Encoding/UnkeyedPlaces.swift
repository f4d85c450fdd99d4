/// The elements of an array, written one after the other.
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
    func encode(_ value: Int128) throws { try node.nextElement().put(value) }
    func encode(_ value: UInt128) throws { try node.nextElement().put(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        node.nextElement().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.nextElement().unkeyedContainer() }
    func superEncoder() -> any Encoder { node.nextElement() }
}
