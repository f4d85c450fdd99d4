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

    @Test func `a monitor receives the post of a RelayedNotification that has no observer`() async throws {
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

    @Test func `a durable notification without an observer is retried if the center doesn't report its observers`()
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

    @Test func `a durable notification that all observers of its type reject doesn't block its route`() async throws {
        let answers = try await StreamAnswers { _, _ in nil }
        let center = NativeNotificationCenter()
        var options = RelayOptions(name: "office")
        options.clock = ManualClock()
        options.retryPolicy = [.seconds(5)]
        let relay = try NotificationRelay(
            center, connector: answers.server, options: options,
            routes: [.durable(Placed.self, .incoming, stream: "ORDERS").consuming { $0.inProgressLimit = 1 }])
        let faults = ReceivedValues<RelayFault>()
        let placed = ReceivedValues<Placed>()
        let tokens = [
            center.addObserver(for: RelayFault.self) { faults.append($0) },
            center.addObserver(for: Placed.self, sender: "b", where: { $0.amount > 1 }) { placed.append($0) },
        ]
        let running = Task { await relay.run() }
        await relay.waitUntilReady()
        let reading = try #require(relay.receiver.routes[0].reading)
        let link = try #require(relay.connection.link as? MemoryLink)
        await eventually("the relay requests messages") {
            link.published.contains { $0.subject.hasPrefix("$JS.API.CONSUMER.MSG.NEXT") }
        }
        let notifications = [("a", 2), ("b", 1), ("b", 2)].map { Placed(sender: $0, amount: $1) }
        for (number, notification) in zip(1..., notifications) {
            let event = try CloudEvent(
                id: "\(number)", source: "shop", type: "orders.placed.v2", data: notification.encoded())
            var message = event.message("\(reading.inbox).1", mode: .binary)
            message.reply = "$JS.ACK.ORDERS.\(reading.consumer.name).1.\(number).\(number).0.0"
            answers.server.send(message, from: nil)
        }
        await eventually("the last notification is received", { placed.values }, until: { !$0.isEmpty })
        #expect(placed.values == [Placed(sender: "b", amount: 2)])
        // Two notifications have no observer, and cause two faults of the same kind. The second fault would be reported
        // a second later, but the clock doesn't advance.
        await faults.wait(for: 1)
        #expect(faults.values.map(\.detail) == ["orders.placed.v2 has no observer"])
        await relay.finish(within: .zero)
        await running.value
        withExtendedLifetime(tokens) {}
    }
}
