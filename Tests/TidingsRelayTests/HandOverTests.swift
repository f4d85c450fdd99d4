import TestSupport
import Testing
import TidingsOutbox
import TidingsTesting

@testable import TidingsRelay

/// Tests of two programs that share the table of an outbox while one has no connection to the server. Only the program
/// that has claimed the table sends the rows.
///
/// The time limit after which a program hands over the table passes only when a test advances the clock.
@Suite(.timeLimit(.minutes(2))) struct HandOverTests {
    private static let patience = Duration.seconds(86_400)

    private final class Program: Sendable {
        let outbox: NotificationOutbox<InMemoryOutboxStore>
        let relay: NotificationRelay
        let faults = ReceivedValues<RelayFault>()
        private let clock = JumpingClock()
        private let running = Lock<Task<Void, Never>?>(nil)
        private let token: NotificationToken

        init(
            _ store: InMemoryOutboxStore, _ server: MemoryServer, sendBufferLimit: Int = 100_000, runs: Bool = true
        ) async throws {
            var (own, options) = (RelayOptions(name: "shop"), OutboxOptions())
            (own.handOverTime, own.sendBufferLimit, own.clock) = (HandOverTests.patience, sendBufferLimit, clock)
            (options.pollInterval, options.claimInterval) = (.milliseconds(10), .milliseconds(10))
            options.saveInterval = .zero
            let center = NativeNotificationCenter()
            outbox = try await NotificationOutbox(store, of: center, options: options)
            let relay = try NotificationRelay(
                center, connector: server, options: own, routes: [.durable(Tick.self, .outgoing, stream: "S")],
                outbox: outbox)
            self.relay = relay
            token = center.addObserver(for: RelayFault.self) { [faults] in faults.append($0) }
            if runs { run() }
        }

        func run() { running.withLock { [relay] in $0 = Task { await relay.run() } } }

        func post(_ numbers: Range<Int>) throws { for number in numbers { try outbox.post(Tick(number: number)) } }

        func isHere() async throws -> Bool { outbox.runningObservers.first?.state == .running }

        func passPatience() { clock.jump(by: HandOverTests.patience) }

        func passPause() { clock.jump(by: RelayRunner.longestPause) }

        func wait(for kind: RelayFault.Kind) async -> RelayFault? {
            await eventually(
                "a fault of the kind \(kind) is posted", { faults.values }, until: { $0.contains { $0.kind == kind } })
            return faults.values.first { $0.kind == kind }
        }

        func stop() async {
            await relay.finish()
            await outbox.finish(within: .zero)
            await running.withLock { $0 }?.value
        }
    }

    private let store = InMemoryOutboxStore()
    private let server = MemoryServer()

    private func away() -> MemoryServer {
        let server = MemoryServer()
        server.state.withLock {
            $0.refusals = Array(repeating: RelayFault(.cannotConnect, "away"), count: 100_000)
        }
        return server
    }

    private func ids(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "memory-\($0)" } }

    @Test
    func
        `a disconnected program that claims the table reports a fault, and a connected program takes the table over`()
        async throws
    {
        let streams = try await MemoryStreams(server)
        let cut = try await Program(store, away())
        try await eventually("the program has the table") { try await cut.isHere() }
        try cut.post(0..<600)
        cut.passPatience()
        let other = try await Program(store, server)
        await streams.stored.wait(for: 600)
        #expect(streams.ids == ids(1...600))
        let fault = try #require(await cut.wait(for: .outboxReleased))
        #expect(fault.detail.contains("relay.shop.S") && fault.detail.contains("no connection"))
        try cut.post(600..<700)
        await streams.stored.wait(for: 700)
        #expect(streams.ids == ids(1...700) && other.faults.values == [])
        #expect(cut.faults.values.filter { $0.kind == .outboxReleased }.count == 1)
        await cut.stop()
        await other.stop()
        #expect(streams.arrived.count == 700)
    }

    @Test func `a relay that isn't running releases the table, and sends rows once it runs`() async throws {
        let streams = try await MemoryStreams(server)
        let idle = try await Program(store, server, runs: false)
        try await eventually("the idle program has the table") { try await idle.isHere() }
        try idle.post(0..<10)
        // The clock jumps repeatedly, because the program's task may not be waiting yet at the first jump.
        await eventually("the table is handed over") {
            idle.passPatience()
            return !idle.faults.values.isEmpty
        }
        let fault = try #require(await idle.wait(for: .outboxReleased))
        #expect(fault.detail.contains("relay.shop.S"))
        try await eventually("the idle program releases the table") { try await !idle.isHere() }
        #expect(try await store.prune(storedBefore: .max, abandonedBefore: 0, limit: 100).removed == 0)
        let other = try await Program(store, server)
        try idle.post(10..<20)
        await streams.stored.wait(for: 20)
        await other.stop()
        idle.run()
        try idle.post(20..<30)
        await streams.stored.wait(for: 30)
        #expect(streams.ids == ids(1...30) && streams.arrived.count == 30)
        #expect(idle.faults.values.map(\.kind) == [.outboxReleased])
        await idle.stop()
    }

    @Test func `a disconnected program sends its rows after it reconnects if no other program has taken the table`()
        async throws
    {
        let streams = try await MemoryStreams(server)
        server.state.withLock {
            $0.refusals = Array(repeating: RelayFault(.cannotConnect, "away"), count: 100_000)
        }
        let program = try await Program(store, server)
        try program.post(0..<600)
        program.passPatience()
        _ = await program.wait(for: .outboxReleased)
        // The health reports the waiting rows even after the table was released. While the program is claiming the
        // table again, the health doesn't report them.
        try await eventually("the health reports the number of waiting rows") {
            guard try await !program.isHere() else { return false }
            return program.relay.health().description.contains("up to 600 in the outbox")
        }
        server.state.withLock { $0.refusals = [] }
        program.passPause()
        await streams.stored.wait(for: 600)
        #expect(await program.outbox.drain(within: .seconds(600)) == [])
        #expect(streams.ids == ids(1...600) && streams.arrived.count == 600)
        try program.post(600..<610)
        await streams.stored.wait(for: 610)
        await program.stop()
    }

    @Test func `rows in flight when the connection ends are stored once and in order, whichever program sends next`()
        async throws
    {
        let streams = try await MemoryStreams(server)
        streams.answer("tidings", .storesSilently)
        let first = try await Program(store, server)
        try await eventually("the first program has the table") { try await first.isHere() }
        try store.append((0..<300).map { try OutboxPost(Tick(number: $0), limit: 1000) })
        await streams.stored.wait(for: 1)
        await eventually("256 notifications wait", { first.relay.unsentCount }, until: { $0 >= 256 })
        // The first program loses its connection. The streams' own connection stays open.
        server.state.withLock {
            $0.refusals = Array(repeating: RelayFault(.cannotConnect, "away"), count: 100_000)
        }
        for link in server.links.dropFirst() { link.close() }
        _ = await first.wait(for: .connectionLost)
        first.passPatience()
        _ = await first.wait(for: .outboxReleased)
        await eventually("no notification waits", { first.relay.unsentCount }, until: { $0 == 0 })
        streams.answer("tidings", .stores)
        server.state.withLock { $0.refusals = [] }
        // Both programs can connect again. The first one to claim the table sends.
        let second = try await Program(store, server)
        await streams.stored.wait(for: 300)
        try await eventually(
            "the cursor is at the end", { try await store.observers().first?.cursor }, until: { $0 == 300 })
        #expect(streams.ids == ids(1...300))
        await first.stop()
        await second.stop()
    }

    @Test
    func
        `a disconnected relay releases the table even while a row waits for room in its send buffer`()
        async throws
    {
        let streams = try await MemoryStreams(server)
        let cut = try await Program(store, server, sendBufferLimit: 10)
        try await eventually("the program has the table") { try await cut.isHere() }
        await cut.relay.waitUntilReady()
        streams.answer("tidings", .storesSilently)
        // The rows are stored in one step, so that the first page exceeds the buffer. The next page is read only when
        // the whole first page is settled.
        try store.append((0..<100).map { try OutboxPost(Tick(number: $0), limit: 1000) })
        await eventually("ten notifications wait", { cut.relay.unsentCount }, until: { $0 >= 10 })
        server.state.withLock {
            $0.refusals = Array(repeating: RelayFault(.cannotConnect, "away"), count: 100_000)
        }
        for link in server.links.dropFirst() { link.close() }
        _ = await cut.wait(for: .connectionLost)
        cut.passPatience()
        _ = await cut.wait(for: .outboxReleased)
        try await eventually("the program releases the table") { try await !cut.isHere() }
        await cut.stop()
    }
}
