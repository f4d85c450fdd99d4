import Testing
import Tidings

@testable import TidingsRelay

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(2))) struct EventTemplateTests {
    static func form(_ contentType: String = "application/json") throws -> EventForm {
        try EventForm(
            EventType(name: "orders.placed", version: 1), contentType, hasSenders: false, Subjects(prefix: "test"))
    }

    // Created on each access, because the address sanitizer reports data in a global variable as a leak.
    static var data: Data { Data(#"{"number":7,"x":[1,{"}":"\"\\"}]}"#.utf8) }

    static func written(_ trace: RelayTraceContext? = nil) throws -> [UInt8] {
        let template = try #require(try form().template)
        return template.event(
            id: Identity(prefix: "abc-", number: 12), source: "shop",
            time: Timestamp(second: "2026-01-02T03:04:05.", microseconds: 6), trace: trace, data: data)
    }

    @Test(arguments: [
        nil, RelayTraceContext(traceparent: "00-1"), RelayTraceContext(traceparent: "00-\"1", tracestate: "a=\\"),
    ])
    func `a template writes the same bytes as encoding the event without a template`(trace: RelayTraceContext?) throws {
        let event = CloudEvent(
            id: "abc-12", source: "shop", type: "orders.placed.v1", time: "2026-01-02T03:04:05.000006Z", trace: trace,
            data: Self.data)
        let bytes = try Self.written(trace)
        #expect(bytes == event.message("subject", mode: .structured).bytes)
        #expect(try CloudEvent(RelayMessage("subject", bytes: bytes)) == event)
    }

    @Test func `a template reads events that it wrote`() throws {
        let bytes = try Self.written()
        let places = try #require(try Self.form().template?.places(in: bytes))
        #expect(String(decoding: bytes[places.id], as: UTF8.self) == "abc-12")
        #expect(Data(bytes[places.data]) == Self.data)
        let event = try ArrivedEvent(RelayMessage("subject", bytes: bytes), expecting: Self.form())
        #expect(event.key == "shop abc-12" && event.time == "2026-01-02T03:04:05.000006Z" && event.data == Self.data)
        #expect(event.isFrom("shop") && !event.isFrom("sho") && !event.isFrom("shops") && event.trace == nil)
    }

    @Test func `an event in binary mode is read from its headers even if its data is another event of the same type`()
        throws
    {
        let inner = Data(try Self.written())
        let event = CloudEvent(
            id: "outer", source: "office", type: "orders.placed.v1", time: "2026-01-02T03:04:05.000006Z", trace: nil,
            data: inner)
        let arrived = try ArrivedEvent(event.message("subject", mode: .binary), expecting: Self.form())
        #expect(arrived.key == "office outer" && arrived.data == inner)
    }

    @Test func `there is no template for data that isn't JSON`() throws {
        #expect(try Self.form("application/octet-stream").template == nil)
        #expect(try Self.form("application/orders+json").template != nil)
    }

    /// Reads variants of one event. Each variant is cut off at a byte, or has a byte removed, doubled or replaced.
    @Test func `a template reads the same values as a JSON parser`() throws {
        let (form, whole) = (try Self.form(), try Self.written())
        let template = try #require(form.template)
        var changed: [[UInt8]] = []
        for index in whole.indices {
            changed.append(Array(whole[..<index]))
            for other in [[], [whole[index], whole[index]]] + #""\{}[],: é0"#.utf8.map({ [$0] }) {
                changed.append(Array(whole[..<index]) + other + Array(whole[(index + 1)...]))
            }
        }
        changed.append(Array(whole.dropLast()) + Array(#","id":"other"}"#.utf8))
        var matches = 0
        for bytes in changed {
            guard template.places(in: bytes) != nil else { continue }
            matches += 1
            let message = RelayMessage("subject", bytes: bytes)
            let (fast, slow) = (try ArrivedEvent(message, expecting: form), try CloudEvent(message))
            #expect(fast.id == slow.id && fast.source == slow.source && fast.time == slow.time)
            #expect(fast.data == slow.data && fast.type == slow.type && fast.trace == slow.trace)
        }
        // The template reads only variants whose change is in the identity, the source, the time or the data.
        #expect(matches > 100 && matches < changed.count / 2)
    }

    @Test func `an event in binary mode, or without a time, is read without the template`() throws {
        let form = try Self.form()
        let event = CloudEvent(
            id: "1", source: "shop", type: "orders.placed.v1", time: nil, data: try Data(Self.written()))
        let binary = try ArrivedEvent(event.message("subject", mode: .binary), expecting: form)
        #expect(binary.id == "1" && binary.data == event.data)
        let structured = try ArrivedEvent(event.message("subject", mode: .structured), expecting: form)
        #expect(structured.id == "1" && structured.data == event.data && structured.isFrom("shop"))
    }
}
