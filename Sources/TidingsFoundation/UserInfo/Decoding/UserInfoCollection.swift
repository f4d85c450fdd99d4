import Foundation

/// Looks into dictionaries, arrays and sets, Swift's and Foundation's, one level deep.
///
/// On Linux, Foundation turns everything inside its collections into Swift values whenever it hands out an element, without
/// end if a collection contains itself. What is in them is therefore read through their mirrors, where it is as it was put in.
enum UserInfoCollection {
    /// Whether a value is an object of one of Foundation's collection classes.
    static func isFoundations(_ value: Any) -> Bool {
        guard type(of: value) is AnyObject.Type else { return false }
        return value is NSDictionary || value is NSArray || value is NSSet || value is NSOrderedSet
    }

    /// The entries of a dictionary; `nil` if the value is none.
    static func entries(of value: Any) -> [AnyHashable: Any]? {
        #if !canImport(ObjectiveC)
            if type(of: value) is AnyObject.Type {
                return (value as? NSDictionary).map(entries)
            }
        #endif
        return value as? [AnyHashable: Any]
    }

    /// The elements of an array or a set; `nil` if the value is neither.
    static func elements(of value: Any) -> [Any]? {
        if type(of: value) is AnyObject.Type {
            #if canImport(ObjectiveC)
                if let set = value as? NSSet { return set.allObjects }
                if let set = value as? NSOrderedSet { return set.array }
            #else
                if let array = value as? NSArray {
                    return elements(of: array, count: array.count) { array.object(at: $0) }
                }
                if let set = value as? NSOrderedSet {
                    return elements(of: set, count: set.count) { set.object(at: $0) }
                }
                if let set = value as? NSSet { return Mirror(reflecting: set).children.map(\.value) }
                return nil
            #endif
        }
        if let elements = value as? [Any] { return elements }
        return (value as? Set<AnyHashable>).map { $0.map(\.base) }
    }

    #if !canImport(ObjectiveC)
        private static func entries(_ dictionary: NSDictionary) -> [AnyHashable: Any] {
            var entries: [AnyHashable: Any] = [:]
            for case let (key, object) as (key: NSObject, value: AnyObject) in dictionary.customMirror.children.lazy
                .map(\.value)
            {
                let value = isFoundations(object) ? object : dictionary.object(forKey: key)
                if let string = key as? String {
                    entries[string] = value
                } else if let number = key as? Int {
                    entries[number] = value
                }
            }
            return entries
        }

        /// The elements of an ordered collection; those that are collections themselves as they were put in.
        private static func elements(of collection: NSObject, count: Int, at index: (Int) -> Any) -> [Any] {
            // An ordered set that was made with the same element twice has more elements than it counts.
            Mirror(reflecting: collection).children.prefix(count).enumerated().map { position, child in
                isFoundations(child.value) ? child.value : index(position)
            }
        }
    #endif
}
