import Foundation

final class DecodingSession {
    let notification: String
    let object: Any?
    let maximumDepth: Int
    private var remainingCount: Int
    private(set) var lookCount = 0

    init(maximumDepth: Int, maximumCount: Int, notification: String, object: Any? = nil) {
        self.notification = notification
        self.object = object
        self.maximumDepth = maximumDepth
        remainingCount = maximumCount
    }

    func decode<T>(
        _ userInfo: [AnyHashable: Any], with body: (DecodingNode) throws(DecodingError) -> T
    ) throws(NotificationDecodingError) -> T {
        do {
            return try body(DecodingNode(root: userInfo, session: self))
        } catch {
            guard let carried = error.carried else {
                preconditionFailure("the error of a node carries no NotificationDecodingError")
            }
            throw carried
        }
    }

    func look() { lookCount &+= 1 }

    /// Counts elements. Must be called before any of them is examined. Returns `false` if the limit would be exceeded.
    func take(_ count: Int) -> Bool {
        guard count <= remainingCount else { return false }
        remainingCount -= count
        lookCount &+= count
        return true
    }
}

/// A value from an untyped dictionary that is being converted to a type.
final class DecodingNode {
    let value: Any
    let session: DecodingSession
    private let key: (any CodingKey)?
    private let parent: DecodingNode?
    private let depth: Int

    init(root: [AnyHashable: Any], session: DecodingSession) {
        value = root
        self.session = session
        key = nil
        parent = nil
        depth = 0
    }

    private init(_ value: Any, key: (any CodingKey)?, parent: DecodingNode) {
        self.value = value
        session = parent.session
        self.key = key
        self.parent = parent
        depth = parent.depth + 1
    }

    var codingPath: [any CodingKey] { sequence(first: self, next: \.parent).compactMap(\.key).reversed() }

    var root: DecodingNode { parent?.root ?? self }

    /// Creates a node for a value in this node. If `key` is `nil`, the new node has the coding path of this node.
    func child(_ value: Any, key: (any CodingKey)?, expected: Any.Type) throws(DecodingError) -> DecodingNode {
        guard depth < session.maximumDepth else { throw failure(.tooDeep, expected: expected, at: key, found: value) }
        return DecodingNode(unwrapped(value), key: key, parent: self)
    }

    func make<T: Decodable>(_ type: T.Type) throws(DecodingError) -> T {
        do {
            return try T(from: self)
        } catch {
            throw attributed(error, expected: type)
        }
    }

    func read<T: Decodable>(_ type: T.Type, from value: Any, at key: (any CodingKey)?) throws(DecodingError) -> T {
        session.look()
        if let value = castExactly(value, to: type) { return value }
        let isObject = isObject(value)
        let value = isObject ? value : unwrapped(value)
        if !isObject, let value = castExactly(value, to: type) { return value }
        if let scalar = type as? any UserInfoScalar.Type {
            switch scalar.reading(value) {
            case .success(let scalar): if let value = scalar as? T { return value }
            case .failure(let mismatch):
                guard scalar.isPropertyListOfParts, value is any UntypedElements else {
                    throw failure(mismatch.reason, expected: type, at: key, found: value)
                }
            }
        }
        if let value = bridged(value, to: type) { return value }
        return try child(value, key: key, expected: type).make(type)
    }

    /// Foundation's collections aren't bridged, because their elements are read and checked one by one.
    private func bridged<T>(_ value: Any, to type: T.Type) -> T? {
        guard isObject(value), !(value is NSNumber), !(value is NSString) else { return nil }
        return isFoundationCollection(value) ? nil : value as? T
    }
}

extension DecodingNode: Decoder {
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let dictionary = value as? any UntypedDictionary else {
            throw failure(.mistyped, expected: [AnyHashable: Any].self, found: value)
        }
        try take(dictionary.count)
        return KeyedDecodingContainer(KeyedValues(node: self, dictionary: dictionary))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let collection = value as? any UntypedElements else {
            throw failure(.mistyped, expected: [Any].self, found: value)
        }
        try take(collection.count)
        return UnkeyedValues(node: self, elements: collection.untypedElements)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func take(_ count: Int) throws {
        if !session.take(count) { throw failure(.tooMany, expected: type(of: value), found: value) }
    }
}

extension DecodingNode: SingleValueDecodingContainer {
    func decodeNil() -> Bool { isNil(value) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try read(type, from: value, at: nil) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try read(type, from: value, at: nil) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try read(type, from: value, at: nil) }
}
