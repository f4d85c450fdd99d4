import Foundation

extension DecodingNode {
    /// Makes a value of whatever type from this one.
    func itself<T>(as type: T.Type) throws(DecodingError) -> T { try read(any: type, from: value, at: nil) }

    /// Makes a value of whatever type from the notification's object.
    func object<T>(as type: T.Type) throws(DecodingError) -> T {
        let key = UserInfoKey.string("object")
        let none: Any? = type is any OptionalValue.Type ? NSNull() : nil
        guard let object = session.object ?? none else {
            throw root.failure(.missing, expected: type, at: key, found: nil)
        }
        return try root.read(any: type, from: object, at: key)
    }

    /// Makes a value of whatever type, `Decodable` or not, from one that was found under a key.
    func read<T>(any type: T.Type, from value: Any, at key: (any CodingKey)?) throws(DecodingError) -> T {
        if let optional = type as? any OptionalValue.Type {
            if let value = try read(optional: optional, from: value, at: key) as? T { return value }
        } else if let decodable = type as? any Decodable.Type {
            if let value = try read(decodable, from: value, at: key) as? T { return value }
        } else if let value = try plain(value, expected: type, at: key, depth: 0) as? T {
            return value
        } else if let raw = type as? any RawRepresentable.Type {
            if let value = try read(raw: raw, from: value, at: key) as? T { return value }
        }
        throw failure(.mistyped, expected: type, at: key, found: value)
    }

    private func read<T: OptionalValue>(
        optional type: T.Type, from value: Any, at key: (any CodingKey)?
    ) throws(DecodingError) -> T {
        isNil(value) ? nil : T(try read(any: T.Wrapped.self, from: value, at: key))
    }

    private func read<T: RawRepresentable>(
        raw type: T.Type, from value: Any, at key: (any CodingKey)?
    ) throws(DecodingError) -> T {
        let raw = try read(any: T.RawValue.self, from: value, at: key)
        guard let value = T(rawValue: raw) else { throw failure(.invalid, expected: type, at: key, found: value) }
        return value
    }

    #if canImport(ObjectiveC)
        private func plain(
            _ value: Any, expected: Any.Type, at key: (any CodingKey)?, depth: Int
        ) throws(DecodingError) -> Any { value }
    #else
        /// A value that can be cast to a type.
        ///
        /// Elsewhere, every value can. Here, a cast does not come to an end in one of Foundation's collections that contains
        /// itself, so collections are made Swift's first.
        private func plain(
            _ value: Any, expected: Any.Type, at key: (any CodingKey)?, depth: Int
        ) throws(DecodingError) -> Any {
            if expected is AnyObject.Type || type(of: value) == expected { return value }
            if depth > session.maximumDepth { throw failure(.tooDeep, expected: expected, at: key, found: value) }
            let entries = UserInfoCollection.entries(of: value)
            guard let elements = entries?.values.map(\.self) ?? UserInfoCollection.elements(of: value) else {
                return value
            }
            guard session.take(elements.count) else {
                throw failure(.tooMany, expected: expected, at: key, found: value)
            }
            var plain: [Any] = []
            for element in elements {
                plain.append(try self.plain(element, expected: Any.self, at: key, depth: depth + 1))
            }
            if let entries { return Dictionary(uniqueKeysWithValues: zip(entries.keys, plain)) }
            return value is NSSet ? Set(plain.compactMap { $0 as? AnyHashable }) : plain
        }
    #endif
}
