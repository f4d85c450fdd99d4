import Foundation

/// The elements of an array or a set, read one after the other.
struct UnkeyedValues: UnkeyedDecodingContainer {
    let node: DecodingNode
    let elements: [Any]
    private(set) var currentIndex = 0

    init(node: DecodingNode, elements: [Any]) {
        self.node = node
        self.elements = elements
    }

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    private var key: UserInfoKey { .index(currentIndex) }

    private func element(expected: Any.Type) throws -> Any {
        if isAtEnd { throw node.failure(.missing, expected: expected, at: key, found: nil) }
        return elements[currentIndex]
    }

    /// The current element, to be looked into; the one after it is the next.
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

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar(type) }

    private mutating func scalar<T: UserInfoScalar>(_ type: T.Type) throws -> T {
        let value = try node.read(scalar: type, from: element(expected: type), at: key)
        currentIndex += 1
        return value
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
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
