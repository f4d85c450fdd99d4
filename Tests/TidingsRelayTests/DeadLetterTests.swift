import Foundation
import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct DeadLetterTests {
    private static func consumer(_ number: Int) -> String { number % 2 == 0 ? "other-x" : "office-test_tick" }

    /// A stream of dead letters with the numbers 3, 6, …, 300. The dead letters of two consumers alternate.
    private static let letters: StreamAnswers.Answer = { request, body in
        if request == "STREAM.INFO.TICKS_DEAD" {
            return #"{"config":{"subjects":[">"]},"state":{"messages":100,"first_seq":3,"last_seq":300}}"#
        }
        guard request == "STREAM.MSG.GET.TICKS_DEAD", let number = body?.number("seq"),
            let subject = body?.string("next_by_subj")
        else { return nil }
        let found = stride(from: 3, through: 300, by: 3).first { found in
            found >= number && (subject.hasSuffix(">") || subject.hasSuffix(consumer(found)))
        }
        guard let found else { return #"{"error":{"code":404,"description":"no message found"}}"# }
        let headers =
            "NATS/1.0\r\ntidings-dead-subject: tidings.test.tick.v1\r\ntidings-dead-sequence: \(found * 10)\r\n\r\n"
        return """
            {"message":{"subject":"tidings-dead.TICKS.\(consumer(found))","seq":\(found),
            "hdrs":"\(Data(headers.utf8).base64EncodedString())","data":"e30="}}
            """
    }

    @Test(arguments: [nil, "TICKS"] as [String?])
    func `many dead letters are requested at once and returned in order`(stream: String?) async throws {
        let answers = try await StreamAnswers(Self.letters)
        let office = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(),
            [.durable(Tick.self, .incoming, stream: "TICKS")])
        await office.relay.waitUntilReady()
        // The answers are held until 20 requests have arrived, so requesting one letter after another would never end.
        answers.hold("STREAM.MSG.GET.TICKS_DEAD", until: 20)
        let letters = try await office.relay.deadLetters(of: stream)
        let numbers = Array(stride(from: 3, through: 300, by: stream == nil ? 6 : 3))
        #expect(letters.map { Int($0.number) } == numbers)
        #expect(letters.map { Int($0.sequence) } == numbers.map { $0 * 10 })
        #expect(letters.allSatisfy { $0.consumer == Self.consumer(Int($0.number)) })
        await office.stop()
    }

    @Test func `a stream without dead letters returns none`() async throws {
        let answers = try await StreamAnswers { _, _ in nil }
        let office = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(),
            [.durable(Tick.self, .incoming, stream: "TICKS")])
        await office.relay.waitUntilReady()
        #expect(try await office.relay.deadLetters() == [])
        await office.stop()
    }

    @Test
    func `a redriven dead letter keeps the event's identity and headers, but not the reason for the failure`()
        throws
    {
        let headers = """
            NATS/1.0\r\ntidings-dead-subject: tidings.test.tick.v1\r\ntidings-dead-sequence: 7\r\ntidings-dead-id: shop-1\r
            tidings-dead-reason: rejected\r\nNats-Msg-Id: dead office 7\r\nown: kept\r\n\r\n
            """
        let text = """
            {"subject":"tidings-dead.TICKS.office","seq":3,"hdrs":"\(Data(headers.utf8).base64EncodedString())","data":"e30="}
            """
        let members = try JSONMembers(Array(text.utf8))
        let stored = try #require(StoredMessage(members))
        let letter = try #require(DeadLetter(stored, prefix: "tidings", stream: "TICKS"))
        let back = letter.redriven(stored.message, identity: "redriven TICKS 3")
        #expect(back.subject == "tidings.test.tick.v1" && back.bytes == Array("{}".utf8))
        let values = Dictionary(back.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        #expect(
            values == [
                "tidings-dead-id": "shop-1", "own": "kept", "nats-msg-id": "redriven TICKS 3", "tidings-for": "office",
                "tidings-redriven": "3",
            ])
    }

    @Test(arguments: [("shop-1", "v1"), ("shop-2", "v1"), ("shop-1", "v2")])
    func `a dead letter without content redrives only its own notification`(id: String, version: String) async throws {
        let headers = """
            NATS/1.0\r\ntidings-dead-subject: tidings.test.tick.v1\r\ntidings-dead-sequence: 7\r
            tidings-dead-id: shop-1\r\ntidings-dead-content: none\r\n\r\n
            """
        let lines = Data(headers.utf8).base64EncodedString()
        let text = #"{"subject":"tidings-dead.TICKS.office","seq":3,"hdrs":"\#(lines)","data":""}"#
        let event = try CloudEvent(id: id, source: "shop", type: "test.tick.v1", data: Tick(number: 1).encoded())
        let body = event.message("s", mode: .structured).body.base64EncodedString()
        let found = #"{"subject":"tidings.test.tick.\#(version)","seq":7,"data":"\#(body)"}"#
        let answers = try await StreamAnswers { request, _ in
            switch request {
            case "STREAM.MSG.GET.TICKS_DEAD": return #"{"message":\#(text)}"#
            case "STREAM.MSG.GET.TICKS": return #"{"message":\#(found)}"#
            default: return nil
            }
        }
        // This link simulates the stream, and confirms that a redriven notification is stored.
        let link = try await answers.server.connect { _ in }
        let stream = try link.subscribe("tidings.test.>", group: nil) { message in
            if let reply = message.reply { _ = link.publish(RelayMessage(reply, text: #"{"stream":"TICKS","seq":9}"#)) }
        }
        let office = try NotificationRelayTests.Program(
            "office", answers.server, NativeNotificationCenter(), [.durable(Placed.self, .outgoing, stream: "TICKS")])
        await office.relay.waitUntilReady()
        let stored = try #require(StoredMessage(try JSONMembers(Array(text.utf8))))
        let letter = try #require(DeadLetter(stored, prefix: "tidings", stream: "TICKS"))
        if id == "shop-1", version == "v1" {
            #expect(try await office.relay.redrive([letter]) == 1)
        } else {
            let fault = await #expect(throws: RelayFault.self) { try await office.relay.redrive([letter]) }
            #expect(fault?.kind == .rejected && fault?.detail.contains("no longer has the notification") == true)
        }
        await office.stop()
        withExtendedLifetime(stream) {}
    }
}
