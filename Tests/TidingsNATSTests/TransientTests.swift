import TestSupport
import Testing
import Tidings
import TidingsRelay
import TidingsTesting

@Suite(.timeLimit(.ofServers)) struct TransientTests {
    @Test func `a notification posted in one program is also posted in the other, and isn't sent back`() async throws {
        let server = try ServerProcess([])
        try await server.start()
        let first = try RelayedProgram("first", server, [.transient(Tick.self)])
        let second = try RelayedProgram("second", server, [.transient(Tick.self)])
        await first.relay.waitUntilReady()
        await second.relay.waitUntilReady()
        for number in 0..<1000 {
            first.center.post(Tick(poster: 1, number: number))
            second.center.post(Tick(poster: 2, number: number))
        }
        await first.received.wait(for: 2000)
        await second.received.wait(for: 2000)
        for program in [first, second] {
            for poster in 1...2 {
                #expect(program.received.values.filter { $0.poster == poster }.map(\.number) == Array(0..<1000))
            }
        }
        await first.stop()
        await second.stop()
        #expect(first.received.count == 2000 && second.received.count == 2000)
        #expect(first.faults.values == [] && second.faults.values == [])
    }

    struct Said: RemoteNotification, Hashable {
        static let wireName = "test.said"
        let sender: String
    }

    @Test func `a route can be limited to one sender, even if the sender contains special characters`()
        async throws
    {
        let server = try ServerProcess()
        try await server.start()
        let senders = ["a", "a.b", "*", ">", "a b", "x\r\nPUB tidings.test.said.v1 0\r\n", "\u{0}", "", "\u{1F600}"]
        let programs = try senders.map { sender in
            let routes: [RelayRoute] = [
                .transient(Said.self, .incoming, sender: sender)
            ]
            return try RelayedProgram("listener", server, routes)
        }
        let heard = senders.map { _ in ReceivedValues<String>() }
        let tokens = zip(programs, heard).map { program, heard in
            program.center.addObserver(for: Said.self) { heard.append($0.sender) }
        }
        for program in programs { await program.relay.waitUntilReady() }
        let shop = try RelayedProgram("shop", server, [.transient(Said.self, .outgoing)])
        await shop.relay.waitUntilReady()
        for _ in 1...2 {
            for sender in senders { shop.center.post(Said(sender: sender)) }
        }
        for heard in heard { await heard.wait(for: 2) }
        for (sender, heard) in zip(senders, heard) { #expect(heard.values == [sender, sender]) }
        for program in programs + [shop] {
            await program.stop()
            #expect(program.faults.values == [])
        }
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: [RelayEventMode.structured, .binary])
    func `a remote observer receives the poster's trace`(mode: RelayEventMode) async throws {
        let server = try ServerProcess()
        try await server.start()
        let routes: [RelayRoute] = [.transient(Tick.self), .durable(Said.self, stream: "SAID")]
        let first = try RelayedProgram("first", server, routes) { $0.eventMode = mode }
        let second = try RelayedProgram("second", server, routes) { $0.eventMode = mode }
        await first.relay.waitUntilReady()
        await second.relay.waitUntilReady()
        let traces = ReceivedValues<RelayTraceContext?>()
        let tokens = [
            second.center.addObserver(for: Tick.self) { _ in traces.append(RelayTraceContext.current) },
            // The synchronous response is sent back in the same trace.
            second.center.addObserver(for: Said.self) { _ in _ = second.center.post(Tick(poster: 2, number: 2)) },
            first.center.addObserver(for: RelayedNotification<Tick>.self) { traces.append($0.origin.trace) },
        ]
        let trace = RelayTraceContext(
            traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "a=b,c=\"d\"")
        RelayTraceContext.$current.withValue(trace) { _ = first.center.post(Tick(poster: 1, number: 1)) }
        await traces.wait(for: 1)
        await RelayTraceContext.$current.withValue(trace) { _ = await first.center.deliver(Said(sender: "a")) }
        await traces.wait(for: 3)
        first.center.post(Tick(poster: 1, number: 2))
        await traces.wait(for: 4)
        #expect(traces.values.dropLast().allSatisfy { $0 == trace } && traces.values.last == .some(nil))
        await first.stop()
        await second.stop()
        withExtendedLifetime(tokens) {}
    }
}
