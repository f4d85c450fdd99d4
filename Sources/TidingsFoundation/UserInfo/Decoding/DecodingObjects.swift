import Foundation

// Reads values whose type doesn't have to be `Decodable`: objects, collections of objects, and enums.
extension DecodingNode {
    func itself<T>(as type: T.Type) throws(DecodingError) -> T { try read(any: type, from: value, at: nil) }

    func object<T>(as type: T.Type) throws(DecodingError) -> T {
        let key = UserInfoKey.string("object")
        let none: Any? = type is any OptionalValue.Type ? NSNull() : nil
        guard let object = session.object ?? none else {
            throw root.failure(.missing, expected: type, at: key, found: nil)
        }
        return try root.read(any: type, from: object, at: key)
    }

    func read<T>(any type: T.Type, from value: Any, at key: (any CodingKey)?) throws(DecodingError) -> T {
        if let value = castExactly(value, to: type) { return value }
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
        /// With Objective-C, a cast examines a collection only as deeply as the type is nested, so no copy is needed.
        private func plain(
            _ value: Any, expected: Any.Type, at key: (any CodingKey)?, depth: Int
        ) throws(DecodingError) -> Any { unwrapped(value) }
    #else
        /// Without Objective-C, a cast converts a collection with its whole content, and never ends if the collection
        /// contains itself. So this method returns a copy within the decoder's limits, which the caller casts instead.
        /// An object that isn't a collection, or for which a class is expected, is returned unchanged.
        private func plain(
            _ value: Any, expected: Any.Type, at key: (any CodingKey)?, depth: Int
        ) throws(DecodingError) -> Any {
            session.look()
            let value = unwrapped(value)
            if isObject(value), depth == 0 && expected is AnyObject.Type || !isFoundationCollection(value) {
                return value
            }
            if let dictionary = value as? any UntypedDictionary {
                try enter(value, dictionary.count, expected: expected, at: key, depth: depth)
                try demandDistinct(dictionary.untypedEntries.map(\.key), in: value, expected: expected, at: key)
                // The capacity is reserved, because a growing dictionary traps if it finds equal keys with different
                // hash values.
                var plain = [AnyHashable: Any](minimumCapacity: dictionary.count)
                for (name, element) in dictionary.untypedEntries {
                    // A key can also be a collection. Such a key is kept unchanged, but has to be within the limits.
                    _ = try self.plain(name.base, expected: expected, at: key, depth: depth + 1)
                    plain[name] = try self.plain(element, expected: expected, at: key, depth: depth + 1)
                }
                return plain
            }
            guard let collection = value as? any UntypedElements else { return value }
            try enter(value, collection.count, expected: expected, at: key, depth: depth)
            var plain: [Any] = []
            for element in collection.untypedElements {
                plain.append(try self.plain(element, expected: expected, at: key, depth: depth + 1))
            }
            guard collection.isSet else { return plain }
            let hashable = plain.compactMap { $0 as? AnyHashable }
            if hashable.count != plain.count { return plain }
            try demandDistinct(hashable, in: value, expected: expected, at: key)
            return Set(hashable)
        }

        /// Rejects keys, or elements of a set, that a cast would make equal, because the cast would then trap. An
        /// example is a Foundation object and the Swift value that it represents: on this platform the two are equal
        /// but have different hash values.
        private func demandDistinct(
            _ keys: [AnyHashable], in value: Any, expected: Any.Type, at key: (any CodingKey)?
        ) throws(DecodingError) {
            if !keys.contains(where: { isObject($0.base) }) { return }
            var seen = Set<AnyHashable>(minimumCapacity: keys.count)
            for name in keys where !seen.insert(swiftKey(name)).inserted {
                throw failure(.invalid, expected: expected, at: key, found: value)
            }
        }

        private func swiftKey(_ key: AnyHashable) -> AnyHashable {
            let base = key.base
            if let string = base as? String { return AnyHashable(string) }
            if let number = base as? NSNumber {
                if let number = number as? Int { return AnyHashable(number) }
                if let number = number as? UInt64 { return AnyHashable(number) }
                return AnyHashable(number.doubleValue)
            }
            if let date = base as? Date { return AnyHashable(date) }
            if let url = base as? URL { return AnyHashable(url) }
            if let uuid = base as? UUID { return AnyHashable(uuid) }
            if let data = base as? Data { return AnyHashable(data) }
            return key
        }

        private func enter(
            _ value: Any, _ count: Int, expected: Any.Type, at key: (any CodingKey)?, depth: Int
        ) throws(DecodingError) {
            if depth > session.maximumDepth { throw failure(.tooDeep, expected: expected, at: key, found: value) }
            if !session.take(count) { throw failure(.tooMany, expected: expected, at: key, found: value) }
        }
    #endif
}
