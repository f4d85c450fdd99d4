import Testing
import Tidings

@testable import TidingsRelay

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(2))) struct CloudEventTests {
    static var event: CloudEvent {
        CloudEvent(
            id: "1", source: "shop \"ä\"\r\n%41", type: "orders.placed.v1", time: "2026-01-02T03:04:05.000006Z",
            trace: RelayTraceContext(
                traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "a=b"),
            data: Data(#"{"number":12345678901234567890,"x":[1,{"}":"\""}]}"#.utf8))
    }

    @Test(arguments: [RelayEventMode.structured, .binary])
    func `an event can be written and read back in the binary and the structured mode`(mode: RelayEventMode) throws {
        let message = Self.event.message("subject", mode: mode)
        #expect(try CloudEvent(message) == Self.event)
        // A control character in a value, such as a line break, could begin another header.
        for header in message.headers { #expect(header.value.utf8.allSatisfy { (0x20..<0x7F).contains($0) }) }
        var bytes = Self.event
        bytes.contentType = "application/octet-stream"
        bytes.data = Data((0...255).map { UInt8($0) })
        #expect(try CloudEvent(bytes.message("subject", mode: mode)) == bytes)
    }

    @Test func `a binary event's content type keeps spaces and quotes, and is also read if it is escaped`() throws {
        var event = Self.event
        event.contentType = #"text/plain; charset="utf-8""#
        var message = event.message("subject", mode: .binary)
        #expect(message.header("content-type") == event.contentType)
        #expect(try CloudEvent(message) == event)
        message.headers.removeAll { $0.name == "content-type" }
        message.headers.append(.init("content-type", "text/plain;%20charset=%22utf-8%22"))
        #expect(try CloudEvent(message) == event)
        event.contentType = "text/plain\r\nce-id: 2"
        #expect(event.message("subject", mode: .binary).header("content-type") == "text/plain%0D%0Ace-id: 2")
    }

    @Test func `a structured event is one JSON object that contains the encoded data unchanged`() throws {
        let message = Self.event.message("subject", mode: .structured)
        #expect(message.header("Content-Type") == "application/cloudevents+json")
        let members = try JSONMembers(message.body)
        #expect(members.string("specversion") == "1.0" && members["data"] == Self.event.data)
        struct Everything: Decodable { let source: String }
        #expect(try JSONDecoder().decode(Everything.self, from: message.body).source == Self.event.source)
    }

    @Test func `header names are case-insensitive and values can be plain text`() throws {
        var message = Self.event.message("subject", mode: .binary)
        message.headers = message.headers.map { .init($0.name.uppercased(), $0.value) }
        #expect(try CloudEvent(message) == Self.event)
        message.headers = [
            .init("Ce-Specversion", "1.0"), .init("CE-ID", "ä b"), .init("ce-Source", "100%"), .init("cE-type", "t.v1"),
            .init("Traceparent", "00-1"),
        ]
        let event = try CloudEvent(message)
        #expect(event.id == "ä b" && event.source == "100%" && event.trace == RelayTraceContext(traceparent: "00-1"))
    }

    @Test func `a trace's parent and state are both read from the event, or both from plain headers`() throws {
        var message = RelayMessage(
            "subject",
            headers: [
                .init("ce-specversion", "1.0"), .init("ce-id", "1"), .init("ce-source", "s"), .init("ce-type", "t.v1"),
                .init("ce-tracestate", "of=event"), .init("traceparent", "00-1"), .init("tracestate", "of=message"),
            ])
        #expect(try CloudEvent(message).trace == RelayTraceContext(traceparent: "00-1", tracestate: "of=message"))
        message.headers.append(.init("ce-traceparent", "00-2"))
        #expect(try CloudEvent(message).trace == RelayTraceContext(traceparent: "00-2", tracestate: "of=event"))
        message.headers.removeAll { $0.name == "ce-tracestate" }
        #expect(try CloudEvent(message).trace == RelayTraceContext(traceparent: "00-2"))
    }

    @Test func `an event without CloudEvents headers is read as JSON`() throws {
        var message = Self.event.message("subject", mode: .structured)
        message.headers = []
        #expect(try CloudEvent(message) == Self.event)
        message.headers = [.init("content-type", "application/json")]
        #expect(try CloudEvent(message) == Self.event)
    }

    @Test(arguments: [
        ("", "byte 0"), ("[]", "byte 0"), ("{", "byte 1"), (#"{"a"}"#, "byte 4"), (#"{"a":}"#, "byte 5"),
        (#"{"a":1"#, "byte 6"),
        (#"{"a":1}x"#, "byte 7"), (#"{"a":"\"#, "byte 7"), ("{}", "specversion"),
        (#"{"specversion":1.0}"#, "specversion"),
        (#"{"specversion":"0.3","id":"1","source":"s","type":"t"}"#, "0.3"),
        (#"{"specversion":"1.0","id":"","source":"s","type":"t"}"#, "'id'"),
        (#"{"specversion":"1.0","id":"1","source":"s","type":"t","data_base64":"!"}"#, "base64"),
    ])
    func `reading a malformed event throws an error that describes the problem and its position`(
        text: String, part: String
    ) {
        let error = #expect(throws: CloudEvent.Malformed.self) { try CloudEvent(RelayMessage("subject", text: text)) }
        #expect(error?.description.contains(part) == true, "\(String(describing: error))")
    }

    @Test func `a batch of events is rejected`() {
        let message = RelayMessage(
            "subject", headers: [.init("content-type", "application/cloudevents-batch+json")], bytes: Array("[]".utf8))
        #expect(throws: CloudEvent.Malformed.self) { try CloudEvent(message) }
    }

    @Test func `the members of a JSON object keep their order, and their values keep their spelling`() throws {
        let members = try JSONMembers(
            Data(#" { "a" : [ 1 , "]" ] , "b\u0041":-1.5e3,"c":"x\ny", "d" : {} , "a":null } "#.utf8))
        #expect(members.members.map(\.name) == ["a", "bA", "c", "d", "a"])
        #expect(
            members.members.map { String(decoding: $0.value, as: UTF8.self) } == [
                #"[ 1 , "]" ]"#, "-1.5e3", #""x\ny""#, "{}", "null",
            ])
        #expect(members.string("c") == "x\ny" && members.string("d") == nil)
        let replaced = try JSONMembers(Data(members.replacing([("bA", #"["x"]"#)]).utf8))
        #expect(replaced.strings("bA") == ["x"] && replaced.string("c") == "x\ny" && replaced.members.count == 5)
    }

    @Test func `times are written in UTC with microseconds`() {
        let timestamps = Timestamps()
        func text(_ time: Double) -> String { timestamps.timestamp(of: Date(timeIntervalSince1970: time)).text }
        #expect(text(0) == "1970-01-01T00:00:00.000000Z")
        #expect(text(1_767_323_045.25) == "2026-01-02T03:04:05.250000Z")
        #expect(text(1_767_323_045.5) == "2026-01-02T03:04:05.500000Z")
        #expect(text(-0.5) == "1969-12-31T23:59:59.500000Z")
    }

    @Test func `the delivery count and the sequence number are parsed from the acknowledgement subject`() {
        let short = StreamDelivery("$JS.ACK.S.C.2.10.11.1700000000.5")
        #expect(short?.count == 2 && short?.sequence == 10)
        let long = StreamDelivery("$JS.ACK.domain.account.S.C.3.12.13.1700000000.5.random")
        #expect(long?.count == 3 && long?.sequence == 12)
        for text in [
            "", "$JS.ACK", "a.b.c.d.e.f.g.h.i", "$JS.ACK.S.C.x.10.11.1.5", "$JS.ACK.S.C.0.10.11.1.5",
            "$JS.ACK.S.C.1.-1.1.1.5",
        ] {
            #expect(StreamDelivery(text) == nil)
        }
    }

    @Test func `a subject pattern contains matching subjects and narrower patterns`() {
        #expect(SubjectPattern("a.*.c").contains("a.b.c") && SubjectPattern("a.>").contains("a.b.*"))
        #expect(SubjectPattern(">").contains("a.>") && SubjectPattern("a.*").contains("a.*"))
        #expect(!SubjectPattern("a.*").contains("a.b.c") && !SubjectPattern("a.b").contains("a.*"))
        #expect(!SubjectPattern("a.>").contains("a") && !SubjectPattern("a.*").contains("a.>"))
    }
}
