import TestSupport
import Testing
import Tidings

@testable import TidingsNATS
@testable import TidingsRelay

/// What is read of a server of NATS, and what is written to it.
@Suite struct NATSProtocolTests {
    /// An operation with its parts copied, as its places depend on what came before.
    enum Copied: Equatable {
        case message(Int, subject: String, reply: String, headers: String, body: String)
        case ping, pong, accepted
        case information(String)
        case refusal(String)
    }

    /// Reads bytes that come in pieces.
    static func read(_ pieces: [[UInt8]]) throws(OperationReader.Malformed) -> [Copied] {
        var (bytes, reader, found) = ([UInt8](), OperationReader(), [Copied]())
        for piece in pieces {
            bytes += piece
            while let operation = try reader.next(in: bytes.span) {
                func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
                switch operation {
                case .message(let message):
                    found.append(
                        .message(
                            message.subscription, subject: text(message.subject), reply: text(message.reply),
                            headers: text(message.headers), body: text(message.body)))
                case .ping: found.append(.ping)
                case .pong: found.append(.pong)
                case .accepted: found.append(.accepted)
                case .information(let place): found.append(.information(text(place)))
                case .refusal(let text): found.append(.refusal(text))
                }
            }
        }
        return found
    }

    static func read(_ text: String) throws(OperationReader.Malformed) -> [Copied] { try read([Array(text.utf8)]) }

    static let conversation =
        "INFO {\"max_payload\":1048576}\r\n+OK\r\nMSG a.b 9 5\r\nhello\r\nMSG a.b 9 back.1 0\r\n\r\nPING\r\n"
        + "HMSG a.b 12 back.2 12 14\r\nNATS/1.0\r\n\r\nhi\r\nhmsg\ta  3 \t 12 12\r\nNATS/1.0\r\n\r\n\r\npong\r\n"
        + "-ERR 'Permissions Violation for Publish to \"x\"'\r\n"

    static let operations: [Copied] = [
        .information("{\"max_payload\":1048576}"), .accepted,
        .message(9, subject: "a.b", reply: "", headers: "", body: "hello"),
        .message(9, subject: "a.b", reply: "back.1", headers: "", body: ""), .ping,
        .message(12, subject: "a.b", reply: "back.2", headers: "NATS/1.0\r\n\r\n", body: "hi"),
        .message(3, subject: "a", reply: "", headers: "NATS/1.0\r\n\r\n", body: ""), .pong,
        .refusal("Permissions Violation for Publish to \"x\""),
    ]

    @Test func `all operations are read`() throws {
        #expect(try Self.read(Self.conversation) == Self.operations)
    }

    @Test func `it makes no difference where what comes is cut into pieces`() throws {
        let bytes = Array(Self.conversation.utf8)
        for first in 0...bytes.count {
            let second = (first + 7) % (bytes.count + 1)
            let cuts = [0, min(first, second), max(first, second), bytes.count]
            let pieces = zip(cuts, cuts.dropFirst()).map { Array(bytes[$0..<$1]) }
            #expect(try Self.read(pieces) == Self.operations, "\(cuts)")
        }
        #expect(try Self.read(bytes.map { [$0] }) == Self.operations)
    }

    @Test(arguments: [
        "HELLO\r\n", "PINGS\r\n", "\r\n", " PING\r\n", "PING\n", "MSG\r\n", "MSG a 1\r\n", "MSG a 1 2 3 4\r\n",
        "MSG a one 0\r\n\r\n", "MSG a 1 -1\r\n", "MSG a 1 99999999999999999999\r\n", "MSG a 1 67108865\r\n",
        "HMSG a 1 2\r\n", "HMSG a 1 3 2\r\nxx\r\n", "HMSG a 1 b 2 x\r\n", "HMSG a 1 b 2 2 2\r\n", "MSG a 1 1 x\r\n",
    ])
    func `what no server sends is an error that says what`(_ text: String) {
        #expect { try Self.read(text) } throws: { error in
            (error as? OperationReader.Malformed)?.description.count ?? 0 > 20
        }
    }

    @Test func `a line without an end is refused, before it fills the memory`() {
        #expect(throws: OperationReader.Malformed.self) {
            try Self.read([[UInt8](repeating: UInt8(ascii: "x"), count: OperationReader.longestLine + 1)])
        }
        #expect(throws: Never.self) { try Self.read("MSG a 1 67108864\r\n") }
    }

    @Test func `what was changed at random is read or refused, and what lies before it is read`() throws {
        var random = HostileMessageTests.Generator(state: 0xC0FFEE)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = Array(Self.conversation.utf8)
            var first = bytes.count
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                first = min(first, place)
            }
            var (reader, count) = (OperationReader(), 0)
            do throws(OperationReader.Malformed) {
                while try reader.next(in: bytes.span) != nil { count += 1 }
            } catch { refused += 1 }
            // Whole operations that end before the first change.
            let whole = try Self.read([Array(Self.conversation.utf8.prefix(first))]).count
            #expect(count >= whole)
        }
        #expect(refused > 1000)
    }

    @Test func `headers are read as they were written`() throws {
        let block = HeaderBlock()
        for headers: [RelayMessage.Header] in [
            [.init("content-type", "application/cloudevents+json")], [.init("a", "b: c"), .init("A", "")],
            [.init("ce-id", "\u{e9}")],
        ] {
            let bytes = try #require(block.encoded(headers))
            #expect(block.decoded(bytes, bytes.indices) == headers)
        }
        #expect(block.encoded([]) == [])
    }

    @Test(arguments: [
        ("NATS/1.0 503\r\n\r\n", [RelayMessage.Header("Status", "503")]),
        (
            "NATS/1.0 100 Idle Heartbeat\r\nNats-Last: 3\r\n\r\n",
            [.init("Status", "100"), .init("Description", "Idle Heartbeat"), .init("Nats-Last", "3")]
        ),
        ("NATS/1.0\r\nno header\r\n: none\r\na :b \r\n", [.init("a", "b")]), ("NATS/2\r\na: b\r\n\r\n", []), ("", []),
        ("NATS/1.0", []), ("NATS/1.0\r", []),
    ])
    func `headers of others are read, too`(_ text: String, _ headers: [RelayMessage.Header]) {
        let bytes = Array("before\(text)after".utf8)
        #expect(HeaderBlock().decoded(bytes, 6..<bytes.count - 5) == headers)
    }

    @Test func `what is written is what a server reads`() {
        var text = ClientText()
        let written = [
            text.publish(RelayMessage("a.b", text: "hello")),
            text.publish(RelayMessage("a", reply: "r", headers: [.init("x", "y")], bytes: [0x68, 0x69])),
            text.subscribe("a.*", group: nil, number: 7), text.subscribe("a.>", group: "g", number: 8),
        ]
        #expect(!written.contains(false))
        text.unsubscribe(7)
        text.ping()
        text.pong()
        text.connect(Array("{}".utf8))
        #expect(
            String(decoding: text.bytes, as: UTF8.self)
                == "PUB a.b 5\r\nhello\r\nHPUB a r 18 20\r\nNATS/1.0\r\nx: y\r\n\r\nhi\r\nSUB a.* 7\r\nSUB a.> g 8\r\n"
                + "UNSUB 7\r\nPING\r\nPONG\r\nCONNECT {}\r\n")
    }

    @Test(arguments: ["", " ", "a b", "a\r\nPUB x 0\r\n\r\n", "a\tb", "a\u{7F}", "\0"])
    func `nothing in a subject, a group or a header begins a line of its own`(_ word: String) {
        var text = ClientText()
        let written = [
            text.publish(RelayMessage(word, text: "x")), text.publish(RelayMessage("a", reply: word, text: "x")),
            text.publish(RelayMessage("a", headers: [.init(word, "x")])),
            text.subscribe(word, group: nil, number: 1), text.subscribe("a", group: word, number: 1),
            text.publish(RelayMessage("a", headers: [.init("x", "y\r\nPUB x 0")])),
            text.publish(RelayMessage("a", headers: [.init("x", "y\n")])),
        ]
        #expect(!written.contains(true))
        #expect(text.isEmpty)
    }

    @Test func `a server tells what has to be known of it`() throws {
        let server = try #require(
            ServerInformation(
                Array(#"{"server_id":"x","max_payload":100,"headers":true,"tls_required":true,"nonce":"n"}"#.utf8)))
        #expect(server.maximumPayload == 100 && server.hasHeaders && server.needsEncryption && server.nonce == "n")
        #expect(ServerInformation(Array("no JSON".utf8)) == nil)
        #expect(ServerInformation(Array(#"{"max_payload":"many"}"#.utf8)) == nil)
        #expect(ServerInformation(Array(#"{"max_payload":-1}"#.utf8))?.maximumPayload == 0)
    }

    @Test func `a program tells who it is, and no more`() throws {
        var client = ClientInformation(name: "shop")
        client.user = "me"
        client.pass = "\"\\"
        let object = try JSONMembers(try client.json())
        #expect(object.string("name") == "shop" && object.string("user") == "me" && object.string("pass") == "\"\\")
        #expect(object.string("jwt") == nil && object.string("auth_token") == nil)
    }

    @Test func `what a server refuses is told as what it is`() {
        #expect(
            LinkEvent(refusal: "Permissions Violation for Publish to \"a.b\"")
                == .permissionDenied(subject: "a.b", detail: "Permissions Violation for Publish to \"a.b\""))
        let short = "Permissions Violation"
        #expect(LinkEvent(refusal: short) == .permissionDenied(subject: nil, detail: short))
        #expect(LinkEvent(refusal: "Stale Connection") == .problem("Stale Connection"))
    }
}
