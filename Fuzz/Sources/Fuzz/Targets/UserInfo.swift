import Foundation
import TidingsFoundation

/// Fuzzes the decoder of `userInfo` dictionaries, with any values that a dictionary can contain.
enum UserInfo: FuzzTarget {
    static let name = "userInfo"

    static func feed(_ input: inout Input) {
        let userInfo = UserInfoInput.dictionary(&input, depth: 4)
        var decoder = UserInfoDecoder()
        decoder.maximumCount = 2_000
        do throws(NotificationDecodingError) {
            check(try decoder.decode(Everything.self, from: userInfo, notification: "Fuzz"))
        } catch {
            demand(error.notification == "Fuzz" && !error.expected.isEmpty, "an error without a description: \(error)")
        }
        read(userInfo)
    }

    private static func check(_ value: Everything) {
        do {
            let encoded = try UserInfoEncoder(form: .objects).encode(value, notification: Notification.Name("Fuzz"))
            let again = try UserInfoDecoder().decode(Everything.self, from: encoded, notification: "Fuzz")
            // A NaN isn't equal to itself.
            demand(value == again || value.hasNoNumber, "\(value) became \(again)")
        } catch {
            fatalError("\(value) could not be read again: \(error)")
        }
    }

    /// Reads values of types that are not `Codable`.
    private static func read(_ userInfo: [AnyHashable: Any]) {
        let reader = UserInfoReader(
            Notification(name: Notification.Name("Fuzz"), object: nil, userInfo: userInfo))
        _ = try? reader.value(for: "a", as: Progress.self)
        _ = try? reader.value(for: "b", as: [[NSNumber]].self)
        _ = try? reader.value(for: "c", as: NSObject.self)
        _ = try? reader.value(for: "d", as: [String: NSNumber].self)
        _ = try? reader.value(for: "e", as: Set<NSString>.self)
    }

    /// Has properties of many types. The generated dictionaries use the same keys at every depth.
    struct Everything: Codable, Equatable {
        var a: Int?
        var b: Double?
        var c: String?
        var d: CGRect?
        var e: [Inner]?
        var f: [String: Int8]?
        var g: Kind?
        var h: Date?
        var i: Range<Int>?
        var j: [[UInt16]]?
        var k: Set<UInt8>?
        var l: [Int: Bool]?

        /// Whether a number in this value is NaN. The numbers are checked instead of the value's description, because
        /// Foundation's description of a distant date ends the program.
        var hasNoNumber: Bool {
            b?.isNaN == true || d?.hasNoNumber == true || h?.timeIntervalSinceReferenceDate.isNaN == true
                || e?.contains { $0.hasNoNumber } == true
        }
    }

    struct Inner: Codable, Equatable {
        var a: Float?
        var b: URL?
        var c: [CGPoint]?
        var d: NSRange?
        var e: Data?
        var f: Decimal?
        var g: UUID?
        var j: [Inner]?

        var hasNoNumber: Bool {
            a?.isNaN == true || f?.isNaN == true || c?.contains { $0.x.isNaN || $0.y.isNaN } == true
                || j?.contains { $0.hasNoNumber } == true
        }
    }

    enum Kind: Int, Codable { case none, one, two }
}

extension CGRect {
    fileprivate var hasNoNumber: Bool { [origin.x, origin.y, size.width, size.height].contains { $0.isNaN } }
}

/// A target with a planted mistake, which the fuzzer has to find: it traps if the input contains both a negative number
/// and a string.
enum Planted: FuzzTarget {
    static let name = "planted"

    static func feed(_ input: inout Input) {
        let userInfo = UserInfoInput.dictionary(&input, depth: 4)
        guard let value = try? UserInfoDecoder().decode(UserInfo.Everything.self, from: userInfo, notification: "Fuzz")
        else { return }
        if let number = value.a, value.c != nil { demand(number >= 0, "the planted mistake") }
    }
}
