import Tidings

extension String {
    /// The string, truncated to ``InspectorSnapshot/longestText`` bytes, with escapes such as `\u{202E}` for invisible
    /// characters. The characters after the limit aren't read, because the string may be very long.
    var plain: String {
        let limit = InspectorSnapshot.longestText
        if utf8.count <= limit, utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return self }
        var text = ""
        var count = 0
        // The number of bytes that a truncated text keeps before the three bytes of the ellipsis.
        var kept = 0
        for scalar in unicodeScalars {
            let part = scalar.isShown ? String(scalar) : scalar.escaped(asASCII: true)
            count += part.utf8.count
            if count > limit { return String(decoding: text.utf8.prefix(kept), as: UTF8.self) + "…" }
            if count <= limit - 3 { kept = count }
            text += part
        }
        return text
    }

    /// The name of a type or an object, without the `(unknown context at $…)` that the runtime adds for private types.
    var plainName: String {
        var rest = self[...]
        var text = ""
        let mark = "(unknown context at $"
        while let start = rest.firstIndex(of: "("), rest[start...].count >= mark.count {
            if rest[start...].hasPrefix(mark), let end = rest[start...].firstIndex(of: ")") {
                text += rest[..<start]
                rest = rest[rest.index(after: end)...].drop { $0 == "." }
            } else {
                text += rest[...start]
                rest = rest[rest.index(after: start)...]
            }
        }
        return (text + rest).plain
    }
}

extension Unicode.Scalar {
    fileprivate var isShown: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: false
        // Characters that change the direction of text, separate lines, or are invisible.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
        // Tags, annotation marks and noncharacters.
        case 0xE0000...0xE0FFF, 0xFFF9...0xFFFB, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}

extension SourcePlace {
    var plain: String? { isKnown ? description.plain : nil }
}
