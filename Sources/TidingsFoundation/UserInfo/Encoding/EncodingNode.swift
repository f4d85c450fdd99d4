import Foundation

/// A place in an untyped dictionary that a value is put into, and the keys that lead to it.
///
/// A place has those within it, and they know no more than the keys that lead to them.
final class EncodingNode {
    /// What is in the place; nothing until a value is put there.
    private enum Content {
        case value(Any)
        case entries([String: EncodingNode])
        case elements([EncodingNode])
    }

    private var content: Content?
    private let maximumDepth: Int
    private let path: EncodingPath?

    /// The dictionary as a whole.
    init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
        path = nil
    }

    private init(key: any CodingKey, in node: EncodingNode) {
        maximumDepth = node.maximumDepth
        path = EncodingPath(key, after: node.path)
    }

    /// The keys that lead to the place, outermost first.
    var codingPath: [any CodingKey] { path?.keys ?? [] }

    /// Puts a value here.
    func put<T: Encodable>(_ value: T) throws {
        if let scalar = value as? any UserInfoScalar {
            content = .value(scalar.untyped)
            return
        }
        if let path, path.count > maximumDepth { throw failure("lies too deep", value: value) }
        try value.encode(to: self)
    }

    /// Puts a value of whatever type here, as it is; one that has a raw value, as that.
    func put(any value: Any) {
        let raw = (value as? any RawRepresentable)?.rawValue
        content = .value((value as? any UserInfoScalar ?? raw as? any UserInfoScalar)?.untyped ?? value)
    }

    /// Puts none here.
    func putNil() { content = .value(NSNull()) }

    /// Makes this a dictionary, unless it is one.
    func makeEntries() {
        if case .entries = content { return }
        content = .entries([:])
    }

    /// Makes this an array, unless it is one.
    func makeElements() {
        if case .elements = content { return }
        content = .elements([])
    }

    /// The place under a key of this dictionary.
    func entry(_ key: any CodingKey) -> EncodingNode {
        let node = EncodingNode(key: key, in: self)
        if case .entries(var entries) = content {
            content = nil  // so that the entries are not copied
            entries[key.stringValue] = node
            content = .entries(entries)
        }
        return node
    }

    /// The place after the last one of this array.
    func nextElement() -> EncodingNode {
        let node = EncodingNode(key: UserInfoKey.index(count), in: self)
        if case .elements(var elements) = content {
            content = nil  // so that the elements are not copied
            elements.append(node)
            content = .elements(elements)
        }
        return node
    }

    /// How many elements this array has.
    var count: Int {
        if case .elements(let elements) = content { elements.count } else { 0 }
    }

    /// Everything that was put into this dictionary.
    func userInfo<T>(from value: T) throws -> [AnyHashable: Any] {
        switch content {
        case nil: return [:]
        case .entries(let entries):
            return Dictionary(uniqueKeysWithValues: entries.map { (AnyHashable($0), $1.untyped) })
        case .value, .elements: throw failure("is not encoded as a dictionary", value: value)
        }
    }

    private var untyped: Any {
        switch content {
        case nil: [String: Any]()
        case .value(let value): value
        case .entries(let entries): entries.mapValues(\.untyped)
        case .elements(let elements): elements.map(\.untyped)
        }
    }

    private func failure(_ reason: String, value: Any) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: codingPath, debugDescription: reason))
    }

    /// What an error of a type's own `encode(to:)`, or of a node, says in words.
    static func reason(of error: any Error) -> String {
        guard case EncodingError.invalidValue(let value, let context) = error else { return "\(error)" }
        let path = context.codingPath.isEmpty ? "" : " under \(keyPath(context.codingPath).joined(separator: "."))"
        return "a value of type \(type(of: value))\(path) \(context.debugDescription)"
    }
}
