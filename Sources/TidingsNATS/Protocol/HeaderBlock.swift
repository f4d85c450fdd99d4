package import TidingsRelay

/// The headers of a message as NATS writes them: a line with the version, a line for each header, and an empty line.
///
/// Who writes or reads many has one of these: were it the same for all, threads would count its references in the same cache line.
package struct HeaderBlock: Sendable {
    private static let version = "NATS/1.0"

    /// The headers that nearly all messages have, which are neither written nor read anew.
    private let usual: [RelayMessage.Header]
    private let usualBytes: [UInt8]

    package init() {
        usual = [RelayMessage.Header("content-type", CloudEvent.structuredForm)]
        usualBytes = Self.bytes(of: usual)
    }

    /// Writes headers.
    ///
    /// - Parameter headers: The headers.
    /// - Returns: The block, which is empty if there are none; `nil` if a name or a value would begin a line of its own.
    func encoded(_ headers: [RelayMessage.Header]) -> [UInt8]? {
        if headers.isEmpty { return [] }
        if headers.count == 1, headers[0] == usual[0] { return usualBytes }
        let areWhole = headers.allSatisfy { header in
            !header.name.isEmpty && header.name.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: ":") && $0 != 0x7F }
                && !header.value.utf8.contains { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        }
        return areWhole ? Self.bytes(of: headers) : nil
    }

    private static func bytes(of headers: [RelayMessage.Header]) -> [UInt8] {
        var bytes = Array("\(version)\r\n".utf8)
        for header in headers {
            bytes.append(contentsOf: header.name.utf8)
            bytes.append(contentsOf: ": ".utf8)
            bytes.append(contentsOf: header.value.utf8)
            bytes.append(contentsOf: "\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    /// Reads headers. What the server says of itself, a number and some words behind the version, are the headers `Status` and
    /// `Description`. A line that is no header is left out.
    ///
    /// - Parameters:
    ///   - bytes: Some bytes.
    ///   - range: Where the block lies among them.
    /// - Returns: The headers; none if this is no block.
    package func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> [RelayMessage.Header] {
        if range.count == usualBytes.count, bytes.has(usualBytes, at: range.lowerBound) { return usual }
        guard bytes[range].starts(with: Self.version.utf8) else { return [] }
        var lines = bytes[range].dropFirst(Self.version.utf8.count)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var headers: [RelayMessage.Header] = []
        let status = Self.text(lines.removeFirst())
        if !status.isEmpty {
            let parts = status.split(separator: " ", maxSplits: 1)
            headers.append(.init("Status", String(parts[0])))
            if parts.count > 1 { headers.append(.init("Description", Self.trimmed(parts[1]))) }
        }
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { continue }
            headers.append(.init(Self.text(line[..<colon]), Self.text(line[(colon + 1)...])))
        }
        return headers
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        trimmed(String(decoding: bytes, as: UTF8.self)[...])
    }

    /// Without the spaces, and the carriage return, at both ends.
    private static func trimmed(_ text: Substring) -> String {
        var utf8 = text.utf8
        while let first = utf8.first, first <= 0x20 { utf8.removeFirst() }
        while let last = utf8.last, last <= 0x20 { utf8.removeLast() }
        return String(Substring(utf8))
    }
}
