import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsInspector

@Suite(.timeLimit(.minutes(2))) struct ViewerTests {
    private let clock = ManualClock()
    private let center = NativeNotificationCenter()

    private func stream(_ inspector: Inspector, _ target: String = "/events?every=1") -> Inspector.EventStream? {
        if case .events(let stream) = inspector.answer(target).body { stream } else { nil }
    }

    @Test func `a stream sends a snapshot at once and then at regular intervals, as server-sent events`() async throws {
        let inspector = Inspector(of: center, options: .test, clock: clock)
        var events = try #require(stream(inspector)).makeAsyncIterator()
        let first = String(decoding: try #require(await events.next()), as: UTF8.self)
        #expect(first.hasPrefix("retry: 1000\nevent: snapshot\nid: 1\ndata: {"))
        #expect(first.hasSuffix("}\n\n"))
        #expect(first.split(separator: "\n").count == 4)
        async let second = events.next()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(
            String(decoding: try #require(await second), as: UTF8.self).hasPrefix("event: snapshot\nid: 2\ndata: {"))
    }

    @Test func `snapshots that a slow viewer misses are counted, not queued`() async throws {
        let inspector = Inspector(of: center, clock: clock)
        var iterator = inspector.snapshots(every: .seconds(1)).makeAsyncIterator()
        #expect(await iterator.next()?.lost == 0)
        clock.advance(by: .seconds(5))
        let late = try #require(await iterator.next())
        #expect(late.lost == 4)
        #expect(late.viewers == 1)
        async let next = iterator.next()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(1))
        #expect(await next?.lost == 4)
    }

    @Test func `the number of viewers is limited, and another viewer can connect when one leaves`() throws {
        var options = Inspector.Options.test
        options.mostViewers = 2
        let inspector = Inspector(of: center, options: options, clock: clock)
        do {
            let streams = (stream(inspector), stream(inspector))
            #expect(streams.0 != nil && streams.1 != nil)
            #expect(inspector.answer("/events").status == 503)
            #expect(inspector.snapshot().viewers == 2)
            withExtendedLifetime(streams) {}
        }
        #expect(inspector.snapshot().viewers == 0)
        #expect(stream(inspector) != nil)
    }

    @Test func `a viewer that never reads can be replaced by another after half a minute`() async throws {
        var options = Inspector.Options.test
        options.mostViewers = 1
        let inspector = Inspector(of: center, options: options, clock: clock)
        var silent = try #require(stream(inspector)).makeAsyncIterator()
        clock.advance(by: .seconds(30))
        #expect(stream(inspector) == nil)
        clock.advance(by: .seconds(1))
        let other = stream(inspector)
        #expect(other != nil)
        #expect(String(decoding: try #require(await silent.next()), as: UTF8.self).hasPrefix("event: end\n"))
        #expect(await silent.next() == nil)
    }

    @Test func `streams end when the inspector stops, and no new stream can be opened`() async throws {
        let inspector = Inspector(of: center, options: .test, clock: clock)
        inspector.measure(.follow)
        var events = try #require(stream(inspector)).makeAsyncIterator()
        #expect(await events.next() != nil)
        inspector.stop()
        clock.advance(by: .seconds(1))
        #expect(String(decoding: try #require(await events.next()), as: UTF8.self).hasPrefix("event: end\n"))
        #expect(await events.next() == nil)
        #expect(stream(inspector) == nil)
        #expect(inspector.tier == .look)
    }

    @Test func `names, places and payloads are truncated and contain no invisible characters`() {
        #expect("<script>alert(1)</script>".plain == "<script>alert(1)</script>")
        #expect("\u{202E}abc\u{200F}\n\u{0}\u{7}\u{9F}".plain == #"\u{202E}abc\u{200F}\n\0\u{07}\u{009F}"#)
        #expect("Ümläut 👩‍👩‍👧 漢字".plain == "Ümläut 👩‍👩‍👧 漢字")
        let long = String(repeating: "é", count: 500_000).plain
        #expect(long.utf8.count <= InspectorSnapshot.longestText && long.hasSuffix("é…"))
        #expect(String(decoding: [0xFF, 0xFE, 0x41] as [UInt8], as: UTF8.self).plain == "\u{FFFD}\u{FFFD}A")
        #expect(String(repeating: "a", count: 400).plain.utf8.count == 400)
        #expect("(unknown context at $56026d48b480).Cart (0x1f)".plainName == "Cart (0x1f)")
        #expect("Box<(unknown context at $1).A, B> (unknown".plainName == "Box<A, B> (unknown")
        #expect(String(repeating: "a", count: 401).plain == String(repeating: "a", count: 397) + "…")
    }

    @Test func `only texts of more than 400 bytes are truncated, and they end with an ellipsis`() {
        let accents = String(repeating: "é", count: 200)
        #expect(accents.plain == accents)
        #expect((accents + "é").plain == String(repeating: "é", count: 198) + "…")
        let (lines, shown) = (String(repeating: "\n", count: 198), String(repeating: #"\n"#, count: 198))
        #expect((lines + "aaaa").plain == shown + "aaaa")
        #expect((lines + String(repeating: "a", count: 199)).plain == shown + "a…")
    }
}
