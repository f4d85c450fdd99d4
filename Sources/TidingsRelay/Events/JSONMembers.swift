#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The members of a JSON object, each as the bytes in which it was written.
///
/// So one member can be handed, unchanged, to whoever decodes it. Only where members begin and end is looked at: the values are
/// checked by who decodes them.
package struct JSONMembers {
    /// The members in the order in which they stand. Where a name stands twice, the later one counts.
    package private(set) var members: [(name: String, value: Data)] = []

    /// Finds the members of an object.
    ///
    /// - Parameter text: JSON.
    /// - Throws: What is wrong and at which byte, if it is not an object.
    package init(_ text: Data) throws(Malformed) {
        var scanner = Scanner(text)
        members = try scanner.object()
    }

    package subscript(name: String) -> Data? { members.last { $0.name == name }?.value }

    /// A member that is a string; `nil` if there is none, or it is something else.
    package func string(_ name: String) -> String? {
        self[name].flatMap(JSONText.string(from:))
    }

    /// A member that is a whole number; `nil` if there is none, or it is something else.
    package func number(_ name: String) -> Int? {
        self[name].flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }

    /// A member that is an array of strings; `nil` if there is none, or it is something else.
    package func strings(_ name: String) -> [String]? {
        self[name].flatMap { try? JSONDecoder().decode([String].self, from: $0) }
    }

    /// A member that is an object; `nil` if there is none, or it is something else.
    package func object(_ name: String) -> JSONMembers? {
        self[name].flatMap { try? JSONMembers($0) }
    }

    /// The object with a member replaced, or added.
    package func replacing(_ name: String, with value: String) -> String {
        let others = members.filter { $0.name != name }.map {
            (JSONText.string($0.name), String(decoding: $0.value, as: UTF8.self))
        }
        return "{" + (others + [(JSONText.string(name), value)]).map { "\($0):\($1)" }.joined(separator: ",") + "}"
    }

    /// Something that is not a JSON object.
    package struct Malformed: Error, CustomStringConvertible {
        let position: Int
        let expected: String
        package var description: String { "not a JSON object: \(expected) is expected at byte \(position)" }
    }
}

/// Writes JSON.
package enum JSONText {
    /// A string with its quotes.
    package static func string(_ text: String) -> String {
        // Nearly all strings are written as they are.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            return "\"\(text)\""
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Reads a string with its quotes; `nil` if it is something else.
    package static func string(from text: Data) -> String? {
        // Nearly all strings are written as they are. The bytes below space have to be escaped.
        if text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\""),
            text.dropFirst().dropLast().allSatisfy({
                $0 >= 0x20 && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"")
            })
        {
            return String(validating: text.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: text)
    }

    /// An array of strings.
    package static func strings(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ",") + "]" }
}

/// Goes over JSON from the beginning to the end.
private struct Scanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: Data) { bytes = Array(text) }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    private mutating func skipSpace() {
        while let byte = current, Self.isSpace(byte) { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) throws(JSONMembers.Malformed) {
        guard current == UInt8(ascii: character) else {
            throw .init(position: position, expected: "'\(character)'")
        }
        position += 1
    }

    mutating func object() throws(JSONMembers.Malformed) -> [(name: String, value: Data)] {
        var members: [(name: String, value: Data)] = []
        skipSpace()
        try take("{")
        skipSpace()
        if current != UInt8(ascii: "}") {
            while true {
                members.append(try member())
                guard current == UInt8(ascii: ",") else { break }
                position += 1
            }
        }
        try take("}")
        skipSpace()
        if current != nil { throw .init(position: position, expected: "the end") }
        return members
    }

    private mutating func member() throws(JSONMembers.Malformed) -> (name: String, value: Data) {
        skipSpace()
        let begin = position
        try skipString()
        guard let name = JSONText.string(from: Data(bytes[begin..<position])) else {
            throw .init(position: begin, expected: "a name")
        }
        skipSpace()
        try take(":")
        skipSpace()
        let start = position
        try skipValue()
        let value = Data(bytes[start..<position])
        skipSpace()
        return (name, value)
    }

    private mutating func skipString() throws(JSONMembers.Malformed) {
        try take("\"")
        while let byte = current {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        throw .init(position: min(position, bytes.count), expected: "the end of a string")
    }

    private mutating func skipValue() throws(JSONMembers.Malformed) {
        let start = position
        var depth = 0
        while let byte = current {
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
