import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// What a relay does not make, as nobody would be called with it.
@Suite(.timeLimit(.minutes(2))) struct UnobservedTests {
    @Test func `a type may be observed once somebody observes it, and while there is a monitor`() {
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

    @Test func `a monitor sees what arrives with its origin, though nobody observes that`() async throws {
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
