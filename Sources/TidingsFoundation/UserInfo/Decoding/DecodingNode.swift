import Foundation

/// A value on its way from an untyped dictionary into a type, and the keys that lead to it.
///
/// The keys are linked from the value outwards; they become an array only when somebody asks.
final class DecodingNode {
    let value: Any
    let session: DecodingSession
    private let key: (any CodingKey)?
    private let parent: DecodingNode?
    private let depth: Int

    /// The dictionary as a whole.
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

    /// The keys that lead to the value, outermost first.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var node: DecodingNode? = self
        while let current = node {
            if let key = current.key { path.append(key) }
            node = current.parent
        }
        return path.reversed()
    }

    /// The dictionary as a whole.
    var root: DecodingNode { parent?.root ?? self }

    /// A value within this one, or this one again, without a key.
    func child(_ value: Any, key: (any CodingKey)?, expected: Any.Type) throws(DecodingError) -> DecodingNode {
        guard depth < session.maximumDepth else { throw failure(.tooDeep, expected: expected, at: key, found: value) }
        return DecodingNode(value, key: key, parent: self)
    }

    /// Makes a value by its type's own initialiser.
    func make<T: Decodable>(_ type: T.Type) throws(DecodingError) -> T {
        do {
            return try T(from: self)
        } catch {
            throw attributed(error, expected: type)
        }
    }

    /// Makes a value of whatever type from one that was found under a key.
    func read<T: Decodable>(_ type: T.Type, from value: Any, at key: (any CodingKey)?) throws(DecodingError) -> T {
        if Swift.type(of: value) == type, let value = value as? T { return value }
        if let scalar = type as? any UserInfoScalar.Type {
            switch scalar.reading(value) {
            case .success(let scalar): if let value = scalar as? T { return value }
            case .failure(let mismatch): throw failure(mismatch.reason, expected: type, at: key, found: value)
            }
        }
        if let value = bridged(value, to: type) { return value }
        return try child(unwrapped(value), key: key, expected: type).make(type)
    }

    /// Makes a value that is not made of others from one that was found under a key.
    func read<T: UserInfoScalar>(scalar type: T.Type, from value: Any, at key: (any CodingKey)?) throws(DecodingError)
        -> T
    {
        do {
            return try type.read(value)
        } catch {
            throw failure(error.reason, expected: type, at: key, found: value)
        }
    }

    /// An object as the class wanted, or as the value that Foundation bridges it to.
    ///
    /// Foundation's collections are not bridged: what is in them is read one by one, with all that can go wrong.
    private func bridged<T>(_ value: Any, to type: T.Type) -> T? {
        guard Swift.type(of: value) is AnyObject.Type, !(value is NSNumber), !(value is NSString) else { return nil }
        return UserInfoCollection.isFoundations(value) ? nil : value as? T
    }
}
