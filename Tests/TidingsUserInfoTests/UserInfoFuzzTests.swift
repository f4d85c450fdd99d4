import Foundation
import TestSupport
import Testing
import TidingsFoundation

/// Feeds the decoder with values that no real code would post: wrong types, nesting, `NSNull`, huge numbers and NaN,
/// keys that aren't strings, and collections that are nested 10,000 deep, contain one another 2^60 times, or contain
/// themselves.
///
/// The number of values that the decoder may read is limited, in proportion to the size of the dictionary. For values
/// that are nested deeply or contain themselves, the decoder's own limit applies.
///
/// `TIDINGS_FUZZ_COUNT` sets the number of dictionaries. The default is 20,000, and a release uses 100,000.
/// `TIDINGS_FUZZ_SEED` repeats the dictionaries of a printed seed.
@Suite(.timeLimit(.ofRandomPrograms)) struct UserInfoFuzzTests {
    /// One property of every kind. The random dictionaries use the same keys at every depth.
    private struct Everything: Decodable {
        var a: Int?
        var b: Double?
        var c: String?
        var d: CGRect?
        var e: [Inner]?
        var f: [String: Int8]?
        var g: Kind?
        var h: Date?
        var i: Range<Int>?
        var j: Nested?
        var k: Set<UInt8>?
        var l: [Int: Bool?]?
    }

    private struct Inner: Decodable {
        var a: Float?
        var b: URL?
        var c: [CGPoint]?
        var d: NSRange?
        var e: Data?
        var f: Decimal?
        var g: UUID
    }

    private final class Nested: Decodable {
        var a: Bool?
        var e: [Nested]?
        var j: Nested?
    }

    private enum Kind: Int, Decodable { case none, one, two }

    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["TIDINGS_FUZZ_COUNT"].flatMap(Int.init) ?? 20_000
    private static let shards = 4
    private static let seeds: [UInt64] =
        environment["TIDINGS_FUZZ_SEED"].flatMap(UInt64.init).map { [$0] }
        ?? (0..<shards).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `decoding a random dictionary stays within limits, and returns a value or throws a typed error`(seed: UInt64) {
        print("fuzzing the decoder with TIDINGS_FUZZ_SEED=\(seed)")
        var random = RandomValues(seed: seed)
        var decoder = UserInfoDecoder()
        decoder.maximumCount = 2_000
        var values = 0
        var errors = 0
        var hostile = 0
        for _ in 0..<Self.count / Self.shards {
            let userInfo = random.userInfo(depth: Int.random(in: 0...3, using: &random.generator))
            let (error, lookCount) =
                random.chance(80)
                ? decode(Everything.self, userInfo, decoder) : decode(Inner.self, userInfo, decoder)
            if let error, error.notification != "Fuzz" || error.expected.isEmpty { Issue.record(error) }
            let limit = 4 * (random.isHostile ? decoder.maximumCount : 3 * random.size) + 16
            if lookCount > limit { Issue.record("\(lookCount) values were read, and the limit is \(limit)") }
            if random.chance(10) { read(userInfo, decoder) }
            if error == nil { values += 1 } else { errors += 1 }
            if random.isHostile { hostile += 1 }
        }
        print("\(values) values, \(errors) errors, \(hostile) dictionaries with hostile values")
        #expect(values > 0 && errors > 0)
    }

    private func decode<T: Decodable>(
        _ type: T.Type, _ userInfo: [AnyHashable: Any], _ decoder: UserInfoDecoder
    ) -> (error: NotificationDecodingError?, lookCount: Int) {
        let (result, lookCount) = decoder.decodeCounting(type, from: userInfo, notification: "Fuzz")
        if case .failure(let error) = result { return (error, lookCount) }
        return (nil, lookCount)
    }

    private func read(_ userInfo: [AnyHashable: Any], _ decoder: UserInfoDecoder) {
        let notification = Notification(name: Notification.Name("Fuzz"), object: nil, userInfo: userInfo)
        let reader = UserInfoReader(notification, limits: decoder)
        _ = try? reader.value(for: "a", as: Progress.self)
        _ = try? reader.value(for: "b", as: [[Progress]].self)
        _ = try? reader.value(for: "c", as: NSObject.self)
        _ = try? reader.value(for: "d", as: [String: NSNumber].self)
        _ = try? reader.value(for: "e", as: Set<NSString>.self)
    }
}
