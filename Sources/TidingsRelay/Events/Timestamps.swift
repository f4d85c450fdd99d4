#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The time of an event in RFC 3339 format: UTC with microseconds.
struct Timestamp: Sendable {
    static let length = 27

    /// The text up to and including the decimal point of the seconds.
    let second: String
    let microseconds: UInt32

    var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: second.utf8)
        var unit: UInt32 = 100_000
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: microseconds / unit % 10))
            unit /= 10
        }
        bytes.append(UInt8(ascii: "Z"))
    }
}

/// Formats dates. Formatting is slow, so dates in the same second share the formatted text.
final class Timestamps: Sendable {
    private let last = Lock<(second: Int, text: String)>((.min, ""))

    func timestamp(of date: Date = .now) -> Timestamp {
        let microseconds = Int((date.timeIntervalSince1970 * 1_000_000).rounded(.down))
        // For a time before 1970, `%` returns a negative remainder.
        let fraction = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
        let second = (microseconds - fraction) / 1_000_000
        let known = last.withLock { $0.second == second ? $0.text : nil }
        let text = known ?? Self.text(ofSecond: second).dropLast() + "."
        if known == nil { last.withLock { $0 = (second, text) } }
        return Timestamp(second: text, microseconds: UInt32(fraction))
    }

    /// Converts a time in UTC to whole seconds since 1970. The fraction is removed, because the parser doesn't accept
    /// nine digits.
    static func seconds(_ time: String) -> Int? {
        guard let date = try? Date.ISO8601FormatStyle().parse(String(time.prefix(19)) + "Z") else { return nil }
        return Int(date.timeIntervalSince1970)
    }

    static func text(ofSecond second: Int) -> String {
        Date(timeIntervalSince1970: Double(second)).formatted(.iso8601.timeZoneSeparator(.omitted))
    }
}
