import Foundation

enum Number {
    case signed(Int64)
    case unsigned(UInt64)
    case floating(Double)
    case decimal(Decimal)

    fileprivate init(_ value: Any) throws(UserInfoMismatch) {
        if let number = castObject(value, to: NSNumber.self) {
            self.init(number)
        } else if let number = value as? any UserInfoNumber {
            self = number.number
        } else {
            throw .mistyped
        }
    }

    private init(_ number: NSNumber) {
        // The `objCType` of every `NSNumber` is a C string with at least one character.
        switch UInt8(bitPattern: unsafe number.objCType.pointee) {
        case UInt8(ascii: "C"), UInt8(ascii: "S"), UInt8(ascii: "I"), UInt8(ascii: "L"), UInt8(ascii: "Q"):
            self = .unsigned(number.uint64Value)
        case UInt8(ascii: "f"), UInt8(ascii: "d"):
            self = (number as? NSDecimalNumber).map { .decimal($0.decimalValue) } ?? .floating(number.doubleValue)
        default:
            self = .signed(number.int64Value)
        }
    }
}

protocol UserInfoNumber: UserInfoScalar {
    var number: Number { get }
}

extension UserInfoNumber where Self: SignedInteger & FixedWidthInteger {
    var number: Number { .signed(Int64(self)) }
}

extension UserInfoNumber where Self: UnsignedInteger & FixedWidthInteger {
    var number: Number { .unsigned(UInt64(self)) }
}

extension UserInfoNumber where Self: BinaryFloatingPoint {
    var number: Number { .floating(Double(self)) }
}

extension UserInfoScalar where Self: FixedWidthInteger {
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self {
        let exact: Self? =
            switch try Number(value) {
            case .signed(let number): Self(exactly: number)
            case .unsigned(let number): Self(exactly: number)
            case .floating(let number): Self(exactly: number)
            case .decimal(let number): Self(number.description)
            }
        guard let exact else { throw .inexact }
        return exact
    }
}

extension UserInfoScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self {
        let exact: Self? =
            switch try Number(value) {
            case .signed(let number): Self(exactly: number)
            case .unsigned(let number): Self(exactly: number)
            case .floating(let number): number.isNaN ? .nan : Self(exactly: number)
            case .decimal(let number): Self(decimal: number)
            }
        guard let exact else { throw .inexact }
        return exact
    }

    private init?(decimal: Decimal) {
        guard let number = Self(decimal.description), Decimal(string: number.description) == decimal else { return nil }
        self = number
    }
}

extension Int: UserInfoNumber {}
extension Int8: UserInfoNumber {}
extension Int16: UserInfoNumber {}
extension Int32: UserInfoNumber {}
extension Int64: UserInfoNumber {}
extension UInt: UserInfoNumber {}
extension UInt8: UserInfoNumber {}
extension UInt16: UserInfoNumber {}
extension UInt32: UserInfoNumber {}
extension UInt64: UserInfoNumber {}
extension Double: UserInfoNumber {}
extension Float: UserInfoNumber {}

// These types don't fit into a `Number`, so an `Int` can be read as an `Int128`, but an `Int128` only as itself.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: UserInfoScalar {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: UserInfoScalar {}

extension UserInfoScalar where Self: FixedWidthInteger {
    var propertyListValue: Any? { Int64(exactly: self) ?? UInt64(exactly: self) as Any? }
}

extension CGFloat: UserInfoNumber {
    var propertyListValue: Any? { Double(self) }

    static func read(_ value: Any) throws(UserInfoMismatch) -> CGFloat {
        CGFloat(try NativeType.read(value))
    }
}

extension Bool: UserInfoNumber {
    var number: Number { .signed(self ? 1 : 0) }

    static func read(_ value: Any) throws(UserInfoMismatch) -> Bool {
        switch try Int8.read(value) {
        case 0: return false
        case 1: return true
        default: throw .inexact
        }
    }
}

extension Decimal: UserInfoNumber {
    var number: Number { .decimal(self) }

    /// An `Int64` or a `Double` that `read(_:)` converts back to the same decimal; `nil` if there is none.
    var propertyListValue: Any? {
        if let whole = Int64(description) { return whole }
        guard let number = Double(description), (try? Decimal.read(number)) == self else { return nil }
        return number
    }

    static func read(_ value: Any) throws(UserInfoMismatch) -> Decimal {
        switch try Number(value) {
        case .signed(let number): return Decimal(number)
        case .unsigned(let number): return Decimal(number)
        case .floating(let number):
            guard let decimal = Decimal(string: number.description), Double(decimal.description) == number else {
                throw .inexact
            }
            return decimal
        case .decimal(let number): return number
        }
    }
}
