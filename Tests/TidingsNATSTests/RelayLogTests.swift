import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

#if Logging
    import InMemoryLogging
    import Logging

    @Suite(.timeLimit(.ofServers)) struct RelayLogTests {
        @Test func `each state and each fault is logged as a line, with the details as metadata`() async throws {
            let server = try ServerProcess()
            try await server.start()
            let (center, handler) = (NativeNotificationCenter(), InMemoryLogHandler())
            var logger = Logger(label: "RelayLogTests") { _ in handler }
            logger.logLevel = .trace
            var levels = RelayLog.Levels()
            levels.troubles = .notice
            let log = RelayLog(logger, of: center, levels: levels)
            let states = ReceivedValues<RelayStateChanged>()
            let token = center.addObserver(for: RelayStateChanged.self) { states.append($0) }
            let relay = try NotificationRelay(
                center, to: NATSServer(server.address), as: "shop",
                routes: [.durable(Tick.self, .outgoing, stream: "TICKS")])
            let running = Task { await relay.run() }
            await states.wait(for: 1)
            await server.kill9()
            await states.wait(for: 2)
            // The relay posts the change of state first, and then the fault that has the reason.
            await eventually("the lost connection is logged") {
                handler.entries.contains(where: { "\($0.message)" == "connection lost" })
            }
            center.post(RelayFault(.streamFull, subject: "tidings.test.tick.v1", id: "7", "full"))
            await relay.finish(within: .zero)
            await running.value
            let lines = handler.entries.filter { $0.metadata["tidings.fault"] != "cannotConnect" }
            #expect(
                lines.map { "\($0.level): \($0.message)" } == [
                    "info: relay is connected", "info: relay is not connected", "notice: connection lost",
                    "error: stream is full", "info: relay finishes", "info: relay has ended",
                ])
            #expect(lines.first?.metadata == ["tidings.relay": "shop", "tidings.state": "connected"])
            #expect(
                lines[3].metadata == [
                    "tidings.fault": "streamFull", "tidings.subject": "tidings.test.tick.v1", "tidings.id": "7",
                    "tidings.detail": "full",
                ])
            withExtendedLifetime((log, token)) {}
        }
    }
#endif
