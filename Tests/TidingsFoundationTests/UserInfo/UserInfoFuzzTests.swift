import Foundation
import Testing
import TidingsFoundation

/// Feeds the decoder what nobody would post: wrong types, nesting, `NSNull`, numbers that are huge or none, keys that are no
/// strings, references in circles.
///
/// `TIDINGS_FUZZ_COUNT` sets how many dictionaries, `TIDINGS_FUZZ_SEED` runs those of a printed seed again.
@Suite struct UserInfoFuzzTests {
    /// One property of every kind; the random dictionaries use the same keys at every depth.
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
    private static let count = environment["TIDINGS_FUZZ_COUNT"].flatMap(Int.init) ?? 1_000_000
    private static let shards = 4
    private static let seeds: [UInt64] =
        environment["TIDINGS_FUZZ_SEED"].flatMap(UInt64.init).map { [$0] }
        ?? (0..<shards).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `a million random dictionaries give a value or a typed error each`(seed: UInt64) {
        print("fuzzing the decoder with TIDINGS_FUZZ_SEED=\(seed)")
        var random = RandomValues(seed: seed)
        defer { random.end() }
        let decoder = UserInfoDecoder()
        var values = 0
        var errors = 0
        for _ in 0..<Self.count / Self.shards {
            let userInfo = random.dictionary(depth: Int.random(in: 0...2, using: &random.generator))
            do {
                if random.chance(80) {
                    _ = try decoder.decode(Everything.self, from: userInfo, notification: "Fuzz")
                } else {
                    _ = try decoder.decode(Inner.self, from: userInfo, notification: "Fuzz")
                }
                values += 1
            } catch {
                if error.notification != "Fuzz" || error.expected.isEmpty { Issue.record(error) }
                errors += 1
            }
        }
        print("\(values) values, \(errors) errors")
        #expect(values > 0 && errors > 0)
    }
}
