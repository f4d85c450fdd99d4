import Foundation

private final class EncodingSession {
    let form: UserInfoForm
    let maximumDepth: Int
    private var remainingCount: Int
    var depth = 0

    /// The first failure. It is thrown when the next value is encoded, or when the encoding ends, because the methods
    /// of `Encoder` that create containers can't throw.
    private(set) var failure: EncodingError.Context?

    init(form: UserInfoForm, maximumDepth: Int, maximumCount: Int) {
        self.form = form
        self.maximumDepth = maximumDepth
        remainingCount = maximumCount
    }

    func fail(_ reason: String, at path: [any CodingKey]) {
        if failure == nil { failure = EncodingError.Context(codingPath: path, debugDescription: reason) }
    }

    func take() -> Bool {
        guard remainingCount > 0 else { return false }
        remainingCount -= 1
        return true
    }
}

private final class EncodingPath {
    let count: Int
    private let key: any CodingKey
    private let before: EncodingPath?

    init(_ key: any CodingKey, after before: EncodingPath?) {
        self.key = key
        self.before = before
        count = (before?.count ?? 0) + 1
    }

    var keys: [any CodingKey] { sequence(first: self, next: \.before).map(\.key).reversed() }
}

/// A place in an untyped dictionary, to which a value is encoded. To avoid a cycle, a node doesn't refer to its parent.
final class EncodingNode {
    private enum Content {
        case value(Any)
        case entries([String: EncodingNode])
        case elements([EncodingNode])
    }

    private var content: Content?
    private let session: EncodingSession
    private let path: EncodingPath?
    private let ownKey: AnyHashable?

    var form: UserInfoForm { session.form }

    init(form: UserInfoForm, maximumDepth: Int, maximumCount: Int) {
        session = EncodingSession(form: form, maximumDepth: maximumDepth, maximumCount: maximumCount)
        path = nil
        ownKey = nil
    }

    private init(at path: EncodingPath?, under ownKey: AnyHashable? = nil, _ session: EncodingSession) {
        self.session = session
        self.path = path
        self.ownKey = ownKey
    }

    var codingPath: [any CodingKey] { path?.keys ?? [] }

    private var pathCount: Int { path?.count ?? 0 }

    func put<T: Encodable>(_ value: T) throws {
        if let failure = session.failure { throw EncodingError.invalidValue(value, failure) }
        switch form {
        case .values:
            // If the outermost type encodes a single value instead of a dictionary, `path` is `nil`. Such a value is
            // stored unchanged only if it is a scalar.
            if path != nil ? !(value is any UserInfoWrapper) : value is any UserInfoScalar {
                content = .value(isNil(value) ? NSNull() : unwrapped(value))
                return
            }
        case .objects:
            if let scalar = value as? any UserInfoScalar {
                content = .value(scalar.untyped)
                return
            }
        case .propertyList:
            if let scalar = value as? any UserInfoScalar, !scalar.isPropertyListOfParts {
                guard let value = scalar.propertyListValue else {
                    throw failure("cannot be in a property list", value: scalar)
                }
                content = .value(value)
                return
            }
        }
        guard session.depth < session.maximumDepth, pathCount <= session.maximumDepth else {
            throw failure("is nested too deeply", value: value)
        }
        session.depth += 1
        defer { session.depth -= 1 }
        try value.encode(to: self)
    }

    func putInPlace<T: Encodable>(_ value: T) throws {
        if !session.take() { session.fail("exceeds the maximum number of values", at: codingPath) }
        try put(value)
    }

    func put(any value: Any) throws {
        if form == .values {
            content = .value(value)
            return
        }
        let raw = (value as? any RawRepresentable)?.rawValue
        let scalar = value as? any UserInfoScalar ?? raw as? any UserInfoScalar
        if form == .objects {
            content = .value(scalar?.untyped ?? value)
        } else if let scalar {
            try put(scalar)
        } else if isObject(value), value is NSString || value is NSNumber || value is NSDate || value is NSData {
            content = .value(value)
        } else {
            throw failure("cannot be in a property list", value: value)
        }
    }

    func putNil() {
        if form == .propertyList { session.fail("is nil, which a property list cannot contain", at: codingPath) }
        content = .value(NSNull())
    }

    func makeEntries() {
        if case .entries = content { return }
        content = .entries([:])
    }

    func makeElements() {
        if case .elements = content { return }
        content = .elements([])
    }

    /// Adds a node. `ownKey` is the key in the dictionary, or `nil` to use the string of the coding key.
    func entry(_ key: any CodingKey, under ownKey: AnyHashable?) -> EncodingNode {
        guard let node = place(under: key, ownKey) else { return detached }
        if form == .propertyList, let ownKey, castExactly(ownKey.base, to: String.self) == nil {
            session.fail("has a key that is not a string; property lists need strings", at: node.codingPath)
        }
        if case .entries(var entries) = content {
            content = nil  // so that the entries are not copied
            entries[key.stringValue] = node
            content = .entries(entries)
        }
        return node
    }

    func nextElement() -> EncodingNode {
        guard let node = place(under: UserInfoKey.index(count)) else { return detached }
        if case .elements(var elements) = content {
            content = nil  // so that the elements are not copied
            elements.append(node)
            content = .elements(elements)
        }
        return node
    }

    /// A node that isn't part of the dictionary. A container that exceeds a limit is written into such a node, because
    /// the methods that create containers can't throw.
    private var detached: EncodingNode { EncodingNode(at: path, session) }

    /// Creates a node. If the node would exceed a limit, the encoding has failed, and this method returns `nil`.
    private func place(under key: any CodingKey, _ ownKey: AnyHashable? = nil) -> EncodingNode? {
        let path = EncodingPath(key, after: path)
        if path.count > max(0, session.maximumDepth) + 1 {
            session.fail("is nested too deeply", at: path.keys)
        } else if !session.take() {
            session.fail("exceeds the maximum number of values", at: path.keys)
        } else {
            return EncodingNode(at: path, under: ownKey, session)
        }
        return nil
    }

    var count: Int {
        if case .elements(let elements) = content { elements.count } else { 0 }
    }

    /// This method isn't specialized, because most of the time is spent in the type's own `encode(to:)`.
    @_semantics("optimize.sil.specialize.generic.never")
    func userInfo<T: Encodable>(from value: T) throws -> [AnyHashable: Any] {
        try value.encode(to: self)
        if let failure = session.failure { throw EncodingError.invalidValue(value, failure) }
        switch content {
        case nil: return [:]
        case .entries(let entries):
            let userInfo = withOwnKeys(entries)
            if let failure = session.failure { throw EncodingError.invalidValue(value, failure) }
            return userInfo
        case .value, .elements: throw failure("is not encoded as a dictionary", value: value)
        }
    }

    private var untyped: Any {
        switch content {
        case nil: [String: Any]()
        case .value(let value): value
        case .entries(let entries):
            entries.values.contains { $0.ownKey != nil } ? withOwnKeys(entries) : entries.mapValues(\.untyped)
        case .elements(let elements): elements.map(\.untyped)
        }
    }

    private func withOwnKeys(_ entries: [String: EncodingNode]) -> [AnyHashable: Any] {
        let all: [AnyHashable: Any] = Dictionary(
            entries.map { ($1.ownKey ?? AnyHashable($0), $1.untyped) }, uniquingKeysWith: { first, _ in first })
        if all.count < entries.count { session.fail("has two coding keys for one key", at: codingPath) }
        return all
    }

    private func failure(_ reason: String, value: Any) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: codingPath, debugDescription: reason))
    }

    static func reason(of error: any Error) -> String {
        guard case EncodingError.invalidValue(let value, let context) = error else { return describe(error: error) }
        let path = context.codingPath.isEmpty ? "" : " under \(context.codingPath.words.joined(separator: "."))"
        return "a value of type \(type(of: value))\(path) \(shortened(context.debugDescription))"
    }
}
