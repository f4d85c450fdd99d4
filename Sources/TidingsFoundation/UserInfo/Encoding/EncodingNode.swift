import Foundation

/// The state that the places of one encoding share: the limits, and a failure that could not be thrown where it arose.
private final class EncodingSession {
    let form: UserInfoForm
    let maximumDepth: Int
    private var remainingCount: Int

    /// How many values are being encoded, each within the one before.
    var depth = 0

    /// Why the encoding has failed. Swift's containers are made without an error; the next value throws this one.
    private(set) var failure: EncodingError.Context?

    init(form: UserInfoForm, maximumDepth: Int, maximumCount: Int) {
        self.form = form
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

    /// The key of an entry, where that is not the string of its coding key.
    private let ownKey: AnyHashable?

    /// The form in which values are put in.
    var form: UserInfoForm { session.form }

    /// The dictionary as a whole.
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

    /// The keys that lead to the place, outermost first.
    var codingPath: [any CodingKey] { path?.keys ?? [] }

    private var pathCount: Int { path?.count ?? 0 }

    /// Puts a value into the place, which was made for it.
    func put<T: Encodable>(_ value: T) throws {
        if let failure = session.failure { throw EncodingError.invalidValue(value, failure) }
        switch form {
        case .values:
            // What a notification encodes in its own place is looked into as well.
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
                try putPropertyList(scalar)
                return
            }
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
            throw failure("has no form in a property list", value: value)
        }
    }

    /// Puts a value here as a property list has it.
    private func putPropertyList(_ scalar: any UserInfoScalar) throws {
        guard let value = scalar.propertyListValue else {
            throw failure("has no form in a property list", value: scalar)
        }
        content = .value(value)
    }

    /// Puts `NSNull` here, which stands for no value.
    func putNil() {
        if form == .propertyList { session.fail("is nil, for which a property list has no form", at: codingPath) }
        content = .value(NSNull())
    }

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
    ///
    /// - Parameters:
    ///   - key: The coding key.
    ///   - ownKey: The key of the dictionary, if that is not the string of the coding key.
    /// - Returns: The place.
    func entry(_ key: any CodingKey, under ownKey: AnyHashable?) -> EncodingNode {
        guard let node = place(under: key, ownKey) else { return detached }
        if form == .propertyList, let ownKey, castExactly(ownKey.base, to: String.self) == nil {
            session.fail("has a key that is no string, as those of property lists are", at: node.codingPath)
        }
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
    private func place(under key: any CodingKey, _ ownKey: AnyHashable? = nil) -> EncodingNode? {
        let path = EncodingPath(key, after: path)
        if path.count > max(0, session.maximumDepth) + 1 {
            session.fail("lies too deep", at: path.keys)
        } else if !session.take() {
            session.fail("is one too many", at: path.keys)
        } else {
            return EncodingNode(at: path, under: ownKey, session)
        }
        return nil
    }

    /// How many elements this array has.
    var count: Int {
        if case .elements(let elements) = content { elements.count } else { 0 }
    }

    /// Encodes a value as this dictionary, and returns everything that it has put in.
    // Compiled once, and not for each type of the catalogue: what takes the time is done by the type itself.
    @_semantics("optimize.sil.specialize.generic.never")
    func userInfo<T: Encodable>(from value: T) throws -> [AnyHashable: Any] {
        try value.encode(to: self)
        if let failure = session.failure { throw EncodingError.invalidValue(value, failure) }
        switch content {
        case nil: return [:]
        case .entries(let entries):
            let userInfo = Self.withOwnKeys(entries)
            if userInfo.count < entries.count { throw failure("has two coding keys for one key", value: value) }
            return userInfo
        case .value, .elements: throw failure("is not encoded as a dictionary", value: value)
        }
    }

    private var untyped: Any {
        switch content {
        case nil: [String: Any]()
        case .value(let value): value
        case .entries(let entries):
            entries.values.contains { $0.ownKey != nil } ? Self.withOwnKeys(entries) : entries.mapValues(\.untyped)
        case .elements(let elements): elements.map(\.untyped)
        }
    }

    private static func withOwnKeys(_ entries: [String: EncodingNode]) -> [AnyHashable: Any] {
        Dictionary(entries.map { ($1.ownKey ?? AnyHashable($0), $1.untyped) }) { first, _ in first }
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
