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
}
