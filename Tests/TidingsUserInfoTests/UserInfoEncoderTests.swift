import Foundation
import Testing
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct UserInfoEncoderTests {
    private let name = Notification.Name("Test")

    private func encode(_ value: some Encodable) throws -> [AnyHashable: Any] {
        try UserInfoEncoder(form: .objects).encode(value, notification: name)
    }

    private struct Payload: Codable {
        var frame = CGRect(x: 1, y: 2, width: 3, height: 4)
        var selection = 2..<5
        var duration = 0.25
        var count = UInt64.max
        var wide = Int128.max
        var local = true
        var title = "Inbox"
        var date = Date(timeIntervalSince1970: 5)
        var data = Data([1, 2])
        var mode = Mode.fast
        var missing: Int?
        var list: [Int?] = [1, nil]
        var nested = ["a": Nested()]
        enum Mode: String, Codable { case fast }
        struct Nested: Codable { var point = CGPoint(x: 1, y: 2) }
        enum CodingKeys: String, CodingKey {
            case frame = "FrameKey"
            case selection, duration, count, wide, local, title, date, data, mode, missing, list, nested
        }
    }

    @Test func `untyped code reads the same values that a framework would have posted`() throws {
        let userInfo = try encode(Payload())
        #expect((userInfo["FrameKey"] as? NSValue)?.rectValue == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect((userInfo["selection"] as? NSValue)?.rangeValue == NSRange(location: 2, length: 3))
        #expect((userInfo["duration"] as? NSNumber)?.doubleValue == 0.25)
        #expect((userInfo["count"] as? NSNumber)?.uint64Value == .max)
        #expect(userInfo["wide"] as? Int128 == .max)
        #expect((userInfo["local"] as? NSNumber)?.boolValue == true)
        #expect((userInfo["title"] as? NSString)?.length == 5)
        #expect(userInfo["date"] as? Date == Date(timeIntervalSince1970: 5))
        #expect(userInfo["data"] as? Data == Data([1, 2]))
        #expect(userInfo["mode"] as? String == "fast")
        #expect(userInfo.keys.contains("missing") == false)
        let list = try #require(userInfo["list"] as? [Any])
        #expect(list.first as? Int == 1 && list.last is NSNull)
        let nested = try #require((userInfo["nested"] as? [String: Any])?["a"] as? [String: Any])
        #expect((nested["point"] as? NSValue)?.pointValue == CGPoint(x: 1, y: 2))
    }

    @Test func `a range that NSRange can't represent stays a Swift range`() throws {
        struct Ranges: Codable {
            var below = -3..<(-1)
            var all = Int.min..<Int.max
            var last = Int.max..<Int.max
        }
        let userInfo = try encode(Ranges())
        #expect(userInfo["below"] as? Range<Int> == -3..<(-1))
        #expect(userInfo["all"] as? Range<Int> == Int.min..<Int.max)
        #expect(userInfo["last"] as? Range<Int> == Int.max..<Int.max)
    }

    @Test func `a value without properties becomes an empty dictionary`() throws {
        struct Nothing: Codable {}
        struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
        #expect(try encode(Nothing()).isEmpty)
        #expect(try encode(Silent()).isEmpty)
        #expect(try (encode(["a": Silent()])["a"] as? [String: Any])?.isEmpty == true)
    }

    private func reason(_ value: some Encodable) -> String? {
        #expect(throws: NotificationEncodingError.self) { try encode(value) }?.reason
    }

    @Test func `a value that doesn't encode as a dictionary is an error`() {
        #expect(reason(5) == "a value of type Int is not encoded as a dictionary")
        #expect(reason([1]) == "a value of type Array<Int> is not encoded as a dictionary")
    }

    private struct Refusing: Encodable {
        struct Unhappy: Error {}
        let encodes: Bool
        func encode(to encoder: any Encoder) throws {
            if encodes {
                throw EncodingError.invalidValue(5, .init(codingPath: encoder.codingPath, debugDescription: "is odd"))
            }
            throw Unhappy()
        }
    }

    @Test func `an error thrown by a type's own encoding is reported`() {
        #expect(reason(["a": ["b": Refusing(encodes: true)]]) == "a value of type Int under a.b is odd")
        #expect(reason(["a": Refusing(encodes: false)]) == "Unhappy()")
    }

    private class Base: Codable { var base = 1 }
    private final class Derived: Base {
        var own = 2
        override init() { super.init() }
        required init(from decoder: any Decoder) throws {
            own = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .own)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(own, forKey: .own)
            try super.encode(to: encoder)
        }
        enum CodingKeys: CodingKey { case own }
    }

    @Test func `a class and its superclass can be encoded into one dictionary`() throws {
        let userInfo = try encode(Derived())
        #expect(userInfo["base"] as? Int == 1 && userInfo["own"] as? Int == 2)
        let derived = try UserInfoDecoder().decode(Derived.self, from: userInfo, notification: "Test")
        #expect(derived.base == 1 && derived.own == 2)
    }

    private struct Nested: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode(1)
            try list.encodeNil()
            var object = list.nestedContainer(keyedBy: Key.self)
            try object.encodeNil(forKey: .name)
            var inner = list.nestedUnkeyedContainer()
            try inner.encode("x")
            try "s".encode(to: list.superEncoder())
            #expect(list.count == 5)
            #expect(inner.codingPath.map(\.stringValue) == ["list", "3"])
            try 5.encode(to: container.superEncoder())
            try 6.encode(to: container.superEncoder(forKey: .name))
            var deep = container.nestedContainer(keyedBy: Key.self, forKey: .object)
            try deep.encode(7, forKey: .name)
            #expect(deep.codingPath.map(\.stringValue) == ["object"])
        }
        enum Key: CodingKey { case list, object, name }
    }

    @Test func `nested containers write into one dictionary`() throws {
        let userInfo = try encode(Nested())
        let list = try #require(userInfo["list"] as? [Any])
        #expect(list.count == 5)
        #expect(list[0] as? Int == 1 && list[1] is NSNull && list[4] as? String == "s")
        #expect((list[2] as? [String: Any])?["name"] is NSNull)
        #expect(list[3] as? [String] == ["x"])
        #expect(userInfo["super"] as? Int == 5 && userInfo["name"] as? Int == 6)
        #expect((userInfo["object"] as? [String: Any])?["name"] as? Int == 7)
    }
}
