/// Finds the members of a JSON object without copying them. The values aren't validated.
struct JSONScanner {
    /// The positions of a member's name, including the quotes, and of its value.
    struct Member {
        let name: Range<Int>
        let value: Range<Int>
    }

    let bytes: [UInt8]
    private var position = 0
    private var hasBegun = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the range contains exactly one value, with no whitespace around it.
    static func isValue(_ bytes: [UInt8], _ place: Range<Int>) -> Bool {
        var scanner = JSONScanner(bytes)
        scanner.position = place.lowerBound
        return (try? scanner.skipValue()) != nil && scanner.position == place.upperBound
    }

    mutating func next() throws(JSONMembers.Malformed) -> Member? {
        if !hasBegun {
            hasBegun = true
            skipSpace()
            try take(UInt8(ascii: "{"))
            skipSpace()
            if current != UInt8(ascii: "}") { return try member() }
        } else if current == UInt8(ascii: ",") {
            position += 1
            return try member()
        }
        try take(UInt8(ascii: "}"))
        skipSpace()
        if current != nil { throw .init(position: position, expected: "the end") }
        return nil
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func take(_ byte: UInt8) throws(JSONMembers.Malformed) {
        guard current == byte else { throw .init(position: position, expected: "'\(Character(Unicode.Scalar(byte)))'") }
        position += 1
    }

    private mutating func member() throws(JSONMembers.Malformed) -> Member {
        skipSpace()
        let begin = position
        try skipString()
        let name = begin..<position
        skipSpace()
        try take(UInt8(ascii: ":"))
        skipSpace()
        let start = position
        try skipValue()
        let value = start..<position
        skipSpace()
        return Member(name: name, value: value)
    }

    private mutating func skipString() throws(JSONMembers.Malformed) {
        try take(UInt8(ascii: "\""))
        while position < bytes.count {
            let byte = bytes[position]
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        throw .init(position: min(position, bytes.count), expected: "the end of a string")
    }

    private mutating func skipValue() throws(JSONMembers.Malformed) {
        let start = position
        var depth = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                try skipString()
                if depth == 0 { return }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return try end(start) }
                depth -= 1
                position += 1
                if depth == 0 { return }
            case _ where depth == 0 && (byte == UInt8(ascii: ",") || Self.isSpace(byte)): return try end(start)
            default: position += 1
            }
        }
        throw .init(position: position, expected: "the end of a value")
    }

    private func end(_ start: Int) throws(JSONMembers.Malformed) {
        if position == start { throw .init(position: position, expected: "a value") }
    }
}
