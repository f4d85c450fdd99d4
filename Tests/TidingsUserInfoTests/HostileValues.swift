import Foundation
import Testing

@testable import TidingsFoundation

/// A value that no real code would post: nested 10,000 deep, containing another value 2^60 times, or containing itself.
///
/// The values are created once and never freed. The runtime frees a nested collection recursively, which needs stack in
/// proportion to the depth of the nesting.
struct HostileValue: @unchecked Sendable, CustomTestStringConvertible {  // immutable
    let testDescription: String
    let value: Any

    init(_ testDescription: String, _ value: Any) {
        self.testDescription = testDescription
        self.value = value
    }

    /// Swift collections, optionals and `AnyHashable`s. A cast to a class converts them, and everything inside, to
    /// Foundation collections.
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

    /// A value that is used as a key must be less deep, because a dictionary hashes its keys recursively.
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

    /// The dictionary is created entry by entry, because Foundation reads all contents of a Swift dictionary that it
    /// receives.
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

extension UserInfoDecoder {
    /// Decodes a value. Also returns the number of values that the decoder examined.
    func decodeCounting<T: Decodable>(
        _ type: T.Type = T.self, from userInfo: [AnyHashable: Any], notification: String
    ) -> (result: Result<T, NotificationDecodingError>, lookCount: Int) {
        let session = session(notification)
        let result = Result { () throws(NotificationDecodingError) in
            try session.decode(userInfo) { root throws(DecodingError) in try root.make(type) }
        }
        return (result, session.lookCount)
    }
}
