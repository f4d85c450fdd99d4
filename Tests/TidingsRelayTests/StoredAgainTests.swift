import TestSupport
import Testing
import TidingsOutbox
import TidingsTesting

@testable import TidingsRelay

/// Tests of streams that lose acknowledged messages, for example because a replicated stream has lost its leader.
@Suite(.timeLimit(.minutes(2))) struct StoredAgainTests {
    private static let routes: [RelayRoute] = [.durable(Tick.self, .outgoing, stream: "S")]

    private func program(_ server: MemoryServer, _ clock: ManualClock) async throws -> NotificationRelayTests.Program {
        let shop = try NotificationRelayTests.Program("shop", server, NativeNotificationCenter(), Self.routes) {
            $0.clock = clock
        }
        await shop.relay.waitUntilReady()
        return shop
    }

    private func repeated(_ program: NotificationRelayTests.Program) -> Int {
        program.faults.values.filter { $0.kind == .storedAgain }.reduce(0) { $0 + $1.count }
    }

    @Test func `if a stream assigns a number twice, acknowledged messages that it has lost are stored again`()
        async throws
    {
        let (server, clock) = (MemoryServer(), ManualClock())
        let streams = try await MemoryStreams(server, duplicateWindow: .seconds(120))
        let shop = try await program(server, clock)
        for number in 1...5 { #expect(try await shop.relay.publish(Tick(number: number)) == UInt64(number)) }
        let ids = streams.kept
        streams.loseLast(2)
        #expect(try await shop.relay.publish(Tick(number: 6)) == 4)
        await eventually("all messages are stored") { streams.kept.count == 6 }
        // The stream stored the sixth message before the relay could notice that two were missing.
        #expect(streams.kept.prefix(3) == ids.prefix(3) && streams.kept.suffix(2) == ids.suffix(2))
        await shop.stop()
        #expect(repeated(shop) == 2)
    }

    @Test func `after a reconnection, lost acknowledged messages are stored again before queued messages`()
        async throws
    {
        let (server, clock) = (MemoryServer(), ManualClock())
        let streams = try await MemoryStreams(server, duplicateWindow: .seconds(120))
        let shop = try await program(server, clock)
        for number in 1...5 { try await shop.relay.publish(Tick(number: number)) }
        let ids = streams.kept
        streams.loseLast(2)
        for link in server.links where link.published.contains(where: { $0.subject.hasPrefix("tidings.test") }) {
            link.close()
        }
        await eventually("the relay notices the lost connection") { !shop.relay.lag.isConnected }
        shop.post(6)
        await eventually("all messages are stored") {
            clock.advance(by: .milliseconds(100))
            return streams.kept.count == 6
        }
        #expect(Array(streams.kept.prefix(5)) == ids)
        await shop.stop()
        #expect(repeated(shop) == 2)
    }

    @Test func `messages of a table are stored again if their stream has lost them`() async throws {
        let server = MemoryServer()
        let streams = try await MemoryStreams(server, duplicateWindow: .seconds(120))
        let program = try await TableTests.Program(InMemoryOutboxStore(), server, Self.routes)
        try program.post(1..<6)
        await streams.stored.wait(for: 5)
        #expect(await program.outbox.drain(within: .seconds(600)) == [])
        streams.loseLast(2)
        try program.post(6..<7)
        await eventually("all messages are stored") { streams.kept.count == 6 }
        await program.stop()
        #expect(Set(streams.kept) == Set((1...6).map { "memory-\($0)" }))
        #expect(program.faults.values.map(\.kind).contains(.storedAgain))
    }

    // MARK: The send buffer

    private let link = MemoryLink(MemoryServer()) { _ in }
    private let streams = ["S": StoredMessages.Stream(duplicateWindow: .seconds(120), created: "1")]

    private func buffer(storing count: UInt64, _ change: (inout SendBuffer.Settings) -> Void = { _ in }) -> SendBuffer {
        var settings = SendBuffer.Settings(limit: 10_000, window: 10_000, patience: .seconds(5))
        change(&settings)
        var buffer = SendBuffer(settings)
        buffer.connect(link, streams: streams, at: .zero)
        for number in 0..<count {
            add(&buffer)
            buffer.answer(number, .success(number + 1), at: .zero)
        }
        buffer.actions = []
        return buffer
    }

    private func add(_ buffer: inout SendBuffer) {
        let isIn = buffer.append(to: Destination(stream: "S"), at: .zero) {
            RelayMessage("s", headers: [.init("Nats-Msg-Id", "\($0)")])
        } settle: { _ in
        }
        #expect(isIn)
    }

    private func sent(_ buffer: inout SendBuffer) -> [UInt64] {
        defer { buffer.actions = [] }
        return buffer.actions.compactMap { if case .send(_, _, let number) = $0 { number } else { nil } }
    }

    private func reported(_ buffer: inout SendBuffer) -> [RelayFault.Kind] {
        defer { buffer.actions = [] }
        return buffer.actions.compactMap { if case .report(let fault) = $0 { fault.kind } else { nil } }
    }

    @Test func `a stored message is sent again on each new link, without a fault if the stream still has it`() {
        var buffer = buffer(storing: 2)
        for _ in 0..<3 {
            buffer.disconnect()
            buffer.connect(link, streams: streams, at: .seconds(1))
            #expect(sent(&buffer) == [0] && buffer.count == 0 && buffer.bytes == 0)
            buffer.answer(0, .success(1), isDuplicate: true, at: .seconds(1))
            #expect(sent(&buffer) == [1])
            buffer.answer(1, .success(2), isDuplicate: true, at: .seconds(1))
            #expect(reported(&buffer) == [])
        }
        // The messages were first stored at time zero. After half of the duplicate window, no copies are sent, because
        // they might arrive after the window, and be stored twice.
        buffer.disconnect()
        buffer.connect(link, streams: streams, at: .seconds(60))
        #expect(sent(&buffer) == [])
    }

    @Test func `if the first answer to a message was lost, the time of the first send counts as the time of storage`() {
        var buffer = buffer(storing: 0)
        add(&buffer)
        buffer.disconnect()
        buffer.connect(link, streams: streams, at: .seconds(100))
        #expect(sent(&buffer) == [0, 0])
        buffer.answer(0, .success(1), isDuplicate: true, at: .seconds(100))
        // The message may have been stored at second 0. Half of the duplicate window has passed, so no copy is sent.
        buffer.disconnect()
        buffer.connect(link, streams: streams, at: .seconds(101))
        #expect(sent(&buffer) == [])
    }

    @Test func `after a stream was unavailable, its stored messages are sent again before the rejected message`() {
        var buffer = buffer(storing: 2)
        add(&buffer)
        #expect(sent(&buffer) == [2])
        buffer.postpone(2, .absent, RelayFault(.rejected, ""), at: .zero)
        buffer.tick(at: .milliseconds(300))
        #expect(sent(&buffer) == [0])
        buffer.answer(0, .success(1), isDuplicate: true, at: .milliseconds(300))
        #expect(sent(&buffer) == [1, 2])
        buffer.answer(1, .success(2), at: .milliseconds(300))
        #expect(reported(&buffer) == [.storedAgain])
    }

    @Test func `if a stream doesn't respond, its stored messages are sent again`() {
        var buffer = buffer(storing: 1)
        add(&buffer)
        #expect(sent(&buffer) == [1])
        buffer.tick(at: .seconds(6))
        #expect(sent(&buffer) == [0])
    }

    @Test func `no stored message is sent again if its stream may not recognize it as a copy`() {
        // Half of the duplicate window has passed at second 60.
        var old = buffer(storing: 3)
        old.disconnect()
        old.tick(at: .seconds(59))
        old.connect(link, streams: streams, at: .seconds(59))
        #expect(sent(&old) == [0])
        old.tick(at: .seconds(60))
        old.answer(0, .success(1), isDuplicate: true, at: .seconds(60))
        #expect(sent(&old) == [])
        // The stream was created again, or its window isn't known.
        for properties in [["S": StoredMessages.Stream(duplicateWindow: .seconds(120), created: "2")], [:]] {
            var other = buffer(storing: 3)
            other.disconnect()
            other.connect(link, streams: properties, at: .seconds(1))
            #expect(sent(&other) == [])
        }
    }

    @Test func `the buffer keeps a limited number of stored messages, which don't count toward its limit`() {
        var many = buffer(storing: 5000) { $0.limit = 1 }
        many.disconnect()
        many.connect(link, streams: streams, at: .seconds(1))
        #expect(sent(&many) == [5000 - UInt64(StoredMessages.limit)])
        add(&many)
        #expect(many.count == 1)
        many.close(RelayFault(.stopped, ""))
        #expect(reported(&many) == [] && many.count == 0)
    }
}
