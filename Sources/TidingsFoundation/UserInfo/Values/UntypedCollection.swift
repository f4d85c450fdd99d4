import Foundation

/// A Swift or Foundation dictionary, examined one level deep. The number of entries is known before any is accessed.
struct UntypedDictionary {
    private enum Source {
        case untyped([AnyHashable: Any])
        case swift(any SwiftDictionary)
        case foundation(NSDictionary)
    }

    private let source: Source

    init?(_ value: Any) {
        if let dictionary = castExactly(value, to: [AnyHashable: Any].self) {
            source = .untyped(dictionary)
        } else if isObject(value) {
            guard let dictionary = value as? NSDictionary else { return nil }
            source = .foundation(dictionary)
        } else {
            guard let dictionary = value as? any SwiftDictionary else { return nil }
            source = .swift(dictionary)
        }
    }

    var count: Int {
        switch source {
        case .untyped(let dictionary): dictionary.count
        case .swift(let dictionary): dictionary.count
        case .foundation(let dictionary): dictionary.count
        }
    }

    /// For a Foundation dictionary on Linux, only the entries with a string or an integer as the key.
    var entries: [(key: AnyHashable, value: Any)] {
        switch source {
        case .untyped(let dictionary): dictionary.map { $0 }
        case .swift(let dictionary): dictionary.untypedEntries
        case .foundation(let dictionary): dictionary.untypedEntries
        }
    }

    var userInfo: [AnyHashable: Any]? {
        if case .untyped(let dictionary) = source { dictionary } else { nil }
    }
}

/// A Swift or Foundation array or set, examined one level deep. The number of elements is known before any is accessed.
struct UntypedElements {
    private enum Source {
        case swift(any SwiftElements)
        case array(NSArray)
        case orderedSet(NSOrderedSet)
        case set(NSSet)
    }

    private let source: Source

    init?(_ value: Any) {
        if !isObject(value) {
            guard let elements = value as? any SwiftElements else { return nil }
            source = .swift(elements)
        } else if let array = value as? NSArray {
            source = .array(array)
        } else if let set = value as? NSOrderedSet {
            source = .orderedSet(set)
        } else if let set = value as? NSSet {
            source = .set(set)
        } else {
            return nil
        }
    }

    var count: Int {
        switch source {
        case .swift(let elements): elements.count
        case .array(let array): array.count
        case .orderedSet(let set): set.count
        case .set(let set): set.count
        }
    }

    var isSet: Bool {
        switch source {
        case .swift(let elements): elements.isSet
        case .array, .orderedSet: false
        case .set: true
        }
    }

    var elements: [Any] {
        switch source {
        case .swift(let elements): elements.untypedElements
        case .array(let array): array.untypedElements
        case .orderedSet(let set): set.untypedElements
        case .set(let set): set.untypedElements
        }
    }
}

private protocol SwiftDictionary {
    var count: Int { get }
    var untypedEntries: [(key: AnyHashable, value: Any)] { get }
}

extension Dictionary: SwiftDictionary {
    fileprivate var untypedEntries: [(key: AnyHashable, value: Any)] { map { (AnyHashable($0.key), $0.value) } }
}

private protocol SwiftElements {
    var count: Int { get }
    var isSet: Bool { get }
    var untypedElements: [Any] { get }
}

extension Array: SwiftElements {
    fileprivate var isSet: Bool { false }
    fileprivate var untypedElements: [Any] { map { $0 } }
}

extension Set: SwiftElements {
    fileprivate var isSet: Bool { true }
    fileprivate var untypedElements: [Any] { map { $0 } }
}

#if canImport(ObjectiveC)
    extension NSDictionary {
        fileprivate var untypedEntries: [(key: AnyHashable, value: Any)] {
            (self as? [AnyHashable: Any] ?? [:]).map { $0 }
        }
    }

    extension NSArray {
        fileprivate var untypedElements: [Any] { self as? [Any] ?? [] }
    }

    extension NSOrderedSet {
        fileprivate var untypedElements: [Any] { array }
    }

    extension NSSet {
        fileprivate var untypedElements: [Any] { allObjects }
    }
#else
    // On Linux, Foundation converts the whole content of its collections to Swift values whenever it returns an
    // element, and doesn't terminate if a collection contains itself. The mirrors of the collections contain the
    // original elements.

    extension NSDictionary {
        fileprivate var untypedEntries: [(key: AnyHashable, value: Any)] {
            var entries: [(key: AnyHashable, value: Any)] = []
            for case let (key, object) as (key: NSObject, value: AnyObject) in customMirror.children.lazy.map(\.value) {
                let name = (key as? String).map { AnyHashable($0) } ?? (key as? Int).map { AnyHashable($0) }
                guard let name else { continue }
                entries.append((name, isFoundationCollection(object) ? object : self.object(forKey: key) ?? object))
            }
            return entries
        }
    }

    extension NSArray {
        fileprivate var untypedElements: [Any] { orderedElements(of: self, count: count) { object(at: $0) } }
    }

    extension NSOrderedSet {
        fileprivate var untypedElements: [Any] { orderedElements(of: self, count: count) { object(at: $0) } }
    }

    extension NSSet {
        fileprivate var untypedElements: [Any] { Mirror(reflecting: self).children.map(\.value) }
    }

    /// Elements that are collections themselves are returned unchanged.
    private func orderedElements(of collection: NSObject, count: Int, at index: (Int) -> Any) -> [Any] {
        // The mirror of an ordered set that was created with a duplicate element has more elements than the set.
        Mirror(reflecting: collection).children.prefix(count).enumerated().map { position, child in
            isFoundationCollection(child.value) ? child.value : index(position)
        }
    }
#endif

func isFoundationCollection(_ value: Any) -> Bool {
    guard isObject(value) else { return false }
    return value is NSDictionary || value is NSArray || value is NSSet || value is NSOrderedSet
}
