import Testing

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct PackedMessageTests {
    private static let long = String(repeating: "ä€😀", count: 10_000)

    private static let messages: [RelayMessage] = [
        RelayMessage("a"),
        RelayMessage("a.b", reply: "_INBOX.1", headers: [.init("Nats-Msg-Id", "1")], bytes: Array("{}".utf8)),
        RelayMessage(
            "ä.€", headers: [.init("", ""), .init("name", ""), .init("name", "two\nlines\0")], bytes: [0, 255]),
        RelayMessage(long, reply: long, headers: [.init(long, long)], bytes: Array(long.utf8)),
    ]

    @Test(arguments: messages) func `unpacking a packed message returns the original message`(message: RelayMessage) {
        let destination = Destination(stream: "S", waitsWhenFull: false, isDroppable: false)
        let item = MessageLine.Item(message, to: destination, isAwaited: true)
        let packed = PackedMessage(item, 7, at: .seconds(3))
        #expect(packed.number == 7 && packed.time == .seconds(3) && packed.stream == "S")
        let unpacked = packed.item
        #expect(unpacked.message == message && unpacked.bytes == item.bytes && unpacked.isAwaited)
        #expect(unpacked.stream == "S" && !unpacked.destination.waitsWhenFull && !unpacked.destination.isDroppable)
    }
}
