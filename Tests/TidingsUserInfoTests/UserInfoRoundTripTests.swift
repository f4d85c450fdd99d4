import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

/// Encodes random values of every supported type, posts them to untyped observers, and decodes the notifications that
/// the observers receive.
///
/// `TIDINGS_ROUND_TRIP_SEED` repeats the values of a printed seed.
@Suite(.timeLimit(.ofRandomPrograms)) struct UserInfoRoundTripTests {
    private static let count = repetitions(25_000)
    private let seed =
        ProcessInfo.processInfo.environment["TIDINGS_ROUND_TRIP_SEED"].flatMap(UInt64.init)
        ?? UInt64.random(in: 0...UInt64.max)

    /// Encodes random values in the given forms, in turn. Decodes the values, and compares them with the originals.
    private func roundTrip<T: RandomlyMade & Codable & Equatable & Sendable>(
        _ type: T.Type, _ forms: [UserInfoForm] = [.values, .objects, .propertyList]
    ) throws {
        print("round trips of \(type) with TIDINGS_ROUND_TRIP_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        let center = NotificationCenter()
        let name = Notification.Name("RoundTrip")
        let decoded = ReceivedValues<T>()
        let observer = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            do {
                decoded.append(try UserInfoDecoder().decode(T.self, from: notification))
            } catch {
                Issue.record(error)
            }
        }
        defer { center.removeObserver(observer) }
        var originals: [T] = []
        for number in 0..<Self.count {
            let encoder = UserInfoEncoder(form: forms[number % forms.count])
            let original = T(using: &generator)
            originals.append(original)
            center.post(name: name, object: nil, userInfo: try encoder.encode(original, notification: name))
        }
        let values = decoded.values
        try #require(values.count == originals.count)
        for (value, original) in zip(values, originals) where value != original { #expect(value == original) }
    }

    private struct Numbers: RandomlyMade, Codable, Equatable {
        var flag: Bool
        var int: Int
        var int8: Int8
        var int16: Int16
        var int32: Int32
        var int64: Int64
        var int128: Int128
        var uint: UInt
        var uint8: UInt8
        var uint16: UInt16
        var uint32: UInt32
        var uint64: UInt64
        var uint128: UInt128
        var double: Double
        var float: Float
        var cgFloat: CGFloat
        var decimal: Decimal

        init(using generator: inout SeededGenerator) {
            flag = Bool.random(using: &generator)
            int = generator.integer()
            int8 = generator.integer()
            int16 = generator.integer()
            int32 = generator.integer()
            int64 = generator.integer()
            int128 = generator.integer()
            uint = generator.integer()
            uint8 = generator.integer()
            uint16 = generator.integer()
            uint32 = generator.integer()
            uint64 = generator.integer()
            uint128 = generator.integer()
            double = generator.double()
            float = Float(generator.double())
            cgFloat = CGFloat(generator.double())
            decimal = Decimal(generator.integer() as Int64) / 1_000
        }
    }

    @Test func `numbers are unchanged by round trips`() throws {
        try roundTrip(Numbers.self, [.values, .objects])
    }

    private struct Objects: RandomlyMade, Codable, Equatable {
        enum Kind: String, Codable, CaseIterable { case one, two, three }
        struct Options: OptionSet, Codable { let rawValue: UInt16 }
        enum Shape: Codable, Equatable { case circle(radius: Double), named(String), empty }
        var string: String
        var data: Data
        var date: Date
        var url: URL
        var uuid: UUID
        var kind: Kind
        var options: Options
        var shape: Shape

        init(using generator: inout SeededGenerator) {
            string = generator.string()
            data = Data(generator.list { $0.integer() })
            date = Date(timeIntervalSinceReferenceDate: generator.double())
            url = URL(string: "https://example.org/\(generator.integer() as UInt32)?q#f") ?? URL(fileURLWithPath: "/")
            uuid = generator.uuid()
            kind = Kind.allCases.randomElement(using: &generator) ?? .one
            options = Options(rawValue: generator.integer())
            shape =
                [.circle(radius: generator.double()), .named(generator.string()), .empty]
                .randomElement(using: &generator) ?? .empty
        }
    }

    @Test func `strings, data, dates, URLs and enums are unchanged by round trips`() throws {
        try roundTrip(Objects.self)
    }

    private struct Structures: RandomlyMade, Codable, Equatable {
        var rect: CGRect
        var point: CGPoint
        var size: CGSize
        var nsRange: NSRange
        var range: Range<Int>
        var closedRange: ClosedRange<Int>
        var dates: Range<Date>

        init(using generator: inout SeededGenerator) {
            point = CGPoint(x: generator.double(), y: generator.double())
            size = CGSize(width: generator.double(), height: generator.double())
            rect = CGRect(
                origin: CGPoint(x: size.height, y: point.x), size: CGSize(width: generator.double(), height: -0.0))
            nsRange = NSRange(location: generator.integer(), length: generator.integer())
            let bounds = [generator.integer(), generator.integer() as Int].sorted()
            range = bounds[0]..<bounds[1]
            closedRange = bounds[0]...bounds[1]
            dates = Date(timeIntervalSince1970: Double(bounds[0]))..<Date(timeIntervalSince1970: Double(bounds[1]))
        }

        static func == (lhs: Self, rhs: Self) -> Bool {
            // Rectangles are equal if they cover the same area, which is not enough here.
            (lhs.rect.origin, lhs.rect.size, lhs.point, lhs.size) == (
                rhs.rect.origin, rhs.rect.size, rhs.point, rhs.size
            )
                && (lhs.nsRange, lhs.range, lhs.closedRange, lhs.dates)
                    == (rhs.nsRange, rhs.range, rhs.closedRange, rhs.dates)
        }
    }

    @Test func `rectangles, points, sizes and ranges are unchanged by round trips`() throws {
        try roundTrip(Structures.self)
    }

    private struct Collections: RandomlyMade, Codable, Equatable {
        struct Pair: Codable, Hashable {
            var first: Int8
            var second: Bool

            init(using generator: inout SeededGenerator) {
                first = generator.integer()
                second = Bool.random(using: &generator)
            }
        }
        var numbers: [Int?]
        var named: [String: CGPoint]
        var numbered: [Int: String]
        var letters: Set<String>
        var pairs: [Pair: Int]
        var nested: [[Pair?]]
        var missing: Double?
        var inner: Inner?

        final class Inner: Codable, Equatable, Sendable {
            let frame: CGRect?
            let inner: Inner?

            init(using generator: inout SeededGenerator) {
                frame = Bool.random(using: &generator) ? CGRect(x: 1, y: 2, width: generator.double(), height: 4) : nil
                inner = Bool.random(using: &generator) ? Inner(using: &generator) : nil
            }

            static func == (lhs: Inner, rhs: Inner) -> Bool { lhs.frame == rhs.frame && lhs.inner == rhs.inner }
        }

        init(using generator: inout SeededGenerator) {
            numbers = generator.list { Bool.random(using: &$0) ? $0.integer() : nil }
            named = generator.dictionary { ($0.string(), CGPoint(x: $0.double(), y: $0.double())) }
            numbered = generator.dictionary { ($0.integer(), $0.string()) }
            letters = Set(generator.list { $0.string() })
            pairs = generator.dictionary { (Pair(using: &$0), $0.integer()) }
            nested = generator.list { $0.list { Bool.random(using: &$0) ? Pair(using: &$0) : nil } }
            missing = Bool.random(using: &generator) ? generator.double() : nil
            inner = Bool.random(using: &generator) ? Inner(using: &generator) : nil
        }
    }

    @Test func `collections and nested values are unchanged by round trips`() throws {
        try roundTrip(Collections.self, [.values, .objects])
    }
}

private protocol RandomlyMade {
    init(using generator: inout SeededGenerator)
}

extension SeededGenerator {
    /// Any integer, with small ones as likely as large ones.
    fileprivate mutating func integer<I: FixedWidthInteger>() -> I {
        I.random(in: I.min...I.max, using: &self) >> Int.random(in: 0..<I.bitWidth, using: &self)
    }

    /// Any number except NaN, which isn't equal to anything.
    fileprivate mutating func double() -> Double {
        let number = Double(bitPattern: next())
        return number.isNaN ? .infinity : number
    }

    fileprivate mutating func list<Element>(_ element: (inout Self) -> Element) -> [Element] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in element(&self) }
    }

    fileprivate mutating func dictionary<Key: Hashable, Value>(
        _ entry: (inout Self) -> (Key, Value)
    ) -> [Key: Value] {
        Dictionary(list(entry)) { first, _ in first }
    }

    fileprivate mutating func uuid() -> UUID {
        UUID(
            uuid: (
                integer(), integer(), integer(), integer(), integer(), integer(), integer(), integer(),
                integer(), integer(), integer(), integer(), integer(), integer(), integer(), integer()
            ))
    }

    fileprivate mutating func string() -> String {
        String(list { "abcäß€🙂e\u{301} \0".randomElement(using: &$0) ?? "x" })
    }
}
