import Foundation

/// Generates random values of any type, including values that are unlikely in a `userInfo`.
struct RandomValues {
    var generator: SeededGenerator
    private let scalars: [Any]

    /// The number of values in the last dictionary.
    private(set) var size = 0

    /// Whether the last dictionary contains a ``HostileValue``.
    private(set) var isHostile = false

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        scalars = Self.numbers + Self.others
    }

    private static var numbers: [Any] {
        [
            0, 1, -1, 2, 255, Int.max, Int.min, UInt64.max, Int8.min, UInt8.max, Int128.max, Float(0.1), Float.nan, 0.5,
            1e300, -0.0,
            Double.nan, Double.infinity, -Double.infinity, Double.leastNonzeroMagnitude, CGFloat(2),
            Decimal(string: "0.1") as Any,
            true, false, NSNumber(value: true), NSNumber(value: Int8(-3)), NSNumber(value: UInt64.max),
            NSNumber(value: Int64.min),
            NSNumber(value: 1.5), NSNumber(value: Double.nan), NSNumber(value: Float.infinity),
            NSDecimalNumber.notANumber,
            NSDecimalNumber(string: "123456789012345678901234567890"), NSDecimalNumber(string: "-1e-100"),
            NSDecimalNumber.maximum,
        ]
    }

    private static var others: [Any] {
        [
            "", "text", "1", String(repeating: "long ", count: 100), NSString("é"), NSMutableString("m"),
            "x".dropFirst(0),
            Character("c"),
            NSNull(), Int?.none as Any, Int??.some(nil) as Any, Int?.some(3) as Any, String??.some("x") as Any,
            Any?.none as Any,
            Date(timeIntervalSince1970: 0), NSDate.distantFuture, Data([1, 2, 3]), NSData(),
            NSMutableData(length: 4) as Any,
            URL(string: "https://example.org/") as Any, NSURL(string: "file:///tmp") as Any, UUID(), NSUUID(),
            CGRect(x: 1, y: 2, width: 3, height: 4), NSValue(rect: .null),
            NSValue(rect: CGRect(x: Double.nan, y: 0, width: 1, height: 1)),
            CGPoint(x: 1, y: 2), NSValue(point: .zero), NSValue(size: CGSize(width: -1, height: Double.infinity)),
            NSValue(range: NSRange(location: NSNotFound, length: 0)),
            NSValue(range: NSRange(location: -5, length: .max)),
            NSValue(range: NSRange(location: 2, length: 3)), NSRange(location: 1, length: 1), 2..<5, 1...2,
            NSValue(edgeInsets: NSEdgeInsets()),
            Locale(identifier: "C"), NSLocale(localeIdentifier: "C"), IndexSet([1, 2]), NSIndexSet(index: 3),
            IndexPath(indexes: [1, 2]),
            NSError(domain: "d", code: 1), NSObject(), Object(), Value(), Choice.one, Choice.other(5), Int.self,
            { () -> Int in 5 } as Any,
            (1, "tuple"), AnyHashable("boxed"), AnyHashable(5), NSAttributedString(string: "a"),
            ObjectIdentifier(NSObject.self),
        ]
    }

    private final class Object {}
    private struct Value { var number = 5 }
    private enum Choice { case one; case other(Int) }

    private let keys: [AnyHashable] = Array("abcdefghijkl").map { AnyHashable(String($0)) }
    private let oddKeys: [AnyHashable] = [
        1, 1.5, -7, "", "other", NSNull(), Date.distantPast, true, AnyHashable([1]), NSString("a"), NSNumber(value: 2),
        UUID(), Character("b"),
    ]

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func count(upTo most: Int) -> Int { Int.random(in: 0...most, using: &generator) }

    mutating func userInfo(depth: Int) -> [AnyHashable: Any] {
        size = 1
        isHostile = false
        return dictionary(depth: depth, isFoundations: false)
    }

    /// Foundation's collections must not contain hostile Swift values, because Foundation reads everything that is
    /// inserted into them.
    private mutating func value(depth: Int, isFoundations: Bool) -> Any {
        size += 1
        if depth == 0 || chance(60) {
            if count(upTo: 400) == 0 { return hostile(isFoundations ? HostileValue.foundation : HostileValue.all) }
            if chance(20) { return anyNumber() }
            return scalars[Int.random(in: scalars.indices, using: &generator)]
        }
        let kind = count(upTo: 8)
        let isFoundations = isFoundations || kind > 3
        if kind == 8 { return NSDictionary(dictionary: strings(depth: depth - 1, isFoundations: true)) }
        if kind == 0 { return strings(depth: depth - 1, isFoundations: isFoundations) }
        if kind == 1 { return dictionary(depth: depth - 1, isFoundations: isFoundations) }
        let elements = (0..<count(upTo: 3)).map { _ in value(depth: depth - 1, isFoundations: isFoundations) }
        switch kind {
        case 2: return elements
        case 3: return elements.first.map { [$0, $0, $0] } ?? elements
        case 4: return NSArray(array: elements)
        case 5: return NSMutableArray(array: elements)
        case 6: return NSSet(array: hashable(elements))
        default: return NSOrderedSet(array: hashable(elements))
        }
    }

    private mutating func hostile(_ values: [HostileValue]) -> Any {
        isHostile = true
        return values[Int.random(in: values.indices, using: &generator)].value
    }

    /// Returns the elements that a Foundation set can contain. Foundation can't hash other values, and hangs on cyclic
    /// ones.
    private func hashable(_ elements: [Any]) -> [Any] {
        elements.filter { ($0 is NSString || $0 is NSNumber) && !($0 is NSDecimalNumber) }
    }

    private mutating func anyNumber() -> Any {
        let bits = generator.next()
        switch bits % 5 {
        case 0: return NSNumber(value: Double(bitPattern: generator.next()))
        case 1: return Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
        case 2: return NSNumber(value: generator.next())
        case 3: return Int(truncatingIfNeeded: generator.next()) >> Int(bits >> 58)
        default: return NSNumber(value: Int8(truncatingIfNeeded: bits >> 8))
        }
    }

    private mutating func strings(depth: Int, isFoundations: Bool) -> [String: Any] {
        var dictionary: [String: Any] = [:]
        for _ in 0..<count(upTo: 3) {
            let key = keys[Int.random(in: keys.indices, using: &generator)]
            dictionary["\(key)"] = value(depth: depth, isFoundations: isFoundations)
        }
        return dictionary
    }

    private mutating func dictionary(depth: Int, isFoundations: Bool) -> [AnyHashable: Any] {
        var dictionary: [AnyHashable: Any] = [:]
        for _ in 0..<count(upTo: 3) {
            let keys = chance(10) ? oddKeys : self.keys
            dictionary[keys[Int.random(in: keys.indices, using: &generator)]] = value(
                depth: depth, isFoundations: isFoundations)
        }
        return dictionary
    }
}

/// Random numbers from a seed (SplitMix64). The same seed gives the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
