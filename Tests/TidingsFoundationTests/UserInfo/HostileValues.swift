import Foundation
import Testing

/// A value that nobody would post: nested 10,000 deep, containing another one 2^60 times over, or containing itself.
///
/// They are made once and never freed: the runtime frees a nested collection by recursion, which needs as much stack as the
/// nesting is deep.
struct HostileValue: @unchecked Sendable, CustomTestStringConvertible {  // never changed
    let testDescription: String
    let value: Any

    init(_ testDescription: String, _ value: Any) {
        self.testDescription = testDescription
        self.value = value
    }

    /// Swift's collections, optionals and `AnyHashable`s. A cast to a class makes Foundation collections of them, with
    /// everything inside.
    static let swift = [
        HostileValue("deep array", nested { [$0] }),
        HostileValue("deep dictionary", nested { ["e": $0, "j": $0] as [String: Any] }),
        HostileValue("deep untyped dictionary", nested { ["j": $0] as [AnyHashable: Any] }),
        HostileValue("deep optional", nested { Any?.some($0) as Any }),
        HostileValue("deep hashable", nestedKeys(10_000)),
        HostileValue("deep key", [nestedKeys(1_000): 1] as [AnyHashable: Any]),
        HostileValue("shared array", shared { [$0, $0] }),
        HostileValue("shared dictionary", shared { ["e": [$0, $0], "j": $0] as [String: Any] }),
        HostileValue("shared typed dictionary", shared { ["e": [$0], "j": [$0, $0]] as [String: [Any]] }),
        HostileValue("shared in an optional", Any?.some(shared { [$0, $0] }) as Any),
        HostileValue("shared in a struct", (shared { [$0, $0] }, 1) as Any),
    ]

    /// Foundation's collections.
    static let foundation = [
        HostileValue("deep NSArray", nested { array($0) }),
        HostileValue("deep NSDictionary", nested { value in dictionary(["j": value]) }),
        HostileValue("shared NSArray", shared { array($0, $0) }),
        HostileValue("shared NSDictionary", shared { value in dictionary(["e": array(value), "j": value]) }),
        HostileValue("NSDictionary in itself", circle(NSMutableDictionary()) { ($0["e"], $0["j"]) = (array($0), $0) }),
        HostileValue("NSArray in itself", circle(NSMutableArray()) { $0.addObjects(from: [$0, $0]) }),
        HostileValue("NSSet in itself", circle(NSMutableSet()) { $0.add(array($0)) }),
        HostileValue("NSDictionary in a Swift array", [circle(NSMutableDictionary()) { $0["j"] = $0 }]),
    ]

    static let all = swift + foundation

    private static func nested(_ wrap: (Any) -> Any) -> Any {
        var value: Any = 1
        for _ in 0..<10_000 { value = wrap(value) }
        return value
    }

    private static func shared(_ wrap: (Any) -> Any) -> Any {
        var value: Any = 1
        for _ in 0..<60 { value = wrap(value) }
        return value
    }

    /// A key is hashed when it is put in, so it cannot be so deep.
    private static func nestedKeys(_ depth: Int) -> AnyHashable {
        var key = AnyHashable(1)
        for _ in 0..<depth { key = AnyHashable([key]) }
        return key
    }

    private static func array(_ elements: Any...) -> NSMutableArray {
        let array = NSMutableArray()
        for element in elements { array.add(element) }
        return array
    }

    /// Made entry by entry, as Foundation looks into everything when it is handed a dictionary of Swift's.
    private static func dictionary(_ entries: KeyValuePairs<String, Any>) -> NSMutableDictionary {
        let dictionary = NSMutableDictionary()
        for (key, value) in entries { dictionary[key] = value }
        return dictionary
    }

    private static func circle<Collection: NSObject>(_ collection: Collection, close: (Collection) -> Void) -> Any {
        close(collection)
        return collection
    }
}
