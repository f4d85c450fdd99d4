import Foundation
import TestSupport
import Testing
import TidingsOutbox
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct TableTests {
    final class Program: Sendable {
        let outbox: NotificationOutbox<InMemoryOutboxStore>
        let relay: NotificationRelay
        let ticks = ReceivedValues<Tick>()
        let faults = ReceivedValues<RelayFault>()
        let outboxFaults = ReceivedValues<OutboxFault>()
        let running: Task<Void, Never>
        private let tokens: [NotificationToken]

        init(
            _ store: InMemoryOutboxStore, _ server: MemoryServer, _ routes: [RelayRoute] = TableTests.routes,
            _ center: any TypedNotificationCenter = NativeNotificationCenter(),
            outboxCenter: (any TypedNotificationCenter)? = nil, change: (inout RelayOptions) -> Void = { _ in }
        ) async throws {
            var (own, options) = (RelayOptions(name: "shop"), OutboxOptions())
            // The time limit is so long that the table isn't released even if the machine is slow to connect.
            own.handOverTime = .seconds(600)
            change(&own)
            (options.pollInterval, options.claimInterval) = (.milliseconds(20), .milliseconds(20))
            options.saveInterval = .zero
            let outboxCenter = outboxCenter ?? center
            outbox = try await NotificationOutbox(store, of: outboxCenter, options: options)
            let relay = try NotificationRelay(
                center, connector: server, options: own, routes: routes, outbox: outbox)
            self.relay = relay
            tokens = [
                center.addObserver(for: Tick.self) { [ticks] in ticks.append($0) },
                center.addObserver(for: RelayFault.self) { [faults] in faults.append($0) },
                outboxCenter.addObserver(for: OutboxFault.self) { [outboxFaults] in outboxFaults.append($0) },
            ]
            running = Task { await relay.run() }
        }

        func post(_ numbers: Range<Int>) throws { for number in numbers { try outbox.post(Tick(number: number)) } }

        func stop() async {
            await outbox.finish(within: .seconds(600))
            await relay.finish()
            await running.value
        }

        /// Ends like a program that is killed, without saving its progress.
        func die() async {
            outbox.store.interrupt()
            await relay.finish(within: .zero)
            await outbox.finish(within: .zero)
            await running.value
        }
    }

    private static let routes: [RelayRoute] = [.durable(Tick.self, .outgoing, stream: "S")]
    private let server = MemoryServer()
    private let store = InMemoryOutboxStore()

    private func ids(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "memory-\($0)" } }

    @Test(arguments: 0..<5)
    func `a row is sent once with its own identity, and a post outside the outbox is sent as usual`(
        number: Int
    ) async throws {
        let streams = try await MemoryStreams(server)
        let native = NativeNotificationCenter()
        // The last center forwards the outbox's posts to the relay's center, so the relay can't recognize these posts
        // by their center.
        let center = number < 4 ? NotificationRelayTests.centers[number]() : native
        let program = try await Program(
            store, server, Self.routes, center, outboxCenter: number < 4 ? nil : ForwardingCenter(to: native))
        try program.post(0..<5)
        await streams.stored.wait(for: 5)
        #expect(await center.deliver(Tick(number: 99)).isComplete)
        try program.post(5..<600)
        await streams.stored.wait(for: 601)
        #expect(await program.outbox.drain(within: .seconds(600)) == [])
        #expect(streams.ids.filter { $0.hasPrefix("memory") } == ids(1...600) && streams.arrived.count == 601)
        #expect(Set(program.ticks.values.map(\.number)) == Set(0..<600) && program.ticks.count == 601)
        #expect(try await program.outbox.registeredObservers().map(\.name) == ["relay.shop.S"])
        #expect(try await program.relay.status().outgoing == 0)
        await program.stop()
        #expect(program.faults.values == [] && program.outboxFaults.values == [])
        #expect(try await store.observers().map(\.cursor) == [600])
    }

    @Test
    func `an observer's response outside the outbox is sent, even if it has the type of the received notification`()
        async throws
    {
        let streams = try await MemoryStreams(server)
        for center in NotificationRelayTests.centers.map({ $0() }) {
            let token = center.addObserver(for: Tick.self) { note in
                if note.text.isEmpty { center.post(Tick(number: note.number, text: "answer")) }
            }
            let before = streams.stored.count
            let program = try await Program(store, server, Self.routes, center)
            try program.post(1..<2)
            await program.outbox.drain(within: .seconds(600))
            await streams.stored.wait(for: before + 2)
            await program.stop()
            #expect(streams.stored.count == before + 2 && streams.arrived.count == before + 2)
            withExtendedLifetime(token) {}
        }
    }

    @Test func `if a program dies before it records sent rows, they are sent again, and the stream drops the copies`()
        async throws
    {
        let streams = try await MemoryStreams(server)
        streams.answer("tidings", .storesSilently)
        // The rows are stored in one step, so that the first page is full. The next page is sent only when the whole
        // first page is answered, which doesn't happen here.
        try store.append((0..<300).map { try OutboxPost(Tick(number: $0), limit: 1000) })
        let first = try await Program(store, server)
        await streams.stored.wait(for: 100)
        await first.die()
        #expect(try await store.observers().map(\.cursor) == [0])
        streams.answer("tidings", .stores)
        let second = try await Program(store, server)
        try second.post(300..<310)
        await streams.stored.wait(for: 310)
        #expect(await second.outbox.drain(within: .seconds(600)) == [])
        #expect(streams.ids == ids(1...310) && streams.arrived.count > 310)
        await second.stop()
    }

    @Test func `rows wait in the table while there is no server, and the health mentions the outbox`() async throws {
        let streams = try await MemoryStreams(server)
        server.state.withLock { $0.refusals = Array(repeating: RelayFault(.cannotConnect, "away"), count: 3) }
        let program = try await Program(store, server)
        try program.post(0..<1000)
        #expect(program.relay.unsentCount == 0)
        await streams.stored.wait(for: 1000)
        #expect(await program.outbox.drain(within: .seconds(600)) == [])
        #expect(streams.ids == ids(1...1000) && program.relay.health().isWell)
        await program.stop()
        try store.append([try OutboxPost(Tick(number: 1), limit: 1000)])
        let words = program.relay.health().problems.map(\.description)
        #expect(
            words == ["the relay shop is not connected, and 0 notifications wait for it, and up to 0 in the outbox"])
    }

    @Test func `a full stream holds up only its own types, and at most one page is in memory`() async throws {
        let streams = try await MemoryStreams(server)
        streams.answer("tidings.test.tick", .isFull)
        let routes: [RelayRoute] = Self.routes + [.durable(Blob.self, .outgoing, stream: "BLOBS")]
        let program = try await Program(store, server, routes)
        try program.post(0..<2000)
        try program.outbox.post(Blob(bytes: [1]))
        await streams.stored.wait(for: 1)
        // At most one page waits, plus the stored row if its answer is still in transit.
        #expect(streams.ids == ["memory-2001"] && program.relay.unsentCount <= 257)
        streams.answer("tidings.test.tick", .stores)
        await streams.stored.wait(for: 2001)
        #expect(await program.outbox.drain(within: .seconds(600)) == [])
        #expect(Array(streams.ids.dropFirst()) == ids(1...2000))
        await program.stop()
        #expect(program.faults.values.map(\.kind) == [.streamFull] && program.outboxFaults.values == [])
    }

    @Test func `rows that can never be sent become dead letters and don't hold up other rows`() async throws {
        let streams = try await MemoryStreams(server)
        streams.answer("tidings.test.blob", .refuses("wrong"))
        let routes: [RelayRoute] = Self.routes + [.durable(Blob.self, .outgoing, stream: "S")]
        let program = try await Program(store, server, routes)
        try program.post(0..<1)
        try program.outbox.post(Tick(number: 1, text: String(repeating: "x", count: 2000)))
        try program.outbox.post(Blob(bytes: [1]))
        try store.append([OutboxPost(name: Tick.wireName, version: 1, body: .init([0x7B]))])
        try program.post(4..<5)
        await streams.stored.wait(for: 2)
        #expect(await program.outbox.drain(within: .seconds(600)) == [])
        #expect(streams.ids == ["memory-1", "memory-5"])
        #expect(program.outboxFaults.values.map(\.kind) == [.deadLetter, .deadLetter, .undecodable])
        #expect(program.outboxFaults.values.allSatisfy { $0.observer == "relay.shop.S" })
        let kinds: Set<RelayFault.Kind> = [.payloadTooLarge, .undecodable, .rejected]
        #expect(Set(program.faults.values.map(\.kind)) == kinds && program.faults.count == 3)
        // These dead letters aren't saved until the observer's progress is saved.
        var deadLetters: [OutboxDeadLetter] = []
        try await eventually("three rows are dead letters") {
            deadLetters = try await program.outbox.deadLetters(for: "relay.shop.S")
            return deadLetters.count == 3
        }
        #expect(deadLetters.map(\.row.id) == [2, 3, 4])
        streams.answer("tidings.test.blob", .stores)
        #expect(try await program.outbox.redrive(for: "relay.shop.S", positions: [3]) == 1)
        await streams.stored.wait(for: 3)
        await program.stop()
        #expect(streams.ids.last == "memory-3")
    }

    @Test func `a row of an unknown version stays in the table for a newer program and holds up no other rows`()
        async throws
    {
        let streams = try await MemoryStreams(server)
        let routes: [RelayRoute] = Self.routes + [.durable(Blob.self, .outgoing, stream: "S")]
        let program = try await Program(store, server, routes)
        try store.append([OutboxPost(name: Blob.wireName, version: 7, body: .init([1]))])
        try program.post(1..<2)
        await streams.stored.wait(for: 1)
        #expect(streams.ids == ["memory-2"])
        await eventually("the unknown version is reported") { program.outboxFaults.count > 0 }
        #expect(program.outboxFaults.values.allSatisfy { $0.kind == .unknownVersion })
        #expect(try await program.outbox.deadLetters(for: "relay.shop.S") == [])
        // The row stays in the table until its retry.
        await program.outbox.finish(within: .zero)
        await program.relay.finish()
        await program.running.value
    }

    @Test func `rows that the server doesn't permit are retried, and rows sent after them aren't sent again`()
        async throws
    {
        let streams = try await MemoryStreams(server)
        streams.answer("tidings.test.blob", .storesSilently)
        let routes: [RelayRoute] = Self.routes + [.durable(Blob.self, .outgoing, stream: "S")]
        let program = try await Program(store, server, routes)
        // The rows are stored in one step, so that they are in one page.
        try store.append([
            try OutboxPost(Tick(number: 1), limit: 1000), try OutboxPost(Blob(bytes: [1]), limit: 1000),
            try OutboxPost(Tick(number: 3), limit: 1000),
        ])
        await streams.arrived.wait(for: 2)
        await eventually("one notification waits", { program.relay.unsentCount }, until: { $0 == 1 })
        for link in server.links {
            link.report(.permissionDenied(subject: "tidings.test.blob.v1", detail: "Permissions Violation"))
        }
        await program.outboxFaults.wait(for: 1)
        try program.post(4..<5)
        streams.answer("tidings.test.blob", .stores)
        #expect(await program.outbox.drain(within: .seconds(600)) == [])
        #expect(streams.ids == ids(1...4) && streams.arrived.count == 5)
        #expect(program.outboxFaults.values.map(\.kind) == [.observerFailed])
        await program.stop()
    }

    @Test func `a relay that ends takes no more rows, and another relay continues`() async throws {
        let streams = try await MemoryStreams(server)
        let first = try await Program(store, server)
        try first.post(0..<10)
        #expect(await first.outbox.drain(within: .seconds(600)) == [])
        #expect(throws: RelayFault.self) {
            try NotificationRelay(
                first.relay.context.center.base, connector: server, options: RelayOptions(name: "other"),
                routes: Self.routes,
                outbox: first.outbox)
        }
        await first.relay.finish()
        await first.running.value
        try first.post(10..<20)
        // No relay is active now, so these rows stay in the table until the second relay sends them.
        let second = try NotificationRelay(
            first.relay.context.center.base, connector: server, options: RelayOptions(name: "shop"),
            routes: Self.routes,
            outbox: first.outbox)
        try first.post(20..<30)
        let running = Task { await second.run() }
        await streams.stored.wait(for: 30)
        #expect(await first.outbox.finish(within: .seconds(600)) == [])
        #expect(streams.ids == ids(1...30) && streams.arrived.count == 30)
        await second.finish()
        await running.value
    }

    @Test func `a relay that is never run is deallocated, and its observer of the table ends`() async throws {
        let outbox = try await NotificationOutbox(store, of: NativeNotificationCenter())
        weak var released: NotificationRelay?
        do {
            let relay = try NotificationRelay(
                NativeNotificationCenter(), connector: server, options: RelayOptions(name: "shop"), routes: Self.routes,
                outbox: outbox)
            released = relay
            try outbox.post(Tick(number: 1))
            await eventually("the observer runs", { outbox.runningObservers.first?.state }, until: { $0 == .running })
        }
        await eventually("the relay is released, and its observer has ended") {
            released == nil && outbox.runningObservers.isEmpty
        }

        #expect(try await store.observers().map(\.cursor) == [0])
        await outbox.finish(within: .seconds(600))
    }

    @Test func `a row of an older version is sent in the current version's form, on its sender's subject`() async throws
    {
        let streams = try await MemoryStreams(server)
        let program = try await Program(store, server, [.durable(Placed.self, .outgoing, stream: "S")])
        try program.outbox.post(Placed(sender: "a", amount: 1))
        let first = OutboxPost(name: Placed.wireName, version: 1, body: .init(#"{"shop":"b"}"#.utf8))
        try store.append([first], at: 1_000_000_000_000)
        await streams.stored.wait(for: 2)
        await program.stop()
        #expect(
            streams.stored.values.map(\.subject) == ["tidings.orders.placed.v2.~.a", "tidings.orders.placed.v2.~.b"])
        let text = String(decoding: streams.stored.values[1].bytes, as: UTF8.self)
        #expect(text.contains(#""time":"2001-09-09T01:46:40.000000Z""#) && text.contains(#""id":"memory-2""#))
        #expect(text.contains(#""amount":0"#))
    }

    @Test func `messages from the table aren't dropped to make room in the send buffer`() {
        var outbox = SendBuffer(.init(limit: 2, dropsOldest: true, window: 2, patience: .seconds(5)))
        let settled = SettledMessages()
        func append(_ number: Int, isDroppable: Bool) -> Bool {
            outbox.append(to: Destination(isDroppable: isDroppable), at: .zero, { _ in RelayMessage("\(number)") }) {
                settled.add(number, $0)
            }
        }
        #expect(append(0, isDroppable: false) && append(1, isDroppable: true) && append(2, isDroppable: false))
        #expect(!append(3, isDroppable: true))
        for case .settle(let settle, let result) in outbox.actions { settle(result) }
        #expect(settled.failures == [1])
    }

    @Test func `no message is dropped if the drops wouldn't make enough room for a new message`() {
        var buffer = SendBuffer(
            .init(limit: 10, byteLimit: 100, dropsOldest: true, window: 2, patience: .seconds(5)))
        func append(_ size: Int, isDroppable: Bool) -> Bool {
            let message = RelayMessage("", bytes: [UInt8](repeating: 0, count: size))
            return buffer.append(to: Destination(isDroppable: isDroppable), at: .zero, { _ in message }) { _ in }
        }
        #expect(append(90, isDroppable: false) && append(10, isDroppable: true))
        #expect(!append(50, isDroppable: true))
        #expect(buffer.count == 2 && buffer.bytes == 100)
        #expect(append(8, isDroppable: true))
        #expect(buffer.count == 2 && buffer.bytes == 98)
    }
}
