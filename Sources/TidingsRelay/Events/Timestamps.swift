import Tidings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes times as events have them: RFC 3339, in UTC, to the microsecond.
///
/// The calendar is asked once a second, as it takes ten times as long as all the rest.
final class Timestamps: Sendable {
    private let last = Lock<(second: Int, text: String)>((.min, ""))

    /// The time.
    func text(of date: Date = .now) -> String {
        let microseconds = Int((date.timeIntervalSince1970 * 1_000_000).rounded(.down))
        let (second, fraction) = (microseconds.floorDivided(by: 1_000_000), microseconds.floorModulo(1_000_000))
        let known = last.withLock { $0.second == second ? $0.text : nil }
        var text = known ?? Self.text(ofSecond: second)
        if known == nil { last.withLock { $0 = (second, text) } }
        // Six digits, with zeros before them.
        text += String(1_000_000 + fraction).dropFirst()
        text += "Z"
        return text
    }

    private static func text(ofSecond second: Int) -> String {
        Date(timeIntervalSince1970: Double(second)).formatted(.iso8601.timeZoneSeparator(.omitted)).dropLast() + "."
    }
}

extension Int {
    fileprivate func floorDivided(by divisor: Int) -> Int { (self - floorModulo(divisor)) / divisor }
    fileprivate func floorModulo(_ divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}
