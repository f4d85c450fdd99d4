/// A stored message, with all its strings and bytes in one array. ``StoredMessages`` frees a message only after
/// thousands of later messages were stored. By then, its memory has left the processor's cache. If a message consisted of
/// separate strings and arrays, freeing them would make sending take 50 % longer.
struct PackedMessage: Sendable {
    let number: UInt64
    /// The time at which the stream stored the message.
    let time: Duration
    private let destination: Destination
    private let isAwaited: Bool
    /// The subject, the reply subject or an empty string, the number of headers, their names and values, and the
    /// message's bytes. Each string follows its length. Lengths and the number of headers have four bytes.
    private var content: [UInt8] = []

    var stream: String { destination.stream }
    var size: Int { content.count }

    init(_ item: MessageLine.Item, _ number: UInt64, at time: Duration) {
        self.number = number
        self.time = time
        destination = item.destination
        isAwaited = item.isAwaited
        let message = item.message
        content.reserveCapacity(item.bytes + 64 + 8 * message.headers.count)
        append(message.subject)
        append(message.reply ?? "")
        append(message.headers.count)
        for header in message.headers {
            append(header.name)
            append(header.value)
        }
        content += message.bytes
    }

    private mutating func append(_ number: Int) {
        for shift in [0, 8, 16, 24] { content.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private mutating func append(_ text: String) {
        append(text.utf8.count)
        content.append(contentsOf: text.utf8)
    }

    var item: MessageLine.Item {
        var rest = content[...]
        func number() -> Int {
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func text() -> String {
            let count = number()
            defer { rest = rest.dropFirst(count) }
            return String(decoding: rest.prefix(count), as: UTF8.self)
        }
        let (subject, reply) = (text(), text())
        let headers = (0..<number()).map { _ in RelayMessage.Header(text(), text()) }
        let message = RelayMessage(
            subject, reply: reply.isEmpty ? nil : reply, headers: headers, bytes: Array(rest))
        return MessageLine.Item(message, to: destination, isAwaited: isAwaited)
    }
}
