import Foundation

/// A Swift or Foundation dictionary, examined one level deep. Its `count` is known before any entry is accessed.
protocol UntypedDictionary {
    var count: Int { get }

    /// The entries. For a Foundation dictionary on Linux, only the entries with a string or an integer as the key.
    var untypedEntries: [(key: AnyHashable, value: Any)] { get }
}

extension Dictionary: UntypedDictionary {
    var untypedEntries: [(key: AnyHashable, value: Any)] { map { (AnyHashable($0.key), $0.value) } }
}

/// A Swift or Foundation array or set, examined one level deep. Its `count` is known before any element is accessed.
protocol UntypedElements {
    var count: Int { get }
    var isSet: Bool { get }
    var untypedElements: [Any] { get }
}

extension UntypedElements {
    var isSet: Bool { false }
}

extension Array: UntypedElements {
    var untypedElements: [Any] { map { $0 } }
}

extension Set: UntypedElements {
    var isSet: Bool { true }
    var untypedElements: [Any] { map { $0 } }
}

extension NSDictionary: UntypedDictionary {}
extension NSArray: UntypedElements {}
extension NSOrderedSet: UntypedElements {}

extension NSSet: UntypedElements {
    var isSet: Bool { true }
}

#if canImport(ObjectiveC)
    extension NSDictionary {
        var untypedEntries: [(key: AnyHashable, value: Any)] {
            (self as? [AnyHashable: Any] ?? [:]).map { $0 }
        }
    }

    extension NSArray {
        var untypedElements: [Any] { self as? [Any] ?? [] }
    }

    extension NSOrderedSet {
        var untypedElements: [Any] { array }
    }

    extension NSSet {
        var untypedElements: [Any] { allObjects }
    }
#else
    // On Linux, Foundation converts the whole content of its collections to Swift values whenever it returns an
    // element, and doesn't terminate if a collection contains itself. So the elements are read from the collections'
    // mirrors, which contain the original elements.

    extension NSDictionary {
        var untypedEntries: [(key: AnyHashable, value: Any)] {
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
        var untypedElements: [Any] { orderedElements(of: self, count: count) { object(at: $0) } }
    }

    extension NSOrderedSet {
        var untypedElements: [Any] { orderedElements(of: self, count: count) { object(at: $0) } }
    }

    extension NSSet {
        var untypedElements: [Any] { Mirror(reflecting: self).children.map(\.value) }
    }

    /// Returns the elements of an array or an ordered set. Elements that are collections themselves stay unconverted.
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
