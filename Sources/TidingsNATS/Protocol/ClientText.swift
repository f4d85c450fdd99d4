package import TidingsRelay

/// What a program sends to a server of NATS, one operation behind the other.
package struct ClientText: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }

    /// Writes a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: Whether it was written: it is not if a part of it would be read as something else.
    package mutating func publish(_ message: RelayMessage) -> Bool {
        guard Self.isWord(message.subject), message.reply.map(Self.isWord) != false else { return false }
        guard let headers = HeaderBlock.encoded(message.headers) else { return false }
        append(headers.isEmpty ? "PUB " : "HPUB ")
        append(message.subject)
        append(" ")
        if let reply = message.reply {
            append(reply)
            append(" ")
        }
        if !headers.isEmpty {
            append(headers.count)
            append(" ")
        }
        append(headers.count + message.bytes.count)
        append("\r\n")
        bytes += headers
        bytes += message.bytes
        append("\r\n")
        return true
    }

    /// Subscribes.
    ///
    /// - Parameters:
    ///   - subject: The subject, which may be a pattern.
    ///   - group: The group of which one member gets each message.
    ///   - number: What the server calls the subscription.
    /// - Returns: Whether it was written.
    package mutating func subscribe(_ subject: String, group: String?, number: Int) -> Bool {
        guard Self.isWord(subject), group.map(Self.isWord) != false else { return false }
        append("SUB \(subject) \(group.map { $0 + " " } ?? "")\(number)\r\n")
        return true
    }

    package mutating func unsubscribe(_ number: Int) { append("UNSUB \(number)\r\n") }

    /// Says who the program is.
    package mutating func connect(_ json: [UInt8]) {
        append("CONNECT ")
        bytes += json
        append("\r\n")
    }

    package mutating func ping() { append("PING\r\n") }
    package mutating func pong() { append("PONG\r\n") }

    /// Forgets what was written, and keeps the memory, unless it is a lot.
    package mutating func clear() {
        if bytes.capacity > 1 << 22 { bytes = [] }
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(_ number: Int) { append(String(number)) }

    /// Whether a text is one word of a line: it has no space, no line break and no other control character.
    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
