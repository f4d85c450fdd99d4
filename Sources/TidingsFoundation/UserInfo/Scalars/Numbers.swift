import Foundation

/// A number as exact as it was found.
private enum Number {
    case signed(Int64)
    case unsigned(UInt64)
    case floating(Double)
    case decimal(Decimal)

    /// Reads an `NSNumber`, or a number of Swift's, which Foundation bridges to one.
    init(_ value: Any) throws(UserInfoMismatch) {
        guard let number = value as? NSNumber else {
            // The one number that Foundation does not bridge on Linux.
            guard let number = value as? CGFloat else { throw .mistyped }
            self = .floating(Double(number))
            return
        }
        // The type is a string in C that every number has, and at least one character long.
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

extension UserInfoScalar where Self: FixedWidthInteger {
    static func read(_ value: Any) throws(UserInfoMismatch) -> Self {
        if type(of: value) == Self.self, let value = value as? Self { return value }
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
        if type(of: value) == Self.self, let value = value as? Self { return value }
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

    /// The number that is written with the same decimal digits.
    private init?(decimal: Decimal) {
        guard let number = Self(decimal.description), Decimal(string: number.description) == decimal else { return nil }
        self = number
    }
}

extension Int: UserInfoScalar {}
extension Int8: UserInfoScalar {}
extension Int16: UserInfoScalar {}
extension Int32: UserInfoScalar {}
extension Int64: UserInfoScalar {}
extension Int128: UserInfoScalar {}
extension UInt: UserInfoScalar {}
extension UInt8: UserInfoScalar {}
extension UInt16: UserInfoScalar {}
extension UInt32: UserInfoScalar {}
extension UInt64: UserInfoScalar {}
extension UInt128: UserInfoScalar {}
extension Double: UserInfoScalar {}
extension Float: UserInfoScalar {}

extension CGFloat: UserInfoScalar {
    static func read(_ value: Any) throws(UserInfoMismatch) -> CGFloat {
        if type(of: value) == CGFloat.self, let value = value as? CGFloat { return value }
        return CGFloat(try NativeType.read(value))
    }
}

extension Bool: UserInfoScalar {
    static func read(_ value: Any) throws(UserInfoMismatch) -> Bool {
        if type(of: value) == Bool.self, let value = value as? Bool { return value }
        switch try Int8.read(value) {
        case 0: return false
        case 1: return true
        default: throw .inexact
        }
    }
}

extension Decimal: UserInfoScalar {
    static func read(_ value: Any) throws(UserInfoMismatch) -> Decimal {
        if type(of: value) == Decimal.self, let value = value as? Decimal { return value }
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
