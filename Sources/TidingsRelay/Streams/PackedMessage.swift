/// A stored message, with its texts and bytes in one array. ``StoredMessages`` frees messages long after their memory
/// has left the processor's cache. Freeing each string of a message would then take as long as sending it.
struct PackedMessage: Sendable {
    let number: UInt64
    /// The time at which the stream stored the message.
    let time: Duration
    private let destination: Destination
    private let isAwaited: Bool
    /// The subject, the reply (empty if there is none), the names and values of the headers, and the message's bytes.
    private var content: [UInt8] = []
    /// The lengths of the texts in ``content``.
    private let lengths: [Int]

    var stream: String { destination.stream }
    var size: Int { content.count }

    init(_ item: MessageLine.Item, _ number: UInt64, at time: Duration) {
        (self.number, self.time, destination, isAwaited) = (number, time, item.destination, item.isAwaited)
        let message = item.message
        let texts = [message.subject, message.reply ?? ""] + message.headers.flatMap { [$0.name, $0.value] }
        lengths = texts.map(\.utf8.count)
        content.reserveCapacity(lengths.reduce(message.bytes.count, +))
        for text in texts { content.append(contentsOf: text.utf8) }
        content += message.bytes
    }

    var item: MessageLine.Item {
        var rest = content[...]
        let texts = lengths.map { length in
            defer { rest = rest.dropFirst(length) }
            return String(decoding: rest.prefix(length), as: UTF8.self)
        }
        let headers = stride(from: 2, to: texts.count, by: 2).map { RelayMessage.Header(texts[$0], texts[$0 + 1]) }
        let reply = texts[1].isEmpty ? nil : texts[1]
        let message = RelayMessage(texts[0], reply: reply, headers: headers, bytes: Array(rest))
        return MessageLine.Item(message, to: destination, isAwaited: isAwaited)
    }
}
