import Foundation
import TestSupport
import Testing
import TidingsFoundation

/// The decoder doesn't read the contents of a value that has the wrong type, and reads other values within limits.
@Suite(.timeLimit(.minutes(2))) struct HostileValueTests {
    private static let decoder = {
        var decoder = UserInfoDecoder()
        decoder.maximumCount = 2_000
        return decoder
    }()

    private struct Wrapped<Value: Decodable>: Decodable { var value: Value }

    private func failure<T: Decodable>(
        _ type: T.Type, _ hostile: HostileValue
    ) -> (error: NotificationDecodingError?, lookCount: Int) {
        let userInfo: [AnyHashable: Any] = ["value": hostile.value]
        let (result, lookCount) = Self.decoder.decodeCounting(
            Wrapped<T>.self, from: userInfo, notification: "Test")
        if case .failure(let error) = result { return (error, lookCount) }
        return (nil, lookCount)
    }

    private func expectRefusal<T: Decodable>(
        _ type: T.Type, _ hostile: HostileValue, levelsOfParts: Int = 0, _ location: SourceLocation = #_sourceLocation
    ) {
        let (error, lookCount) = failure(type, hostile)
        #expect(error?.reason == .mistyped, sourceLocation: location)
        let levels = error?.keyPath.dropFirst()
        #expect(error?.keyPath.first == "value", sourceLocation: location)
        #expect(
            levels.map { $0.count <= levelsOfParts && $0.allSatisfy { $0 == "0" } } == true, sourceLocation: location)
        #expect(error.map { $0.description.utf8.count < 400 } == true, sourceLocation: location)
        #expect(lookCount <= 8 + levelsOfParts, sourceLocation: location)
    }

    /// Pairs of equal keys or set elements whose hash values differ on Linux. In most pairs, one value is of a
    /// Foundation type, and the other is of a Swift type.
    private static var twins: [(AnyHashable, AnyHashable)] {
        [
            (5, AnyHashable(NSNumber(value: 5))), (1, AnyHashable(NSNumber(value: true))),
            (1.5, AnyHashable(NSNumber(value: 1.5))), ("a", AnyHashable(NSString(string: "a"))),
            (AnyHashable(NSString(string: "e\u{301}")), AnyHashable(NSString(string: "\u{e9}"))),
            (AnyHashable(Date.distantPast), AnyHashable(NSDate.distantPast as NSDate)),
        ]
    }

    private func readAll(_ value: Any) {
        let reader = UserInfoReader(
            Notification(name: Notification.Name("Test"), object: nil, userInfo: ["value": value]))
        _ = try? reader.value(for: "value", as: [Int: NSNumber].self)
        _ = try? reader.value(for: "value", as: [Double: NSNumber].self)
        _ = try? reader.value(for: "value", as: [String: NSNumber].self)
        _ = try? reader.value(for: "value", as: [NSObject: NSNumber].self)
        _ = try? reader.value(for: "value", as: [AnyHashable: NSNumber].self)
        _ = try? reader.value(for: "value", as: Set<NSNumber>.self)
        _ = try? reader.value(for: "value", as: Set<NSString>.self)
        _ = try? reader.value(for: "value", as: Set<NSObject>.self)
    }

    @Test func `reading a collection with equal keys of Foundation types and Swift types doesn't crash`() {
        // It depends on chance whether a dictionary detects that equal keys have different hash values.
        for _ in 0..<50 {
            for (first, second) in Self.twins {
                var dictionary = [AnyHashable: Any](minimumCapacity: 64)
                var set = Set<AnyHashable>(minimumCapacity: 64)
                for key in [first, second] + (100..<120).map({ AnyHashable($0) }) {
                    dictionary[key] = NSNumber(value: 1)
                    set.insert(key)
                }
                readAll(dictionary)
                readAll(set)
            }
        }
    }

    @Test(arguments: HostileValue.all)
    func `if a single value is expected, a collection is rejected, and at most its first part is read`(
        hostile: HostileValue
    ) {
        expectRefusal(Int.self, hostile)
        expectRefusal(UInt8.self, hostile)
        expectRefusal(Int128.self, hostile)
        expectRefusal(Double.self, hostile)
        expectRefusal(CGFloat.self, hostile)
        expectRefusal(Decimal.self, hostile)
        expectRefusal(Bool.self, hostile)
        expectRefusal(String.self, hostile)
        expectRefusal(Date.self, hostile)
        expectRefusal(Data.self, hostile)
        expectRefusal(URL.self, hostile)
        expectRefusal(UUID.self, hostile)
        // In a property list, these types are arrays of their parts, so the decoder reads the first part.
        expectRefusal(CGRect.self, hostile, levelsOfParts: 2)
        expectRefusal(NSRange.self, hostile, levelsOfParts: 1)
        expectRefusal(Range<Int>.self, hostile, levelsOfParts: 1)
    }

    private final class Chain: Decodable {
        var e: [Chain]?
        var j: Chain?
        init(from decoder: any Decoder) throws {
            if var elements = try? decoder.unkeyedContainer() {
                e = []
                while !elements.isAtEnd { e?.append(try elements.decode(Chain.self)) }
            } else {
                let entries = try decoder.container(keyedBy: CodingKeys.self)
                e = try entries.decodeIfPresent([Chain].self, forKey: .e)
                j = try entries.decodeIfPresent(Chain.self, forKey: .j)
            }
        }
        enum CodingKeys: CodingKey { case e, j }
    }

    @Test(arguments: HostileValue.all)
    func `decoding a type that reads every value stops at the limits`(hostile: HostileValue) {
        let (error, lookCount) = failure(Chain.self, hostile)
        // A dictionary without any string keys is read as an empty one.
        #expect(error != nil || hostile.testDescription == "deep key")
        #expect(lookCount <= 4 * Self.decoder.maximumCount)
    }

    private enum Raw: Int { case one }

    private func reading<T>(_ type: T.Type, _ hostile: HostileValue) -> NotificationDecodingError? {
        let userInfo: [AnyHashable: Any] = ["value": hostile.value]
        let notification = Notification(name: Notification.Name("Test"), object: hostile.value, userInfo: userInfo)
        let reader = UserInfoReader(notification, limits: Self.decoder)
        do {
            _ = try reader.object(as: type)
            return nil
        } catch {}
        do {
            _ = try reader.value(for: "value", as: type)
        } catch {
            return error
        }
        return nil
    }

    @Test(arguments: HostileValue.all)
    func `reading a hostile value as a type that isn't Codable causes an error`(
        hostile: HostileValue
    ) {
        #expect(reading(Progress.self, hostile) != nil)
        #expect(reading(Progress?.self, hostile) != nil)
        #expect(reading([[[Progress]]].self, hostile) != nil)
        #expect(reading([String: [Progress]].self, hostile) != nil)
        #expect(reading([NSString: [Progress]].self, hostile) != nil)
        #expect(reading(Set<Progress>.self, hostile) != nil)
        #expect(reading(NSNumber.self, hostile) != nil)
        #expect(reading(NSString.self, hostile) != nil)
        #expect(reading(NSNull.self, hostile) != nil)
        #expect(reading(Raw.self, hostile) != nil)
        #expect(reading((any Error).self, hostile) != nil)
    }

    @Test(arguments: HostileValue.swift) func `Swift values are read as Foundation collections only within the limits`(
        hostile: HostileValue
    ) {
        for error in [
            reading(NSArray.self, hostile), reading(NSDictionary.self, hostile), reading(NSObject.self, hostile),
        ] {
            #expect(error == nil || error?.expected.hasPrefix("NS") == true)
        }
    }

    @Test func `small Swift collections are still read as Foundation collections`() throws {
        let userInfo: [AnyHashable: Any] = [
            "array": [1, [2]] as [Any], "dictionary": ["a": 1], "text": "x", "set": Set(["a"]), "number": 5,
            "optional": [Int]?.some([1]) as Any,
        ]
        let reader = UserInfoReader(Notification(name: Notification.Name("Test"), object: nil, userInfo: userInfo))
        #expect(try reader.value(for: "array", as: NSArray.self) == [1, [2]] as NSArray)
        #expect(try reader.value(for: "dictionary", as: NSDictionary.self) == ["a": 1] as NSDictionary)
        #expect(try reader.value(for: "text", as: NSString.self) == "x")
        #expect(try reader.value(for: "number", as: NSNumber.self) == 5)
        #expect(try reader.value(for: "set", as: NSSet.self) == NSSet(object: "a"))
        #expect(try reader.value(for: "optional", as: NSArray.self) == [1])
    }

    /// Throws the hostile value in errors of every shape.
    private struct Thrower: Decodable {
        @TaskLocal static var hostile = HostileValue("none", 0)
        @TaskLocal static var shape = 0
        init(from decoder: any Decoder) throws {
            let value = Self.hostile.value
            switch Self.shape {
            case 0: throw Plain(found: value)
            case 1: throw Shaped.one(value)
            case 2: throw Shaped.two(value, count: 2)
            case 3: throw Shaped.none
            default: throw NSError(domain: "Test", code: 7, userInfo: ["found": value])
            }
        }
    }

    private struct Plain: Error { nonisolated(unsafe) let found: Any }  // only used by the thread that creates it

    private enum Shaped: Error, @unchecked Sendable {  // only used by the thread that creates it
        case none
        case one(Any)
        case two(Any, count: Int)
    }

    private func detail(_ hostile: HostileValue, _ shape: Int) -> String? {
        Thrower.$hostile.withValue(hostile) {
            Thrower.$shape.withValue(shape) {
                #expect(throws: NotificationDecodingError.self) {
                    try UserInfoDecoder().decode(Wrapped<Thrower>.self, from: ["value": 1], notification: "Test")
                }?
                .detail
            }
        }
    }

    @Test(arguments: HostileValue.all) func `an error message about a hostile value is short`(
        hostile: HostileValue
    ) {
        for shape in 0...4 { #expect(detail(hostile, shape).map { $0.utf8.count < 400 } == true) }
    }

    @Test func `an error message describes a thrown error, but names only the types of collections in the error`() {
        let hostile = HostileValue("array", [1, [2]] as [Any])
        #expect(detail(hostile, 0) == "Plain(found: Array<Any>)")
        #expect(detail(hostile, 1) == "one(Array<Any>)")
        #expect(detail(hostile, 2) == "two(Array<Any>, count: Int 2)")
        #expect(detail(hostile, 3) == "none")
        #expect(detail(hostile, 4) == "Error Domain=Test Code=7")
    }

    @Test func `an error message contains the beginning of a long string, even if the string is a single character`() {
        for text in [String(repeating: "x", count: 100_000), "e" + String(repeating: "\u{301}", count: 100_000)] {
            for value in [text, NSString(string: text)] as [Any] {
                let error = #expect(throws: NotificationDecodingError.self) {
                    try UserInfoDecoder().decode(Wrapped<Int>.self, from: ["value": value], notification: "Test")
                }
                #expect(error?.found?.hasSuffix("…\"") == true)
                #expect(error.map { $0.description.utf8.count < 600 } == true)
            }
        }
    }

    private enum Mode: String, Decodable { case fast }

    @Test func `error messages abbreviate long keys and long messages of other errors`() {
        let text = String(repeating: "x", count: 100_000)
        let mode = #expect(throws: NotificationDecodingError.self) {
            try UserInfoDecoder().decode(Wrapped<Mode>.self, from: ["value": text], notification: "Test")
        }
        #expect(mode?.detail?.hasSuffix("…") == true)
        #expect(mode.map { $0.description.utf8.count < 1_000 } == true)
        let numbers = #expect(throws: NotificationDecodingError.self) {
            try UserInfoDecoder().decode(Wrapped<[String: Int]>.self, from: ["value": [text: ""]], notification: "Test")
        }
        #expect(numbers?.keyPath.first == "value" && numbers?.keyPath.last?.hasSuffix("x…") == true)
        #expect(numbers.map { $0.description.utf8.count < 1_000 } == true)
    }

    @Test(arguments: HostileValue.all) func `a hostile value in place of a payload or a typed value is an error`(
        hostile: HostileValue
    ) {
        Reports.collect()
        let descriptor = PayloadDescriptor<Int>(name: Notification.Name("HostileValueTests.\(hostile.testDescription)"))
        let userInfo: [AnyHashable: Any] = [
            "tidings.payload": hostile.value, "tidings.typed-notification": hostile.value,
        ]
        let notification = Notification(name: descriptor.name, object: nil, userInfo: userInfo)
        let error = #expect(throws: NotificationDecodingError.self) { try descriptor.decode(notification) }
        #expect(error?.reason == .mistyped)
        #expect(notification.typed(as: Posted.self) == nil)
        let center = NotificationCenter()
        let token = center.addObserver(descriptor: descriptor) { _ in }
        center.post(notification)
        #expect(Reports.of(descriptor.name.rawValue).map(\.error) == [error])
        withExtendedLifetime(token) {}
    }

    private struct Posted: TypedNotification {}
}
