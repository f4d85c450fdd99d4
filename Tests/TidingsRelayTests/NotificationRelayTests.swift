import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(2))) struct NotificationRelayTests {
    final class Program: Sendable {
        let relay: NotificationRelay
        let ticks = ReceivedValues<Tick>()
        let faults = ReceivedValues<RelayFault>()
        private let tokens: [NotificationToken]
        let running: Task<Void, Never>

        init(
            _ name: String, _ server: MemoryServer, _ center: any TypedNotificationCenter = NativeNotificationCenter(),
            _ routes: [RelayRoute] = [.transient(Tick.self)], change: (inout RelayOptions) -> Void = { _ in }
        ) throws {
            var options = RelayOptions(name: name)
            change(&options)
            let relay = try NotificationRelay(center, connector: server, options: options, routes: routes)
            self.relay = relay
            tokens = [
                center.addObserver(for: Tick.self) { [ticks] in ticks.append($0) },
                center.addObserver(for: RelayFault.self) { [faults] in faults.append($0) },
            ]
            running = Task { await relay.run() }
        }

        func post(_ number: Int) { relay.context.center.base.post(Tick(number: number)) }

        func stop() async {
            await relay.finish()
            await running.value
        }
    }

    static let centers: [@Sendable () -> any TypedNotificationCenter] = [
        { NativeNotificationCenter() }, { ForwardingCenter(to: NativeNotificationCenter()) }, { SimpleCenter() },
        { RecordingNotificationCenter() },
    ]

    @Test(arguments: 0..<4) func `a notification that arrives is posted once and not sent back, on every center`(
        center: Int
    ) async throws {
        let server = MemoryServer()
        let first = try Program("first", server, Self.centers[center]())
        let second = try Program("second", server, Self.centers[center]())
        await first.relay.waitUntilReady()
        await second.relay.waitUntilReady()
        for number in 0..<10 { first.post(number) }
        for number in 10..<20 { second.post(number) }
        #expect(first.ticks.values.map(\.number) == Array(0..<20))
        #expect(second.ticks.values.map(\.number) == Array(0..<20))
        #expect(server.links.flatMap(\.published).count == 20)
        await first.stop()
        await second.stop()
        #expect(first.faults.values == [] && second.faults.values == [])
    }

    @Test(arguments: 0..<4)
    func `an observer's response is sent even if it has the type of the received notification, on every center`(
        center: Int
    )
        async throws
    {
        let server = MemoryServer()
        let center = Self.centers[center]()
        // This observer is registered before the relay's, so its response is posted before the relay's observer
        // receives the notification that arrived.
        let token = center.addObserver(for: Tick.self) { note in
            if note.number == 1 { center.post(Tick(number: 2, text: "answer")) }
        }
        let first = try Program("first", server, center)
        let second = try Program("second", server)
        await first.relay.waitUntilReady()
        await second.relay.waitUntilReady()
        second.post(1)
        #expect(
            Set(second.ticks.values) == [Tick(number: 1), Tick(number: 2, text: "answer")] && second.ticks.count == 2)
        await first.stop()
        await second.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `notifications that are posted without a connection are queued, up to a limit`() async throws {
        let server = MemoryServer()
        server.state.withLock { $0.refusals = [RelayFault(.cannotConnect, "nobody there")] }
        // The clock stands still, so the second attempt happens only when the test advances the clock.
        let clock = ManualClock()
        let program = try Program("here", server) { ($0.transientLimit, $0.clock) = (2, clock) }
        await program.faults.wait(for: 1)
        for number in 0..<3 { program.post(number) }
        // One task is the relay's timer, and the other task waits to reconnect.
        await eventually("two tasks sleep", { clock.sleepers }, until: { $0 >= 2 })
        clock.advance(by: RelayRunner.longestPause)
        await program.relay.waitUntilReady()
        #expect(
            program.faults.values.map(\.kind).contains(.sendBufferFull)
                && program.faults.values.map(\.kind).contains(.cannotConnect))
        #expect(server.links.flatMap(\.published).count == 2)
        await program.stop()
    }

    @Test func `a lost connection is replaced`() async throws {
        let server = MemoryServer()
        let first = try Program("first", server)
        let second = try Program("second", server)
        await first.relay.waitUntilReady()
        await second.relay.waitUntilReady()
        first.post(1)
        for round in 1...3 {
            server.endLinks()
            await first.faults.wait(for: round)
            await second.faults.wait(for: round)
            await first.relay.waitUntilReady()
            await second.relay.waitUntilReady()
            first.post(round + 1)
        }
        await second.ticks.wait(for: 4)
        #expect(second.ticks.values.map(\.number) == [1, 2, 3, 4])
        #expect(first.faults.values.map(\.kind) == [.connectionLost, .connectionLost, .connectionLost])
        await first.stop()
        await second.stop()
    }

    @Test func `an arriving notification is posted as a RelayedNotification, then on its own`() async throws {
        let server = MemoryServer()
        let first = try Program("first", server)
        let second = try Program("second", server)
        let received = ReceivedValues<String>()
        let tokens = [
            second.relay.context.center.base.addObserver(for: RelayedNotification<Tick>.self) { note in
                received.append(
                    "\(note.origin.source) \(note.origin.deliveryCount) \(note.origin.trace?.traceparent ?? "-")")
                note.retry()
            },
            second.relay.context.center.base.addObserver(for: Tick.self) { _ in
                received.append(RelayTraceContext.current?.traceparent ?? "-")
            },
        ]
        await first.relay.waitUntilReady()
        await second.relay.waitUntilReady()
        RelayTraceContext.$current.withValue(RelayTraceContext(traceparent: "00-7")) { first.post(1) }
        #expect(received.values == ["first 1 00-7", "00-7"])
        await first.stop()
        await second.stop()
        withExtendedLifetime(tokens) {}
    }

    @Test func `a program receives its own notifications only as a member of a group`() async throws {
        let server = MemoryServer()
        let program = try Program(
            "here", server, NativeNotificationCenter(), [.transient(Tick.self), .transient(Placed.self, group: "g")])
        let placed = ReceivedValues<Placed>()
        let token = program.relay.context.center.base.addObserver(for: Placed.self) { placed.append($0) }
        await program.relay.waitUntilReady()
        let note = try CloudEvent(id: "1", source: "here", type: "test.tick.v1", data: Tick(number: 1).encoded())
        server.send(note.message("tidings.test.tick.v1", mode: .binary), from: nil)
        let work = try CloudEvent(
            id: "1", source: "here", type: "orders.placed.v2", data: Placed(sender: "a", amount: 1).encoded())
        server.send(work.message("tidings.orders.placed.v2.~.a", mode: .binary), from: nil)
        #expect(program.ticks.count == 0 && placed.values == [Placed(sender: "a", amount: 1)])
        // The route of a group member only receives, so the relay doesn't send the program's own post.
        program.relay.context.center.base.post(Placed(sender: "a", amount: 2))
        #expect(server.links.flatMap(\.published).isEmpty)
        await program.stop()
        withExtendedLifetime(token) {}
    }

    @Test
    func `after waitUntilReady returns, observers registered before the call receive all arriving notifications`()
        async throws
    {
        let server = MemoryServer()
        let program = try Program("here", server, NativeNotificationCenter(), [.transient(Placed.self, group: "g")])
        // Without an observer of the type, the program leaves the notifications to other members of the group.
        await program.relay.waitUntilReady()
        let work = try CloudEvent(
            id: "1", source: "there", type: "orders.placed.v2", data: Placed(sender: "a", amount: 1).encoded())
        let message = work.message("tidings.orders.placed.v2.~.a", mode: .binary)
        server.send(message, from: nil)
        let placed = ReceivedValues<Placed>()
        let token = program.relay.context.center.base.addObserver(for: Placed.self) { placed.append($0) }
        #expect(placed.values.isEmpty)
        await program.relay.waitUntilReady()
        server.send(message, from: nil)
        #expect(placed.values == [Placed(sender: "a", amount: 1)])
        await program.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `a program reads supported older versions of a type, and reports newer versions as faults`() async throws
    {
        let server = MemoryServer()
        let program = try Program("here", server, NativeNotificationCenter(), [.transient(Placed.self, .incoming)])
        let placed = ReceivedValues<Placed>()
        let token = program.relay.context.center.base.addObserver(for: Placed.self) { placed.append($0) }
        await program.relay.waitUntilReady()
        for (version, body) in [(1, #"{"shop":"s"}"#), (2, #"{"sender":"a","amount":3}"#), (3, "{}"), (2, "{}")] {
            let event = CloudEvent(id: "1", source: "there", type: "orders.placed.v\(version)", data: Data(body.utf8))
            server.send(event.message("tidings.orders.placed.v\(version).~.a", mode: .structured), from: nil)
        }
        let other = CloudEvent(id: "1", source: "there", type: "orders.cancelled.v1", data: Data("{}".utf8))
        server.send(other.message("tidings.orders.placed.v1.~.a", mode: .structured), from: nil)
        #expect(placed.values == [Placed(sender: "s", amount: 0), Placed(sender: "a", amount: 3)])
        #expect(program.faults.values.map(\.kind) == [.unknownVersion, .undecodable, .unknownType])
        await program.stop()
        withExtendedLifetime(token) {}
    }

    @Test func `a notification that can't be sent is reported as a fault and doesn't end the relay`() async throws {
        let server = MemoryServer()
        let routes: [RelayRoute] = [
            .transient(Tick.self), .transient(Unencodable.self), .transient(Blob.self), .transient(Placed.self),
        ]
        let program = try Program("here", server, NativeNotificationCenter(), routes)
        await program.relay.waitUntilReady()
        let center = program.relay.context.center.base
        center.post(Unencodable())
        center.post(Tick(number: 1, text: String(repeating: "a", count: 1000)))
        center.post(Placed(sender: String(repeating: "a", count: 300), amount: 1))
        center.post(Blob(bytes: [0, 255]))
        #expect(program.faults.values.map(\.kind) == [.unencodable, .payloadTooLarge, .invalidName])
        #expect(server.links.flatMap(\.published).count == 1)
        await program.stop()
    }

    @Test func `invalid names are rejected`() {
        func kind(_ name: String = "n", _ routes: [RelayRoute] = [], _ change: (inout RelayOptions) -> Void = { _ in })
            -> RelayFault.Kind?
        {
            var options = RelayOptions(name: name)
            change(&options)
            do throws(RelayFault) {
                _ = try NotificationRelay(
                    NativeNotificationCenter(), connector: MemoryServer(), options: options, routes: routes)
                return nil
            } catch { return error.kind }
        }
        #expect(kind() == nil)
        #expect(kind("a.b") == .invalidName && kind("") == .invalidName)
        #expect(kind("n", [.durable(Tick.self, stream: "a b")]) == .invalidName)
        #expect(kind("n", [.durable(Tick.self, stream: "S", consumer: "*")]) == .invalidName)
        #expect(kind("n", [.transient(Tick.self, group: "\n")]) == .invalidName)
        #expect(kind("n", [.transient(Tick.self), .durable(Tick.self, .outgoing, stream: "S")]) == .invalidName)
        #expect(
            kind("n", [.durable(Tick.self, .incoming, stream: "S"), .durable(Tick.self, .incoming, stream: "S")])
                == .invalidName)
        #expect(
            kind(
                "n",
                [
                    .durable(Placed.self, .incoming, stream: "S", sender: "a"),
                    .durable(Placed.self, .incoming, stream: "S", sender: "b"),
                ])
                == nil)
        #expect(kind("n") { $0.subjectPrefix = "a..b" } == .invalidName)
        #expect(kind("n") { $0.inboxPrefix = ">" } == .invalidName)
    }

    @Test func `a relay that ends reports unsent notifications and rejects new ones`() async throws {
        let server = MemoryServer()
        server.state.withLock { $0.refusals = Array(repeating: RelayFault(.cannotConnect, ""), count: 1000) }
        let program = try Program(
            "here", server, NativeNotificationCenter(),
            [.transient(Tick.self), .durable(Placed.self, .outgoing, stream: "S")])
        program.post(1)
        async let receipt = program.relay.context.center.base.deliver(Placed(sender: "a", amount: 1))
        await eventually("a notification waits", { program.relay.unsentCount }, until: { $0 != 0 })
        await program.relay.finish(within: .zero)
        await program.running.value
        await program.relay.waitUntilReady()
        let kinds = program.faults.values.map(\.kind).filter { $0 != .cannotConnect }
        #expect(kinds == [.stopped, .stopped])
        #expect(await receipt.failures.count == 1)
        let fault = await #expect(throws: RelayFault.self) {
            try await program.relay.publish(Placed(sender: "a", amount: 2))
        }
        #expect(fault?.kind == .stopped)
    }

    @Test func `a relay without references is deallocated and stops observing`() async throws {
        weak var released: NotificationRelay?
        let center = NativeNotificationCenter()
        do {
            let relay = try NotificationRelay(
                center, connector: MemoryServer(), options: RelayOptions(name: "n"), routes: [.transient(Tick.self)])
            released = relay
            #expect(center.post(Tick()) == 1)
        }
        #expect(released == nil && center.post(Tick()) == 0)
        do {
            let relay = try NotificationRelay(
                center, connector: MemoryServer(), options: RelayOptions(name: "n"), routes: [.transient(Tick.self)])
            released = relay
            let running = Task { await relay.run() }
            await relay.waitUntilReady()
            running.cancel()
            await running.value
        }
        // A task that has ended may release its captures with a delay.
        await eventually("the object is released") { released == nil }
        #expect(center.post(Tick()) == 0)
    }
}
