import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

@Suite(.timeLimit(.minutes(2))) struct UnobservedTests {
    @Test func `mayBeObserved is true for a type with an observer, and for all types while there is a monitor`() {
        let center = NativeNotificationCenter()
        #expect(!center.mayBeObserved(Tick.self))
        let token = center.addObserver(for: Tick.self) { _ in }
        #expect(center.mayBeObserved(Tick.self) && !center.mayBeObserved(Blob.self))
        let attachment = center.attach(RecordingMonitor())
        #expect(center.mayBeObserved(Blob.self))
        attachment.detach()
        #expect(!center.mayBeObserved(Blob.self))
        token.cancel()
    }

    @Test func `a monitor receives an arriving notification with its origin even if no observer does`() async throws {
        let server = MemoryServer()
        let first = try NotificationRelayTests.Program("first", server)
        let second = try NotificationRelayTests.Program("second", server)
        await first.relay.waitUntilReady()
        await second.relay.waitUntilReady()
        let monitor = RecordingMonitor()
        let attachment = second.relay.context.center.base.attach(monitor)
        first.post(1)
        await second.ticks.wait(for: 1)
        #expect(monitor.posts.count == 2)
        attachment.detach()
        await first.stop()
        await second.stop()
    }

    @Test func `a center that doesn't report its observers consumes a durable notification without an observer`()
        async throws
    {
        let answers = try await StreamAnswers { _, _ in nil }
        let center = SimpleCenter()
        var options = RelayOptions(name: "office")
        options.clock = ManualClock()
        options.retryPolicy = [.seconds(5)]
        let relay = try NotificationRelay(
            center, connector: answers.server, options: options,
            routes: [.durable(Tick.self, .incoming, stream: "TICKS")])
        let faults = ReceivedValues<RelayFault>()
        let token = center.addObserver(for: RelayFault.self) { faults.append($0) }
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        let reading = try #require(relay.receiver.routes[0].reading)
        let link = try #require(relay.connection.link as? MemoryLink)
        await eventually("the relay requests messages") {
            link.published.contains { $0.subject.hasPrefix("$JS.API.CONSUMER.MSG.NEXT") }
        }
        answers.server.send(try Tick(number: 1).delivered(to: reading), from: nil)
        await faults.wait(for: 1)
        #expect(faults.values.map(\.detail) == ["test.tick.v1 has no observer"])
        await eventually("the notification waits for its retry") { reading.reader.update { $0.fetched.isEmpty } }
        await relay.finish(within: .zero)
        await running.value
        withExtendedLifetime(token) {}
    }
}
