import Foundation

enum UserInfoInput {
    static func dictionary(_ input: inout Input, depth: Int) -> [AnyHashable: Any] {
        let entries = input.list(upTo: 6) { ($0.byte(), value(&$0, depth: depth)) }
        return Dictionary(entries.map { (key($0), $1) }) { _, last in last }
    }

    /// Returns a key, usually one that the decoder reads.
    private static func key(_ byte: UInt8) -> AnyHashable {
        switch byte {
        case 0xF8: 1
        case 0xF9: 1.5
        case 0xFA: AnyHashable(NSNull())
        case 0xFB: AnyHashable(NSString("a"))
        case 0xFC: AnyHashable(NSNumber(value: 2))
        case 0xFD: AnyHashable([1])
        case 0xFE: AnyHashable(Date.distantPast)
        case 0xFF: ""
        default: AnyHashable(String(UnicodeScalar(UInt8(ascii: "a") + byte % 12)))
        }
    }

    private static func value(_ input: inout Input, depth: Int) -> Any {
        let kind = input.byte()
        if depth > 0, kind >= 0xC0 { return collection(&input, kind, depth: depth - 1) }
        return kind & 1 == 0 ? number(&input, kind >> 1) : other(&input, kind >> 1)
    }

    private static func number(_ input: inout Input, _ kind: UInt8) -> Any {
        switch kind % 18 {
        case 0: Int(input.number(Int8.self))
        case 1: input.number(Int.self)
        case 2: input.number(UInt64.self)
        case 3: input.number(Int8.self)
        case 4: input.number(UInt16.self)
        case 5: input.number(Int128.self)
        case 6: input.double()
        case 7: Double(input.number(Int8.self)) / 4
        case 8: Float(bitPattern: input.number())
        case 9: CGFloat(input.double())
        case 10: input.flag()
        case 11: NSNumber(value: input.flag())
        case 12: NSNumber(value: input.number(Int8.self))
        case 13: NSNumber(value: input.number(Int64.self))
        case 14: NSNumber(value: input.number(UInt64.self))
        case 15: NSNumber(value: input.double())
        case 16: Decimal(input.number(Int.self)) / Decimal(1 + input.below(200))
        default:
            // Foundation ends the program if the exponent of an `NSDecimalNumber` doesn't fit into eight bits.
            NSDecimalNumber(
                mantissa: input.number(), exponent: Int16(input.number(Int8.self)) / 2, isNegative: input.flag())
        }
    }

    private static func other(_ input: inout Input, _ kind: UInt8) -> Any {
        switch kind % 24 {
        case 0, 1, 2: input.text()
        case 3: NSString(string: input.text())
        case 4: input.text().dropFirst()
        case 5: NSNull()
        case 6: Int?.none as Any
        case 7: Int??.some(.some(Int(input.byte()))) as Any
        case 8: Date(timeIntervalSinceReferenceDate: input.double())
        case 9: Data(input.list(upTo: 8) { $0.byte() })
        case 10: NSData(data: Data(input.list(upTo: 8) { $0.byte() }))
        case 11: URL(string: input.text()) as Any
        case 12: UUID(uuidString: "00000000-0000-0000-0000-0000000000\(input.flag() ? "1" : "0")0") as Any
        case 13: CGRect(x: input.double(), y: 1, width: input.double(), height: -1)
        case 14: NSValue(rect: CGRect(x: input.double(), y: 1, width: input.double(), height: -1))
        case 15: NSValue(point: CGPoint(x: input.double(), y: 0))
        case 16: CGPoint(x: input.double(), y: input.double())
        case 17: NSValue(range: NSRange(location: input.number(), length: input.number()))
        case 18: NSRange(location: Int(input.number(Int8.self)), length: Int(input.number(Int8.self)))
        case 19: Int(input.byte())..<Int(input.byte()) + 256
        case 20: AnyHashable(input.text())
        case 21: Character(UnicodeScalar(input.byte()))
        case 22: NSObject()
        default: { () -> Int in 5 } as Any
        }
    }

    private static func collection(_ input: inout Input, _ kind: UInt8, depth: Int) -> Any {
        switch kind % 10 {
        case 0, 1: return input.list(upTo: 4) { value(&$0, depth: depth) }
        case 2: return NSArray(array: input.list(upTo: 4) { value(&$0, depth: depth) })
        case 3: return dictionary(&input, depth: depth)
        case 4:
            let entries = input.list(upTo: 4) { ($0.text(), value(&$0, depth: depth)) }
            return Dictionary(entries) { _, last in last }
        case 5:
            let entries = input.list(upTo: 4) { ($0.text(), value(&$0, depth: depth)) }
            return NSDictionary(dictionary: Dictionary(entries) { _, last in last })
        // These sets contain only values that Foundation can hash.
        case 6: return NSSet(array: input.list(upTo: 4) { NSString(string: $0.text()) })
        case 7: return Set(input.list(upTo: 4) { Int($0.number(Int8.self)) })
        case 8: return input.list(upTo: 4) { Int($0.number(Int16.self)) }
        default:
            // The array can be nested far deeper than a decoder reads.
            var nested = value(&input, depth: depth)
            for _ in 0..<Int(input.byte()) { nested = [nested] }
            return nested
        }
    }
}
