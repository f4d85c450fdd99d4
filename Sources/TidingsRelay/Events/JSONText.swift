#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

package enum JSONText {
    package static func string(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(quote)
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        if !isPlain(bytes, start..<bytes.count) {
            bytes.removeSubrange(start...)
            for byte in text.utf8 {
                switch byte {
                case quote, backslash: bytes += [backslash, byte]
                case ..<0x20:
                    let digits = String(byte, radix: 16)
                    bytes += Array((digits.utf8.count == 1 ? "\\u000" : "\\u00").utf8) + Array(digits.utf8)
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(quote)
    }

    static func string(in bytes: [UInt8], _ place: Range<Int>) -> String? {
        guard place.count >= 2, bytes[place.lowerBound] == quote, bytes[place.upperBound - 1] == quote else {
            return nil
        }
        let inner = place.lowerBound + 1..<place.upperBound - 1
        if isPlain(bytes, inner) { return String(utf8: bytes[inner]) }
        return try? JSONDecoder().decode(String.self, from: Data(bytes[place]))
    }

    static func isPlain(_ bytes: [UInt8], _ place: Range<Int>) -> Bool {
        for index in place {
            let byte = bytes[index]
            if byte < 0x20 || byte == quote || byte == backslash { return false }
        }
        return true
    }

    package static func strings(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ",") + "]" }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
