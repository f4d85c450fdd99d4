import Foundation
import Testing
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct UserInfoLimitsTests {
    private final class Chain: Codable {
        var next: Chain?
        init(next: Chain?) { self.next = next }
    }

    private struct Tree: Codable {
        var branches: [Tree]
        init(from decoder: any Decoder) throws { branches = try [Tree](from: decoder) }
    }

    private struct Wrapped<Value: Decodable>: Decodable { var value: Value }

    private func failure<T: Decodable>(
        _ type: T.Type, _ value: Any, _ decoder: UserInfoDecoder = UserInfoDecoder()
    ) -> NotificationDecodingError? {
        #expect(throws: NotificationDecodingError.self) {
            try decoder.decode(Wrapped<T>.self, from: ["value": value], notification: "Test")
        }
    }

    @Test func `a dictionary that contains itself is an error`() {
        let dictionary = NSMutableDictionary()
        dictionary["next"] = dictionary
        let error = failure(Chain.self, dictionary)
        #expect(error?.reason == .tooDeep)
        #expect(error?.found == "NSMutableDictionary")
        #expect(error?.keyPath.prefix(3) == ["value", "next", "next"])
        #expect(failure(Int.self, dictionary)?.reason == .mistyped)
        #expect(failure([String: Int].self, dictionary)?.keyPath == ["value", "next"])
        #expect(failure(CGRect.self, dictionary)?.reason == .mistyped)
        #expect(failure([Int].self, dictionary)?.reason == .mistyped)
        #expect(failure(String.self, dictionary)?.reason == .mistyped)
    }

    @Test func `arrays and sets that contain themselves are errors`() {
        let array = NSMutableArray()
        array.add(array)
        #expect(failure(Tree.self, array)?.reason == .tooDeep)
        #expect(failure([[Int]].self, array)?.keyPath == ["value", "0", "0"])
        let set = NSMutableSet()
        let inner = NSMutableArray(object: set)
        set.add(inner)
        #expect(failure(Tree.self, set)?.reason == .tooDeep)
        let ordered = NSMutableArray()
        ordered.add(NSOrderedSet(array: [1, 2]))
        ordered.add(ordered)
        #expect(failure([[Int]].self, ordered)?.keyPath == ["value", "1", "0"])
    }

    @Test func `nested collections with 2^60 elements exceed the maximum number of values`() {
        var array = NSArray()
        for _ in 0..<60 { array = NSArray(objects: array, array) }
        #expect(failure(Tree.self, array)?.reason == .tooMany)
        var decoder = UserInfoDecoder()
        decoder.maximumCount = 10
        #expect(failure(Tree.self, array, decoder)?.reason == .tooMany)
        #expect(failure([Int].self, NSArray(array: Array(0..<11)), decoder)?.reason == .tooMany)
    }

    @Test func `a collection of the right type is used as a whole, however large`() throws {
        var decoder = UserInfoDecoder()
        decoder.maximumCount = 1
        let numbers = Array(0..<100_000)
        #expect(
            try decoder.decode(Wrapped<[Int]>.self, from: ["value": numbers], notification: "Test").value == numbers)
    }

    /// Decodes nested dictionaries on a thread with a small stack, and returns the number of levels.
    private func depthOfChain(_ count: Int) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
                var value: [String: Any] = [:]
                for _ in 1..<count { value = ["next": value] }
                let result = Result {
                    var depth = 1
                    var chain = try UserInfoDecoder().decode(Chain.self, from: value, notification: "Test")
                    while let next = chain.next { (chain, depth) = (next, depth + 1) }
                    return depth
                }
                continuation.resume(with: result)
            }
            thread.stackSize = 512 * 1_024
            thread.start()
        }
    }

    @Test func `values nested up to the limit are read, even on a small stack`() async throws {
        #expect(try await depthOfChain(101) == 101)
        await #expect(throws: NotificationDecodingError.self) { try await depthOfChain(102) }
    }

    @Test func `the nesting limit can be configured`() {
        var decoder = UserInfoDecoder()
        decoder.maximumDepth = 1
        #expect(failure(Chain.self, ["next": ["next": [String: Any]()]], decoder)?.reason == .tooDeep)
    }

    private struct Endless: Decodable {
        init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
    }

    @Test func `a type that decodes itself recursively is an error`() {
        #expect(failure(Endless.self, 5)?.reason == .tooDeep)
    }

    @Test func `an object that refers to itself can't be encoded`() throws {
        let chain = Chain(next: nil)
        chain.next = chain
        defer { chain.next = nil }
        let error = #expect(throws: NotificationEncodingError.self) {
            try UserInfoEncoder(form: .objects).encode(chain, notification: Notification.Name("Test"))
        }
        #expect(error?.reason.contains("Chain under next.next") == true)
        #expect(error?.reason.hasSuffix("is nested too deeply") == true)
    }

    private final class Recursive: Encodable {
        let isInArray: Bool
        init(isInArray: Bool) { self.isInArray = isInArray }
        func encode(to encoder: any Encoder) throws {
            if isInArray {
                var container = encoder.unkeyedContainer()
                try container.encode(Optional(self))
            } else {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
    }

    private func failure(encoding value: some Encodable, _ encoder: UserInfoEncoder = UserInfoEncoder(form: .objects))
        -> String?
    {
        #expect(throws: NotificationEncodingError.self) {
            try encoder.encode(value, notification: Notification.Name("Test"))
        }?
        .reason
    }

    @Test func `an object that encodes itself recursively can't be encoded`() {
        #expect(failure(encoding: Recursive(isInArray: false)) == "a value of type Recursive is nested too deeply")
        #expect(
            failure(encoding: ["a": Recursive(isInArray: false)])
                == "a value of type Recursive under a is nested too deeply")
        let reason = failure(encoding: ["a": Recursive(isInArray: true)])
        #expect(reason?.contains("under a.0.0.0.0.") == true && reason?.hasSuffix("is nested too deeply") == true)
    }

    private final class Pair: Encodable {
        let isInPlace: Bool
        let next: Pair?
        init(_ next: Pair?, isInPlace: Bool) {
            self.next = next
            self.isInPlace = isInPlace
        }
        enum CodingKeys: CodingKey { case left, right }
        func encode(to encoder: any Encoder) throws {
            if isInPlace {
                var container = encoder.singleValueContainer()
                try container.encode(next)
                try container.encode(next)
            } else {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encodeIfPresent(next, forKey: .left)
                try container.encodeIfPresent(next, forKey: .right)
            }
        }
    }

    @Test(arguments: [false, true]) func `encoding objects that refer to one another many times fails quickly`(
        isInPlace: Bool
    ) {
        var pair: Pair?
        for _ in 0..<40 { pair = Pair(pair, isInPlace: isInPlace) }
        #expect(failure(encoding: ["a": pair])?.hasSuffix("exceeds the maximum number of values") == true)
    }

    @Test func `the number of values that are encoded can be configured`() throws {
        var encoder = UserInfoEncoder(form: .objects)
        encoder.maximumCount = 3
        let name = Notification.Name("Test")
        #expect(try encoder.encode(["a": [1, 2]], notification: name)["a"] as? [Int] == [1, 2])
        #expect(
            failure(encoding: ["a": [1, 2, 3]], encoder)
                == "a value of type Int under a.2 exceeds the maximum number of values")
        #expect(failure(encoding: Nested(depth: 4), encoder)?.hasSuffix("exceeds the maximum number of values") == true)
    }

    private struct Nested: Encodable {
        let depth: Int
        enum CodingKeys: CodingKey { case next }
        func encode(to encoder: any Encoder) {
            var container = encoder.container(keyedBy: CodingKeys.self)
            for _ in 0..<depth { container = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .next) }
        }
    }

    @Test func `endlessly nested containers can't be encoded`() throws {
        let name = Notification.Name("Test")
        #expect(throws: Never.self) {
            try UserInfoEncoder(form: .objects).encode(Nested(depth: 101), notification: name)
        }
        #expect(failure(encoding: Nested(depth: 102))?.hasSuffix("is nested too deeply") == true)
        #expect(failure(encoding: Nested(depth: 100_000))?.hasSuffix("is nested too deeply") == true)
    }
}
