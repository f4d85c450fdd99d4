import Foundation

/// The state that the places of one encoding share: the limits, and a failure that could not be thrown where it arose.
private final class EncodingSession {
    let maximumDepth: Int
    private var remainingCount: Int

    /// How many values are being encoded, each within the one before.
    var depth = 0

    /// Why the encoding has failed. Swift's containers are made without an error; the next value throws this one.
    private(set) var failure: EncodingError.Context?

    init(maximumDepth: Int, maximumCount: Int) {
        self.maximumDepth = maximumDepth
        remainingCount = maximumCount
    }

    func fail(_ reason: String, at path: [any CodingKey]) {
        if failure == nil { failure = EncodingError.Context(codingPath: path, debugDescription: reason) }
    }

    /// Counts a value that is put in.
    ///
    /// - Returns: Whether one more may be.
    func take() -> Bool {
        guard remainingCount > 0 else { return false }
        remainingCount -= 1
        return true
    }
}

/// The keys that lead to a place, linked from the place outwards; they become an array only when an error or a type asks for
/// them.
private final class EncodingPath {
    /// How many keys lead to the place.
    let count: Int
    private let key: any CodingKey
    private let before: EncodingPath?

    init(_ key: any CodingKey, after before: EncodingPath?) {
        self.key = key
        self.before = before
        count = (before?.count ?? 0) + 1
    }

    /// The keys, outermost first.
    var keys: [any CodingKey] {
        var keys = [key]
        var link = before
        while let current = link {
            keys.append(current.key)
            link = current.before
        }
        return keys.reversed()
    }
}

/// A place in an untyped dictionary that a value is put into, and the keys that lead to it.
///
/// A place refers to the places within it. They refer back to nothing but the keys that lead to them.
final class EncodingNode {
    /// The content of the place; nothing until a value is put there.
    private enum Content {
        case value(Any)
        case entries([String: EncodingNode])
        case elements([EncodingNode])
    }

    private var content: Content?
    private let session: EncodingSession
    private let path: EncodingPath?

    /// The dictionary as a whole.
    init(maximumDepth: Int, maximumCount: Int) {
        session = EncodingSession(maximumDepth: maximumDepth, maximumCount: maximumCount)
        path = nil
    }

    private init(at path: EncodingPath?, _ session: EncodingSession) {
        self.session = session
        self.path = path
    }

    /// The keys that lead to the place, outermost first.
    var codingPath: [any CodingKey] { path?.keys ?? [] }

    private var pathCount: Int { path?.count ?? 0 }

    /// Puts a value into the place, which was made for it.
    func put<T: Encodable>(_ value: T) throws {
        if let failure = session.failure { throw EncodingError.invalidValue(value, failure) }
        if let scalar = value as? any UserInfoScalar {
            content = .value(scalar.untyped)
            return
        }
        guard session.depth < session.maximumDepth, pathCount <= session.maximumDepth else {
            throw failure("lies too deep", value: value)
        }
        session.depth += 1
        defer { session.depth -= 1 }
        try value.encode(to: self)
    }

    /// Puts a value into the place of the one that is being encoded.
    func putInPlace<T: Encodable>(_ value: T) throws {
        if !session.take() { session.fail("is one too many", at: codingPath) }
        try put(value)
    }

    /// Puts a value of any type here as it is, or its raw value if it has one.
    func put(any value: Any) {
        let raw = (value as? any RawRepresentable)?.rawValue
        content = .value((value as? any UserInfoScalar ?? raw as? any UserInfoScalar)?.untyped ?? value)
    }

    /// Puts `NSNull` here, which stands for no value.
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
        guard let node = place(under: key) else { return detached }
        if case .entries(var entries) = content {
            content = nil  // so that the entries are not copied
            entries[key.stringValue] = node
            content = .entries(entries)
        }
        return node
    }

    /// The place after the last one of this array.
    func nextElement() -> EncodingNode {
        guard let node = place(under: UserInfoKey.index(count)) else { return detached }
        if case .elements(var elements) = content {
            content = nil  // so that the elements are not copied
            elements.append(node)
            content = .elements(elements)
        }
        return node
    }

    /// A place outside the dictionary, for a container beyond a limit: `Encoder` cannot refuse to make one.
    private var detached: EncodingNode { EncodingNode(at: path, session) }

    /// Makes a place within this one; `nil` if it would exceed a limit, and the encoding has failed.
    private func place(under key: any CodingKey) -> EncodingNode? {
        let path = EncodingPath(key, after: path)
        if path.count > max(0, session.maximumDepth) + 1 {
            session.fail("lies too deep", at: path.keys)
        } else if !session.take() {
            session.fail("is one too many", at: path.keys)
        } else {
            return EncodingNode(at: path, session)
        }
        return nil
    }

    /// How many elements this array has.
    var count: Int {
        if case .elements(let elements) = content { elements.count } else { 0 }
    }

    /// Encodes a value as this dictionary, and returns everything that it has put in.
    func userInfo<T: Encodable>(from value: T) throws -> [AnyHashable: Any] {
        try value.encode(to: self)
        if let failure = session.failure { throw EncodingError.invalidValue(value, failure) }
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
        guard case EncodingError.invalidValue(let value, let context) = error else { return describe(error: error) }
        let path = context.codingPath.isEmpty ? "" : " under \(context.codingPath.words.joined(separator: "."))"
        return "a value of type \(type(of: value))\(path) \(shortened(context.debugDescription))"
    }
}
