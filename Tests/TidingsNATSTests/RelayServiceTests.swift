import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

#if ServiceLifecycle && Logging
    import Logging
    import ServiceLifecycle
    import ServiceLifecycleTestKit

    @Suite(.timeLimit(.ofServers)) struct RelayServiceTests {
        private let center = NativeNotificationCenter()

        private func relay(_ server: ServerProcess, within limit: Duration) throws -> NotificationRelay {
            var options = RelayOptions(name: "shop")
            options.finishingTime = limit
            return try NotificationRelay(
                center, to: NATSServer(server.address), options: options, routes: [.durable(Tick.self, stream: "TICKS")]
            )
        }

        @Test func `a graceful shutdown ends the relay when all posts are stored and all observers have finished`()
            async throws
        {
            let server = try ServerProcess()
            try await server.start()
            let relay = try relay(server, within: .seconds(60))
            let (gate, arrived, handled) = (Gate(), ReceivedValues<Int>(), ReceivedValues<Int>())
            let token = center.addObserver(on: .task, for: RelayedNotification<Tick>.self) { received in
                arrived.append(received.notification.number)
                await gate.wait()
                handled.append(received.notification.number)
            }
            let other = try RelayedProgram("other", server, [.durable(Tick.self, .outgoing, stream: "TICKS")])
            await other.relay.waitUntilReady()
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup { tasks in
                    tasks.addTask {
                        let logger = Logger(label: "RelayServiceTests") { _ in SwiftLogNoOpLogHandler() }
                        try await ServiceGroup(services: [relay], gracefulShutdownSignals: [], logger: logger).run()
                    }
                    await relay.waitUntilReady()
                    await other.center.deliver(Tick(poster: 1, number: 1))
                    await arrived.wait(for: 1)
                    for number in 0..<1000 { center.post(Tick(poster: 2, number: number)) }
                    trigger.triggerGracefulShutdown()
                    gate.open()
                    try await tasks.waitForAll()
                }
            }
            #expect(handled.values == [1] && relay.unsentCount == 0)
            #expect(center.post(Tick(poster: 2, number: 1000)) == 0)
            let reader = try RelayedProgram(
                "reader", server, [.durable(Tick.self, .incoming, stream: "TICKS", from: .stored)])
            await reader.received.wait(for: 1001)
            await reader.stop()
            await other.stop()
            #expect("\(relay)" == "relay shop")
            withExtendedLifetime(token) {}
        }

        @Test func `a relay that can't finish within its time limit ends, and reports unstored notifications`()
            async throws
        {
            let server = try ServerProcess()
            try await server.start()
            let relay = try relay(server, within: .milliseconds(200))
            let (faults, states) = (ReceivedValues<RelayFault>(), ReceivedValues<RelayStateChanged>())
            let tokens = [
                center.addObserver(for: RelayFault.self) { faults.append($0) },
                center.addObserver(for: RelayStateChanged.self) { states.append($0) },
            ]
            try await testGracefulShutdown { trigger in
                try await withThrowingTaskGroup { tasks in
                    tasks.addTask { await relay.run() }
                    await relay.waitUntilReady()
                    // The server is suspended until the relay has ended.
                    server.signal(SIGSTOP)
                    for number in 0..<10 { center.post(Tick(poster: 1, number: number)) }
                    trigger.triggerGracefulShutdown()
                    try await tasks.waitForAll()
                }
            }
            server.signal(SIGCONT)
            // The first loss is reported on its own. The other losses are combined in one fault, or in two faults if
            // they don't all occur within one second.
            #expect(faults.values.allSatisfy { $0.kind == .stopped } && (2...3).contains(faults.count))
            #expect(faults.values.first?.count == 1 && faults.values.reduce(0) { $0 + $1.count } == 10)
            #expect(
                states.values.map(\.state) == [.connected, .finishing, .disconnected, .ended]
                    && states.values.allSatisfy { $0.name == "shop" })
            withExtendedLifetime(tokens) {}
        }
    }
#endif
