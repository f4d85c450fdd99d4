import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

/// Tests that a relay can end in any state. A test hangs if its relay doesn't end.
@Suite(.timeLimit(.minutes(2))) struct StoppingTests {
    private final class SlowServer: LinkConnector {
        let attempted = Gate()
        let opened = Gate()
        let links = ReceivedValues<any Link>()
        private let server = MemoryServer()

        func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
            attempted.open()
            await opened.wait()
            let link = try await server.connect(report)
            links.append(link)
            return link
        }
    }

    /// A server whose link waits in `flush`, even after the link was closed.
    private final class FlushingServer: LinkConnector {
        let flushing = Gate()
        let flushed = Gate()
        private let server = MemoryServer()

        func connect(_ report: @escaping @Sendable (LinkEvent) -> Void) async throws(RelayFault) -> any Link {
            FlushingLink(try await server.connect(report), self)
        }
    }

    private final class FlushingLink: Link {
        private let base: any Link
        private let server: FlushingServer
        let maximumPayload = 1000
        let backlog = 0

        init(_ base: any Link, _ server: FlushingServer) { (self.base, self.server) = (base, server) }

        func publish(_ message: RelayMessage) -> PublishingOutcome { base.publish(message) }

        func subscribe(
            _ subject: String, group: String?, receive: @escaping @Sendable (RelayMessage) -> Void
        ) throws(RelayFault) -> any AnyObject & Sendable {
            try base.subscribe(subject, group: group, receive: receive)
        }

        func flush() async -> Bool {
            server.flushing.open()
            await server.flushed.wait()
            return true
        }

        func close() { base.close() }

        func waitForEnd() async { await base.waitForEnd() }
    }

    private let center = NativeNotificationCenter()

    private func relay(_ connector: any LinkConnector, _ routes: [RelayRoute]) throws -> NotificationRelay {
        try NotificationRelay(center, connector: connector, options: RelayOptions(name: "here"), routes: routes)
    }

    @Test(arguments: [false, true])
    func `a relay that ends doesn't wait for a connection attempt, and a link that opens later is closed`(
        isCancelled: Bool
    )
        async throws
    {
        let server = SlowServer()
        let relay = try relay(server, [.transient(Tick.self)])
        let (states, faults) = (ReceivedValues<RelayStateChanged.State>(), ReceivedValues<RelayFault.Kind>())
        let tokens = [
            center.addObserver(for: RelayStateChanged.self) { states.append($0.state) },
            center.addObserver(for: RelayFault.self) { faults.append($0.kind) },
        ]
        let running = Task { await relay.run() }
        await server.attempted.wait()
        center.post(Tick(number: 1))
        if isCancelled { running.cancel() } else { await relay.finish(within: .zero) }
        await running.value
        #expect(states.values == (isCancelled ? [.ended] : [.finishing, .ended]))
        #expect(faults.values == [.stopped])
        server.opened.open()
        await server.links.wait(for: 1)
        await server.links.values[0].waitForEnd()
        withExtendedLifetime(tokens) {}
    }

    @Test func `a relay that ends before it is connected doesn't post that it is disconnected`() async throws {
        let server = FlushingServer()
        let relay = try relay(server, [.transient(Tick.self)])
        let states = ReceivedValues<RelayStateChanged.State>()
        let token = center.addObserver(for: RelayStateChanged.self) { states.append($0.state) }
        let running = Task { await relay.run() }
        await server.flushing.wait()
        await relay.finish(within: .zero)
        server.flushed.open()
        await running.value
        #expect(states.values == [.finishing, .ended])
        withExtendedLifetime(token) {}
    }

    @Test func `a connection attempt doesn't retain a relay that has ended`() async throws {
        let server = SlowServer()
        weak var released: NotificationRelay?
        do {
            let relay = try relay(server, [.transient(Tick.self)])
            released = relay
            let running = Task { await relay.run() }
            await server.attempted.wait()
            await relay.finish(within: .zero)
            await running.value
        }
        // The attempt continues until the gate is open. A task that has ended may release its captures with a delay.
        await eventually("the relay is released") { released == nil }
        server.opened.open()
        await server.links.wait(for: 1)
        await server.links.values[0].waitForEnd()
    }

    @Test func `a relay that ends doesn't wait for a server that never answers`() async throws {
        let server = MemoryServer()
        let relay = try relay(server, [.durable(Tick.self, stream: "TICKS")])
        let running = Task { await relay.run() }
        await eventually("the relay queries the stream") { server.links.first?.published.isEmpty == false }
        await relay.finish(within: .zero)
        await running.value
        #expect(server.links.isEmpty)
    }

    @Test func `a relay that finishes waits for observers of a received notification and then acknowledges it`()
        async throws
    {
        let answers = try await StreamAnswers { _, _ in nil }
        let (center, begun, go, finished) = (center, Gate(), Gate(), Gate())
        let token = center.addObserver(on: .task, for: Tick.self) { _ in
            begun.open()
            await go.wait()
        }
        var options = RelayOptions(name: "office")
        options.clock = ManualClock()
        let relay = try NotificationRelay(
            center, connector: answers.server, options: options,
            routes: [.durable(Tick.self, .incoming, stream: "TICKS")])
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        let reading = try #require(relay.receiver.routes[0].reading)
        let link = try #require(relay.connection.link as? MemoryLink)
        answers.server.send(try Tick(number: 1).delivered(to: reading), from: nil)
        await begun.wait()
        let finish = Task {
            await relay.finish(within: .seconds(600))
            finished.open()
        }
        // `takeTasks()` removes the tasks, so it is called on a copy.
        func waiting() -> Int {
            reading.reader.update { reader in
                var fetched = reader.fetched
                return fetched.takeTasks().count
            }
        }
        await eventually("the relay waits for the observer, or has finished") { waiting() > 0 || finished.isOpen }
        #expect(!finished.isOpen)
        go.open()
        await finish.value
        await running.value
        #expect(link.published.contains { String(decoding: $0.body, as: UTF8.self) == "+ACK" })
        token.cancel()
    }

    @Test func `a relay that finishes without having run reports all faults and ends once`() async throws {
        let relay = try relay(SlowServer(), [.transient(Tick.self)])
        let (states, faults) = (ReceivedValues<RelayStateChanged.State>(), ReceivedValues<RelayFault>())
        let tokens = [
            center.addObserver(for: RelayStateChanged.self) { states.append($0.state) },
            center.addObserver(for: RelayFault.self) { faults.append($0) },
        ]
        for number in 0..<3 { center.post(Tick(number: number)) }
        await relay.finish(within: .zero)
        // Faults of the same kind and type are combined after the first.
        #expect(faults.values.map(\.kind) == [.stopped, .stopped] && faults.values.map(\.count) == [1, 2])
        await relay.waitUntilReady()
        await relay.run()
        #expect(states.values == [.finishing, .ended])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a relay that has ended doesn't connect again`() async throws {
        let server = SlowServer()
        let relay = try relay(server, [.transient(Tick.self)])
        await relay.finish(within: .zero)
        await relay.run()
        #expect(!server.attempted.isOpen)
    }
}
