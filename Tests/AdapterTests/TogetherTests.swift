import InMemoryLogging
import Logging
import Testing
import Tidings
import TidingsServer

@Suite(.timeLimit(.minutes(2))) struct TogetherTests {
    @Test func `all adapters can be attached to one center, and nothing is logged after they are detached`() {
        let (center, handler) = (NativeNotificationCenter(), InMemoryLogHandler())
        var logger = Logger(label: "TogetherTests") { _ in handler }
        logger.logLevel = .trace
        let attachments = [
            center.attach(LoggingMonitor(logger)),
            center.attach(MetricsMonitor()),
            center.attach(TracingMonitor()),
        ]
        let token = center.addObserver(for: Cleared.self) { _ in }
        #expect(center.post(Cleared()) == 1)
        let logged = handler.entries.count
        #expect(logged > 0)
        for attachment in attachments { attachment.detach() }
        #expect(center.post(Cleared()) == 1)
        #expect(handler.entries.count == logged)
        withExtendedLifetime(token) {}
    }
}
