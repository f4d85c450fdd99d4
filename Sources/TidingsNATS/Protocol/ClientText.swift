package import TidingsRelay

/// What a program sends to a server of NATS, one operation behind the other.
package struct ClientText: Sendable {
    package private(set) var bytes: [UInt8] = []

    private let block = HeaderBlock()

    package init() {}

    package var isEmpty: Bool { bytes.isEmpty }

    /// Writes a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: Whether it was written: it is not if a part of it would be read as something else.
    package mutating func publish(_ message: RelayMessage) -> Bool {
        guard let headers = block.encoded(message.headers) else { return false }
        let start = bytes.count
        append(headers.isEmpty ? "PUB " : "HPUB ")
        var isWhole = appendWord(message.subject)
        if let reply = message.reply { isWhole = appendWord(reply) && isWhole }
        guard isWhole else {
            bytes.removeSubrange(start...)
            return false
        }
        if !headers.isEmpty {
            bytes.append(decimal: UInt64(headers.count))
            append(" ")
        }
        bytes.append(decimal: UInt64(headers.count + message.bytes.count))
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
        let start = bytes.count
        append("SUB ")
        var isWhole = appendWord(subject)
        if let group { isWhole = appendWord(group) && isWhole }
        guard isWhole else {
            bytes.removeSubrange(start...)
            return false
        }
        append("\(number)\r\n")
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

    /// Appends a word and a space.
    ///
    /// - Returns: Whether it is one word of a line: it is not if it is empty or has a space, a line break or another control character.
    private mutating func appendWord(_ word: String) -> Bool {
        let start = bytes.count
        append(word)
        var isWord = bytes.count > start
        for index in start..<bytes.count { isWord = isWord && bytes[index] > 0x20 && bytes[index] != 0x7F }
        append(" ")
        return isWord
    }
}
