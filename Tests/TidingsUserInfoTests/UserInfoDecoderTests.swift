import Foundation
import Testing
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct UserInfoDecoderTests {
    private struct Payload: Decodable, Equatable {
        var frame: CGRect
        var duration: Double
        var title: String
        var count: Int?
        enum CodingKeys: String, CodingKey {
            case frame = "FrameKey"
            case duration = "DurationKey"
            case title = "TitleKey"
            case count = "CountKey"
        }
    }

    private let objects: [AnyHashable: Any] = [
        "FrameKey": NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4)), "DurationKey": NSNumber(value: 0.25),
        "TitleKey": NSString("Inbox"), "CountKey": NSNumber(value: 7),
    ]

    private func decode<T: Decodable>(_ type: T.Type, _ userInfo: [AnyHashable: Any]) throws -> T {
        try UserInfoDecoder().decode(type, from: userInfo, notification: "Test")
    }

    private struct Box<Value: Decodable>: Decodable { var value: Value }

    private func value<T: Decodable>(_ type: T.Type, _ value: Any) throws -> T {
        try decode(Box<T>.self, ["value": value]).value
    }

    private func failure<T: Decodable>(
        _ type: T.Type, _ userInfo: [AnyHashable: Any]
    ) -> NotificationDecodingError? {
        #expect(throws: NotificationDecodingError.self) { try decode(type, userInfo) }
    }

    private func failure<T: Decodable>(_ type: T.Type, value: Any) -> NotificationDecodingError? {
        failure(Box<T>.self, ["value": value])
    }

    @Test func `Foundation objects are read by coding keys`() throws {
        let payload = try decode(Payload.self, objects)
        #expect(
            payload
                == Payload(frame: CGRect(x: 1, y: 2, width: 3, height: 4), duration: 0.25, title: "Inbox", count: 7))
    }

    @Test func `values that already have the right type are used unchanged`() throws {
        let url = try #require(URL(string: "https://example.org/a"))
        #expect(
            try value(CGRect.self, CGRect(x: 1, y: 2, width: 3, height: 4)) == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(try value(URL.self, url) == url)
        #expect(try value(Date.self, Date(timeIntervalSince1970: 5)) == Date(timeIntervalSince1970: 5))
        #expect(try value(Data.self, Data([1, 2])) == Data([1, 2]))
        #expect(try value(Range<Int>.self, 1..<5) == 1..<5)
        #expect(try value(ClosedRange<Int>.self, 1...5) == 1...5)
        #expect(try value([String: [Int]].self, ["a": [1]]) == ["a": [1]])
        #expect(try value(Locale.self, Locale(identifier: "de_CH")) == Locale(identifier: "de_CH"))
        #expect(try value(Refusing.self, Refusing()) == Refusing())
    }

    private struct Refusing: Decodable, Equatable {
        init() {}
        init(from decoder: any Decoder) throws {
            throw DecodingError.valueNotFound(Self.self, .init(codingPath: [], debugDescription: "never"))
        }
    }

    @Test func `objects are bridged to Swift values`() throws {
        let url = try #require(NSURL(string: "https://example.org/a"))
        #expect(try value(URL.self, url) == url as URL)
        #expect(try value(Date.self, NSDate(timeIntervalSince1970: 5)) == Date(timeIntervalSince1970: 5))
        #expect(try value(Data.self, NSData(data: Data([1, 2]))) == Data([1, 2]))
        #expect(
            try value(UUID.self, NSUUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any).uuidString
                == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(try value(String.self, NSMutableString("abc")) == "abc")
        #expect(try value(Locale.self, NSLocale(localeIdentifier: "de_CH")).identifier == "de_CH")
        #expect(try value(IndexPath.self, NSIndexPath(index: 4)) == IndexPath(index: 4))
        #expect(try value(Decimal.self, NSDecimalNumber(string: "1.10")) == Decimal(string: "1.1"))
    }

    @Test func `structures are read from an NSValue, whatever numbers they contain`() throws {
        #expect(try value(CGPoint.self, NSValue(point: CGPoint(x: 1, y: 2))) == CGPoint(x: 1, y: 2))
        #expect(try value(CGSize.self, NSValue(size: CGSize(width: 1, height: 2))) == CGSize(width: 1, height: 2))
        #expect(
            try value(NSRange.self, NSValue(range: NSRange(location: 1, length: 2))) == NSRange(location: 1, length: 2))
        #expect(try value(Range<Int>.self, NSValue(range: NSRange(location: 1, length: 2))) == 1..<3)
        #expect(try value(CGRect.self, NSValue(rect: .null)).isNull)
        #expect(try value(CGRect.self, NSValue(rect: .infinite)).isInfinite)
        let broken = try value(CGRect.self, NSValue(rect: CGRect(x: Double.nan, y: 1, width: -2, height: -0.0)))
        #expect(
            broken.origin.x.isNaN && broken.origin.y == 1 && broken.size.width == -2
                && broken.size.height.sign == .minus)
        #expect(try value(CGPoint.self, NSValue(point: CGPoint(x: 1, y: Double.nan))).y.isNaN)
    }

    @Test func `an NSValue with another structure is an error`() {
        #expect(failure(CGRect.self, value: NSValue(point: .zero))?.reason == .mistyped)
        #expect(
            failure(CGRect.self, value: NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)))?.found
                == "NSValue")
        #expect(failure(CGPoint.self, value: NSValue(size: .zero))?.reason == .mistyped)
        #expect(
            failure(CGPoint.self, value: NSValue(rect: CGRect(x: Double.nan, y: 1, width: 2, height: 3)))?.reason
                == .mistyped
        )
        #expect(failure(CGSize.self, value: NSValue(range: NSRange(location: 0, length: 0)))?.reason == .mistyped)
        #expect(failure(NSRange.self, value: NSValue(point: .zero))?.reason == .mistyped)
        #expect(failure(CGRect.self, value: 5)?.expected == "CGRect")
    }

    @Test func `an NSRange that is not-found or overflows is an error when read as a Swift range`() {
        #expect(
            failure(Range<Int>.self, value: NSValue(range: NSRange(location: NSNotFound, length: 0)))?.reason
                == .inexact)
        #expect(failure(Range<Int>.self, value: NSValue(range: NSRange(location: 1, length: -1)))?.reason == .inexact)
        #expect(failure(Range<Int>.self, value: NSValue(range: NSRange(location: 5, length: .max)))?.reason == .inexact)
    }

    @Test func `a number is read as any type that represents it exactly`() throws {
        for number in [
            NSNumber(value: 100), 100, Int8(100), UInt64(100), 100.0, Float(100), CGFloat(100), Decimal(100),
        ] as [Any] {
            #expect(try value(Int.self, number) == 100)
            #expect(try value(Int8.self, number) == 100)
            #expect(try value(Int16.self, number) == 100)
            #expect(try value(Int32.self, number) == 100)
            #expect(try value(Int64.self, number) == 100)
            #expect(try value(Int128.self, number) == 100)
            #expect(try value(UInt.self, number) == 100)
            #expect(try value(UInt8.self, number) == 100)
            #expect(try value(UInt16.self, number) == 100)
            #expect(try value(UInt32.self, number) == 100)
            #expect(try value(UInt64.self, number) == 100)
            #expect(try value(UInt128.self, number) == 100)
            #expect(try value(Double.self, number) == 100)
            #expect(try value(Float.self, number) == 100)
            #expect(try value(CGFloat.self, number) == 100)
            #expect(try value(Decimal.self, number) == 100)
        }
        #expect(try value(UInt64.self, NSNumber(value: UInt64.max)) == .max)
        #expect(try value(Int64.self, NSNumber(value: Int64.min)) == .min)
        #expect(try value(Double.self, NSNumber(value: Float(0.5))) == 0.5)
        #expect(try value(Double.self, NSDecimalNumber(string: "0.1")) == 0.1)
        #expect(try value(Decimal.self, 0.1) == Decimal(string: "0.1"))
        #expect(try value(Float.self, NSNumber(value: Double.nan)).isNaN)
        #expect(try value(Double.self, Float.nan).isNaN)
        #expect(try value(Float.self, Double.infinity) == .infinity)
    }

    @Test func `a number that has no exact representation is an error and is never truncated`() {
        #expect(failure(Int.self, value: NSNumber(value: 1.5))?.reason == .inexact)
        #expect(failure(Int.self, value: Double.nan)?.reason == .inexact)
        #expect(failure(Int.self, value: Double.infinity)?.reason == .inexact)
        #expect(failure(Int.self, value: 1e300)?.reason == .inexact)
        #expect(failure(Int.self, value: NSNumber(value: UInt64.max))?.reason == .inexact)
        #expect(failure(Int8.self, value: 128)?.reason == .inexact)
        #expect(failure(UInt.self, value: NSNumber(value: -1))?.reason == .inexact)
        #expect(failure(Float.self, value: 0.1)?.reason == .inexact)
        #expect(failure(Float.self, value: 1e300)?.reason == .inexact)
        #expect(failure(Double.self, value: Int64.max)?.reason == .inexact)
        #expect(failure(Double.self, value: NSDecimalNumber(string: "0.12345678901234567890123"))?.reason == .inexact)
        #expect(failure(Int.self, value: NSDecimalNumber(string: "1.5"))?.reason == .inexact)
        #expect(failure(Int.self, value: NSDecimalNumber.notANumber)?.reason == .inexact)
        #expect(failure(Decimal.self, value: Double.infinity)?.reason == .inexact)
        #expect(failure(Decimal.self, value: 1e300)?.reason == .inexact)
        #expect(failure(Double.self, value: "1.5")?.reason == .mistyped)
    }

    @Test func `a Bool is read from the numbers 0 and 1, and numbers are read from a Bool`() throws {
        for one in [true, NSNumber(value: true), NSNumber(value: 1), 1, 1.0, UInt8(1)] as [Any] {
            #expect(try value(Bool.self, one))
            #expect(try value(Int.self, one) == 1)
        }
        for zero in [false, NSNumber(value: false), NSNumber(value: 0), 0, -0.0] as [Any] {
            #expect(try !value(Bool.self, zero))
            #expect(try value(Int.self, zero) == 0)
        }
        #expect(failure(Bool.self, value: 2)?.reason == .inexact)
        #expect(failure(Bool.self, value: NSNumber(value: -1))?.reason == .inexact)
        #expect(failure(Bool.self, value: 0.5)?.reason == .inexact)
        #expect(failure(Bool.self, value: "true")?.reason == .mistyped)
    }

    private enum Curve: Int, Decodable { case linear = 3 }
    private enum Mode: String, Decodable { case fast }
    private struct Flags: OptionSet, Decodable, Equatable { let rawValue: UInt8 }

    @Test func `enums and structs are read from their raw value`() throws {
        #expect(try value(Curve.self, NSNumber(value: 3)) == .linear)
        #expect(try value(Mode.self, NSString("fast")) == .fast)
        #expect(try value(Mode.self, Mode.fast) == .fast)
        #expect(try value(Flags.self, NSNumber(value: 6)) == Flags(rawValue: 6))
        #expect(try value([Curve].self, [NSNumber(value: 3), 3]) == [.linear, .linear])
        let unknown = failure(Curve.self, value: NSNumber(value: 9))
        #expect(unknown?.reason == .invalid)
        #expect(unknown?.keyPath == ["value"])
        #expect(unknown?.expected == "Curve")
        #expect(unknown?.found == "NSNumber 9")
        #expect(unknown?.detail?.contains("9") == true)
        #expect(failure(Flags.self, value: 256)?.reason == .inexact)
        #expect(failure(Mode.self, value: 5)?.reason == .mistyped)
    }

    private struct Album: Decodable, Equatable {
        var title: String
        var tracks: [Track]
        var notes: [String: Int?]
    }
    private struct Track: Decodable, Equatable {
        var length: Double
        var tags: Set<String>
        var place: CGPoint?
    }

    private let album = Album(
        title: "A",
        tracks: [
            Track(length: 2, tags: ["x", "y"], place: nil), Track(length: 3.5, tags: [], place: CGPoint(x: 1, y: 2)),
        ],
        notes: ["a": 1, "b": nil])

    @Test func `Swift dictionaries, arrays and sets are read at any depth`() throws {
        #expect(
            try value(
                Album.self,
                [
                    "title": "A",
                    "tracks": [
                        ["length": 2, "tags": ["x", "y"]],
                        ["length": 3.5, "tags": Set<String>(), "place": CGPoint(x: 1, y: 2)],
                    ] as [[String: Any]],
                    "notes": ["a": 1, "b": nil] as [String: Int?],
                ] as [String: Any]) == album)
    }

    @Test func `Foundation dictionaries, arrays and sets are read at any depth`() throws {
        let second = NSMutableDictionary()
        second["length"] = NSNumber(value: 3.5)
        second["tags"] = NSOrderedSet()
        second["place"] = NSValue(point: CGPoint(x: 1, y: 2))
        let first: NSDictionary = ["length": 2, "tags": NSSet(array: ["x", "y"]), "place": NSNull()]
        let dictionary: NSDictionary = [
            "title": NSString("A"), "tracks": NSMutableArray(array: [first, second]),
            "notes": ["a": 1, "b": NSNull()] as NSDictionary,
        ]
        #expect(try value(Album.self, dictionary) == album)
    }

    @Test func `an ordered set that was created with a duplicate element doesn't trap`() throws {
        #expect(try value(Set<Int>.self, NSOrderedSet(array: [1, 1])) == [1])
    }

    @Test func `Swift values inside Foundation collections are read unchanged`() throws {
        struct Refusals: Decodable {
            var refusing: Refusing; var mode: Mode; var list: [Refusing]; var ordered: [Refusing]
        }
        let dictionary = NSMutableDictionary()
        dictionary["refusing"] = Refusing()
        dictionary["mode"] = Mode.fast
        dictionary["list"] = NSArray(array: [Refusing()])
        dictionary["ordered"] = [Refusing()]
        let refusals = try value(Refusals.self, dictionary)
        #expect(refusals.mode == .fast && refusals.list.count == 1 && refusals.ordered.count == 1)
    }

    private struct Options: Decodable, Equatable {
        var number: Int?
        var frame: CGRect?
        var mode: Mode?
        var nested: Track?
        var flag: Bool?
    }

    @Test func `missing keys, NSNull and empty optionals are nil`() throws {
        #expect(try decode(Options.self, [:]) == Options())
        for none in [NSNull(), Int?.none as Any, Int??.some(nil) as Any] {
            let all = ["number": none, "frame": none, "mode": none, "nested": none, "flag": none]
            #expect(try decode(Options.self, all) == Options())
        }
        #expect(try value([Int?].self, [1, NSNull(), Int?.none as Any]) == [1, nil, nil])
    }

    @Test func `optionals with a value are read as that value`() throws {
        let userInfo: [AnyHashable: Any] = [
            "number": Int?.some(5) as Any, "frame": CGRect??.some(.zero) as Any, "mode": String?.some("fast") as Any,
            "nested": [String: Any]?.some(["length": Double?.some(1) as Any, "tags": [String]?.some([]) as Any]) as Any,
            "flag": Bool?.some(true) as Any,
        ]
        let options = try decode(Options.self, userInfo)
        #expect(
            options
                == Options(
                    number: 5, frame: .zero, mode: .fast, nested: Track(length: 1, tags: [], place: nil), flag: true))
    }

    @Test func `NSNull where a value is required is an error`() {
        let error = failure(Int.self, value: NSNull())
        #expect(error?.reason == .mistyped)
        #expect(error?.found == "NSNull")
        #expect(failure(Track.self, value: NSNull())?.found == "NSNull")
        #expect(failure(Curve.self, value: Int?.none as Any)?.found == "nil")
    }

    @Test func `integer keys are read as their digits, and other keys that aren't strings are skipped`() throws {
        let odd: [AnyHashable: Any] = [
            5: "five", 1.5: "x", NSNull(): "y", Date(): "z", AnyHashable([1, 2]): "list", "value": 1,
            NSString("value2"): 2,
        ]
        struct Odd: Decodable { var value: Int; var value2: Int }
        #expect(try decode(Odd.self, odd).value2 == 2)
        #expect(try value([Int: String].self, [5: "five", 6: "six"]) == [5: "five", 6: "six"])
        #expect(try value([Int: String].self, ["5": "five"]) == [5: "five"])
        #expect(try value([Int: String].self, NSDictionary(dictionary: [NSNumber(value: 5): "five"])) == [5: "five"])
    }

    @Test func `large dictionaries are read like small ones`() throws {
        var many = objects
        for index in 0..<1_000 { many["filler \(index)"] = index }
        many[7] = "seven"
        many[NSString("CountKey")] = many.removeValue(forKey: "CountKey")
        #expect(try decode(Payload.self, many) == decode(Payload.self, objects))
        var numbers: [AnyHashable: Any] = [:]
        for index in 0..<100 { numbers[index] = index }
        #expect(try value([Int: Int].self, numbers).count == 100)
    }

    @Test func `an error names the notification, the full key path, the expected type and the actual type`() {
        let userInfo: [AnyHashable: Any] = [
            "title": "A", "notes": [String: Int](),
            "tracks": [["length": 1, "tags": []], ["length": "long", "tags": []]] as [[String: Any]],
        ]
        #expect(
            failure(Album.self, userInfo)
                == NotificationDecodingError(
                    notification: "Test", keyPath: ["tracks", "1", "length"], expected: "Double",
                    found: "String \"long\"",
                    reason: .mistyped))
        #expect(
            failure(Album.self, ["title": "A"])
                == NotificationDecodingError(
                    notification: "Test", keyPath: ["tracks"], expected: "Array<Track>", found: nil, reason: .missing))
        #expect(
            failure(Box<Album>.self, ["value": ["title": "A", "tracks": "none"] as [String: Any]])
                == NotificationDecodingError(
                    notification: "Test", keyPath: ["value", "tracks"], expected: "Array<Any>",
                    found: "String \"none\"",
                    reason: .mistyped))
        #expect(failure(Int.self, [:])?.keyPath == [])
        #expect(failure(Int.self, value: [1, 2])?.found == "Array<Int>")
        #expect(failure(Int.self, value: NSMutableArray())?.found == "NSMutableArray")
    }

    private struct Picky: Decodable {
        var inner: Inner
        struct Inner: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: UserKey.self)
                switch try container.decode(Int.self, forKey: .kind) {
                case 0: throw Unhappy()
                case 1: throw DecodingError.dataCorruptedError(forKey: .kind, in: container, debugDescription: "odd")
                case 2:
                    throw DecodingError.keyNotFound(
                        UserKey.other, .init(codingPath: decoder.codingPath, debugDescription: "must"))
                case 3: throw DecodingError.typeMismatch(URL.self, .init(codingPath: [], debugDescription: "no URL"))
                case 4: throw DecodingError.valueNotFound(URL.self, .init(codingPath: [], debugDescription: "no URL"))
                case 5: _ = try? container.decode(URL.self, forKey: .kind)
                default:
                    do {
                        _ = try container.decode(URL.self, forKey: .kind)
                    } catch DecodingError.typeMismatch(let type, let context) where type == URL.self {
                        #expect(context.codingPath.map(\.stringValue) == ["inner", "kind"])
                    }
                }
            }
        }
        struct Unhappy: Error {}
        enum UserKey: String, CodingKey { case kind, other }
    }

    private func failure(kind: Int) -> NotificationDecodingError? {
        failure(Picky.self, ["inner": ["kind": kind]])
    }

    @Test func `an error thrown by a type's own initializer is converted and keeps its key path`() throws {
        #expect(failure(kind: 0)?.reason == .invalid)
        #expect(failure(kind: 0)?.keyPath == ["inner"])
        #expect(failure(kind: 0)?.expected == "Inner")
        #expect(failure(kind: 0)?.detail == "Unhappy()")
        #expect(failure(kind: 1)?.reason == .invalid)
        #expect(failure(kind: 1)?.keyPath == ["inner", "kind"])
        #expect(failure(kind: 1)?.detail == "odd")
        #expect(failure(kind: 2)?.reason == .missing)
        #expect(failure(kind: 2)?.keyPath == ["inner", "other"])
        #expect(failure(kind: 3)?.reason == .mistyped)
        #expect(failure(kind: 3)?.keyPath == ["inner"])
        #expect(failure(kind: 3)?.expected == "URL")
        #expect(failure(kind: 4)?.reason == .missing)
    }

    @Test func `a type's own initializer can catch Swift's decoding errors`() throws {
        _ = try decode(Picky.self, ["inner": ["kind": 5]])
        _ = try decode(Picky.self, ["inner": ["kind": 6]])
    }

    private class Base: Decodable { var base: Int }
    private final class Derived: Base {
        var own = 0
        enum CodingKeys: CodingKey { case own }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            own = try container.decode(Int.self, forKey: .own)
            try super.init(from: container.superDecoder())
        }
    }

    @Test func `classes are decoded with their inherited properties`() throws {
        let derived = try decode(Derived.self, ["own": 1, "super": ["base": 2]])
        #expect(derived.own == 1 && derived.base == 2)
        #expect(try value(Base.self, derived) === derived)
        #expect(failure(Derived.self, ["own": 1])?.keyPath == ["super"])
    }

    private struct Nested: Decodable {
        var numbers: [Int] = []
        var name = ""
        var rest: [String] = []
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            #expect(list.count == 4)
            numbers.append(try list.decode(Int.self))
            name = try list.nestedContainer(keyedBy: Key.self).decode(String.self, forKey: .name)
            var inner = try list.nestedUnkeyedContainer()
            while !inner.isAtEnd { numbers.append(try inner.decode(Int.self)) }
            rest = try [String](from: list.superDecoder())
            #expect(list.isAtEnd)
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
            #expect(throws: DecodingError.self) { try list.decodeNil() }
            let object = try container.nestedContainer(keyedBy: Key.self, forKey: .object)
            #expect(object.allKeys == [.name])
            #expect(object.contains(.name) && !object.contains(.list))
            #expect(try object.decodeNil(forKey: .name))
            #expect(throws: DecodingError.self) { try object.decodeNil(forKey: .list) }
            #expect(object.codingPath.map(\.stringValue) == ["object"])
            #expect(inner.codingPath.map(\.stringValue) == ["list", "2"])
            #expect(try container.superDecoder(forKey: .object).codingPath.map(\.stringValue) == ["object"])
        }
        enum Key: CodingKey { case list, object, name }
    }

    @Test func `initializers can use nested containers`() throws {
        let nested = try decode(
            Nested.self, ["list": [1, ["name": "n"], [2, 3], ["x"]] as [Any], "object": ["name": NSNull()]])
        #expect(nested.numbers == [1, 2, 3] && nested.name == "n" && nested.rest == ["x"])
    }

    @Test func `a missing userInfo is read as an empty one`() throws {
        let bare = Notification(name: Notification.Name("Bare"))
        #expect(try UserInfoDecoder().decode(Options.self, from: bare) == Options())
        let error = #expect(throws: NotificationDecodingError.self) {
            try UserInfoDecoder().decode(Track.self, from: bare)
        }
        #expect(error?.notification == "Bare" && error?.keyPath == ["length"])
    }
}
