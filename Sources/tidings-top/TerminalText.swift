extension String {
    /// The first thousand scalars of the string, with control and invisible characters as escapes. The text of another
    /// program may contain any character, and a thousand scalars fill any line of a terminal.
    var forTerminal: String {
        var result = ""
        for scalar in unicodeScalars.prefix(1000) {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the string in exactly the given number of columns: truncated with an ellipsis, or padded with spaces.
    func fitted(to width: Int, _ alignment: Alignment = .left) -> String {
        let own = columns
        if own <= width {
            let space = String(repeating: " ", count: width - own)
            return alignment == .right ? space + self : self + space
        }
        guard width > 0 else { return "" }
        var taken = ""
        var left = width - 1
        for character in alignment == .end ? Array(suffix(width).reversed()) : Array(prefix(width)) {
            guard character.columns <= left else { break }
            left -= character.columns
            taken.append(character)
        }
        let space = String(repeating: " ", count: left)
        return alignment == .end ? "…" + String(taken.reversed()) + space : taken + "…" + space
    }

    enum Alignment {
        case left, right
        /// Left-aligned, and truncated at the beginning, so that the file name and the line number of a place remain.
        case end
    }
}

extension Character {
    /// The number of terminal columns: two for East Asian wide characters and emoji.
    fileprivate var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
        }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}

/// Formats a number in at most five columns, not counting a minus sign: `12.3k`.
func short(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    let size = abs(value)
    switch size {
    case ..<9.95: return value == value.rounded() ? "\(Int(value))" : value.withOneDigit
    case ..<9999.5: return "\(Int(value.rounded()))"
    case ..<999_500: return scaled(value, 1e3, "k")
    case ..<999_500_000: return scaled(value, 1e6, "M")
    case ..<999_500_000_000: return scaled(value, 1e9, "G")
    default: return "many"
    }
}

func short(_ value: Int) -> String { short(Double(value)) }

/// Formats a duration in at most six columns: `12.3ms`. Durations of 100,000 days and more aren't shown.
func short(seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0 else { return "–" }
    switch seconds {
    case ..<999.5e-9: return "\(Int((seconds * 1e9).rounded()))ns"
    case ..<999.5e-6: return scaled(seconds, 1e-6, "µs")
    case ..<0.9995: return scaled(seconds, 1e-3, "ms")
    case ..<120: return scaled(seconds, 1, "s")
    case ..<7200: return "\(Int(seconds / 60))min"
    case ..<172_800: return "\(Int(seconds / 3600))h"
    default: return seconds < 8.64e9 ? "\(Int(seconds / 86400))d" : "–"
    }
}

private func scaled(_ value: Double, _ unit: Double, _ name: String) -> String {
    let scaled = value / unit
    return (abs(scaled) < 99.95 ? scaled.withOneDigit : "\(Int(scaled.rounded()))") + name
}

extension Double {
    fileprivate var withOneDigit: String {
        let tenths = Int((self * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
