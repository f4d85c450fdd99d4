package import TidingsRelay

/// What a server of NATS sends.
package enum ServerOperation: Equatable {
    /// A message of a subscription.
    case message(ServerMessage)
    /// It asks whether the program is there.
    case ping
    /// It answers that.
    case pong
    /// It has taken something.
    case accepted
    /// What it says about itself, as JSON that lies here among the bytes.
    case information(Range<Int>)
    /// What it refuses, in its own words.
    case refusal(String)
}

/// Where the parts of a message lie among the bytes that arrived.
package struct ServerMessage: Hashable, Sendable {
    /// The number that the program gave to the subscription.
    package let subscription: Int
    package let subject: Range<Int>
    /// Empty if no answer is expected.
    package let reply: Range<Int>
    /// Empty if there are none.
    package let headers: Range<Int>
    package let body: Range<Int>

    /// The same message where its bytes lie elsewhere.
    func moved(by distance: Int) -> ServerMessage {
        func moved(_ range: Range<Int>) -> Range<Int> { range.lowerBound + distance..<range.upperBound + distance }
        return ServerMessage(
            subscription: subscription, subject: moved(subject), reply: moved(reply), headers: moved(headers),
            body: moved(body))
    }
}

/// Reads what a server sends, one operation after the other, from bytes of which the rest may still be on its way.
///
/// The source of what it reads is the description of NATS's client protocol.
package struct OperationReader: Sendable {
    /// Why bytes are not what a server of NATS sends. Nothing behind them can be read.
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// The longest line that is read, in bytes. A server that tells of a large cluster needs some thousands.
    package static let longestLine = 1 << 16

    /// The largest message that is read, in bytes: no server can be told to pass on larger ones.
    package static let largestMessage = 64 << 20

    /// Where the next operation begins.
    package private(set) var position: Int

    package init(position: Int = 0) { self.position = position }

    /// Reads the next operation.
    ///
    /// - Parameter bytes: What has arrived so far.
    /// - Returns: The operation; `nil` if more has to arrive first.
    /// - Throws: What is wrong, if this is not what a server sends.
    package mutating func next(in bytes: Span<UInt8>) throws(Malformed) -> ServerOperation? {
        guard let end = try endOfLine(in: bytes) else { return nil }
        var words = Words(rest: position..<end)
        let name = words.next(in: bytes)
        let operation: ServerOperation
        var next = end + 2
        switch Name(name, in: bytes) {
        case .message, .messageWithHeaders:
            let message = try Self.message(in: bytes, &words, body: next, hasHeaders: name.count == 4)
            // A line break stands behind it.
            next = message.body.upperBound + 2
            if next > bytes.count { return nil }
            operation = .message(message)
        case .ping: operation = .ping
        case .pong: operation = .pong
        case .accepted: operation = .accepted
        case .information: operation = .information(words.rest)
        case .refusal: operation = .refusal(Self.text(Self.unquoted(words.rest, in: bytes), in: bytes))
        case nil: throw Malformed(description: "no operation of NATS: \(Self.text(position..<end, in: bytes))")
        }
        position = next
        return operation
    }

    /// The letters of a name, in upper case.
    private enum Name: UInt64 {
        case message = 0x4D_53_47  // MSG
        case messageWithHeaders = 0x48_4D_53_47  // HMSG
        case ping = 0x50_49_4E_47  // PING
        case pong = 0x50_4F_4E_47  // PONG
        case accepted = 0x2B_4F_4B  // +OK
        case information = 0x49_4E_46_4F  // INFO
        case refusal = 0x2D_45_52_52  // -ERR

        init?(_ word: Range<Int>, in bytes: Span<UInt8>) {
            if word.count > 4 { return nil }
            var letters: UInt64 = 0
            for index in word {
                let byte = bytes[index]
                let isLower = byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
                letters = letters << 8 | UInt64(isLower ? byte - 32 : byte)
            }
            self.init(rawValue: letters)
        }
    }

    /// Where the line that begins at the position ends; `nil` if it goes on.
    private func endOfLine(in bytes: Span<UInt8>) throws(Malformed) -> Int? {
        var end = position
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        if end - position > Self.longestLine {
            throw Malformed(description: "a line of more than \(Self.longestLine) bytes")
        }
        if end == bytes.count { return nil }
        guard end > position, bytes[end - 1] == UInt8(ascii: "\r") else {
            throw Malformed(description: "a line without a carriage return: \(Self.text(position..<end, in: bytes))")
        }
        return end - 1
    }

    /// Reads what stands behind the name of a message: subject, subscription, where to answer if that is expected, and sizes.
    private static func message(
        in bytes: Span<UInt8>, _ words: inout Words, body start: Int, hasHeaders: Bool
    ) throws(Malformed) -> ServerMessage {
        let line = words.rest
        let (subject, subscription) = (words.next(in: bytes), words.next(in: bytes))
        var (reply, headerSize, size) = (start..<start, words.next(in: bytes), words.next(in: bytes))
        let last = hasHeaders ? words.next(in: bytes) : size
        if hasHeaders, !last.isEmpty {
            (reply, headerSize, size) = (headerSize, size, last)
        } else if !hasHeaders {
            if !size.isEmpty { reply = headerSize } else { size = headerSize }
            headerSize = start..<start
        }
        guard let number = number(subscription, in: bytes), let total = Self.number(size, in: bytes),
            let headers = hasHeaders ? Self.number(headerSize, in: bytes) : 0, headers <= total,
            total <= largestMessage, words.next(in: bytes).isEmpty
        else { throw Malformed(description: "the line of a message: \(text(line, in: bytes))") }
        return ServerMessage(
            subscription: number, subject: subject, reply: reply, headers: start..<start + headers,
            body: start + headers..<start + total)
    }

    /// A decimal number of at most 18 digits.
    private static func number(_ word: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        if word.isEmpty || word.count > 18 { return nil }
        var number = 0
        for index in word {
            let digit = bytes[index] &- UInt8(ascii: "0")
            if digit > 9 { return nil }
            number = number * 10 + Int(digit)
        }
        return number
    }

    /// What stands between single quotes, or all if there are none.
    private static func unquoted(_ range: Range<Int>, in bytes: Span<UInt8>) -> Range<Int> {
        let quote = UInt8(ascii: "'")
        let isQuoted = range.count > 1 && bytes[range.lowerBound] == quote && bytes[range.upperBound - 1] == quote
        if !isQuoted { return range }
        return range.lowerBound + 1..<range.upperBound - 1
    }

    /// Bytes as text, for who is told of them. Of a long line the beginning says enough.
    private static func text(_ range: Range<Int>, in bytes: Span<UInt8>) -> String {
        String(decoding: range.prefix(400).map { bytes[$0] }, as: UTF8.self)
    }
}

/// The words of a line, which spaces or tabs separate.
private struct Words {
    /// What has not been read, without the spaces before it.
    private(set) var rest: Range<Int>

    /// Takes the next word; it is empty if there is none.
    mutating func next(in bytes: Span<UInt8>) -> Range<Int> {
        let start = rest.lowerBound
        var end = start
        while end < rest.upperBound, !Self.isSpace(bytes[end]) { end += 1 }
        var next = end
        while next < rest.upperBound, Self.isSpace(bytes[next]) { next += 1 }
        rest = next..<rest.upperBound
        return start..<end
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension LinkEvent {
    /// What a server means by its words of refusal. It writes, for instance, `Permissions Violation for Publish to "subject"`.
    package init(refusal: String) {
        guard refusal.lowercased().contains("permissions violation") else {
            self = .problem(refusal)
            return
        }
        let parts = refusal.split(separator: "\"", omittingEmptySubsequences: false)
        self = .permissionDenied(subject: parts.count > 2 ? String(parts[1]) : nil, detail: refusal)
    }
}
