import Tidings

extension Inspector.Request {
    /// The maximum length of the head of a request in bytes.
    public static let longestHead = 16_384

    /// Parses the first line and the headers of an HTTP/1 request. Returns `nil` if the head is invalid or too long.
    ///
    /// - Parameter head: The bytes, up to the empty line after the headers.
    public init?(head: some Collection<UInt8>) {
        guard head.count <= Self.longestHead, let text = String(utf8: head) else { return nil }
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(String.UnicodeScalarView(line.last == "\r" ? line.dropLast() : line))
        }
        // Zero bytes and lone carriage returns are rejected, because another parser could take them for line ends.
        guard !text.unicodeScalars.contains(where: { $0 == "\0" }), !lines.contains(where: { $0.contains("\r") }) else {
            return nil
        }
        let parts = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0", !parts[0].isEmpty else { return nil }
        var headers: [(name: String, value: String)] = []
        for line in lines.prefix(while: { !$0.isEmpty }) {
            guard let colon = line.unicodeScalars.firstIndex(of: ":") else { return nil }
            let name = line[..<colon]
            // A space before the colon or at a line's beginning is rejected, because parsers interpret it differently.
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
            headers.append((String(name), String(line[colon...].unicodeScalars.dropFirst())))
        }
        self.init(method: String(parts[0]), target: String(parts[1]), headers: headers)
    }

    static func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
        let newline = UInt8(ascii: "\n")
        for index in max(0, start - 3)..<bytes.count where bytes[index] == newline {
            if index + 1 < bytes.count, bytes[index + 1] == newline { return index + 2 }
            if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "\r"), bytes[index + 2] == newline {
                return index + 3
            }
        }
        return nil
    }
}

extension Inspector.Response {
    var head: [UInt8] {
        let reasons = [
            200: "OK", 303: "See Other", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
            405: "Method Not Allowed", 503: "Service Unavailable",
        ]
        var lines = ["HTTP/1.1 \(status) \(reasons[status] ?? "")"] + headers.map { "\($0.name): \($0.value)" }
        if case .bytes(let bytes) = body { lines.append("Content-Length: \(bytes.count)") }
        lines.append("Connection: close")
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
