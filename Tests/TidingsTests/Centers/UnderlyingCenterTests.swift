import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

@Suite struct UnderlyingCenterTests {
    private struct Silent: NotificationMonitor {
        func receive(_ event: NotificationEvent) {}
    }

    @Test func `listing, draining and removing observers call neither of a custom center's two required methods`() async
    {
        let center = CountingCenter(base: NativeNotificationCenter())
        _ = center.observations
        _ = center.statistics
        _ = center.health()
        await center.drain()
        await center.drain(within: .seconds(1))
        center.attach(Silent()).detach()
        center.removeObservers(of: Account())
        await center.finish(within: .seconds(1))
        #expect(center.calls.values == [])
        center.post(Ping())
        center.addObserver(for: Ping.self) { _ in }.cancel()
        #expect(center.calls.values == ["post", "observe"])
    }

    @Test func `a forwarding center lists the observations of its underlying center`() {
        let (base, owner) = (NativeNotificationCenter(), Account())
        let center = ForwardingCenter(to: ForwardingCenter(to: base))
        center.addObserver(owner, for: Ping.self) { _, _ in }
        #expect(center.observations.count == 1)
        #expect(center.underlyingCenter != nil && base.underlyingCenter == nil)
        center.removeObservers(of: owner)
        #expect(base.observations.isEmpty)
    }

    @Test func `a custom center without an underlying center lists no observers and can't remove an owner's observers`()
    {
        let (base, owner) = (NativeNotificationCenter(), Account())
        let center = CountingCenter(base: base, isNamed: false)
        center.addObserver(owner, for: Ping.self) { _, _ in }
        #expect(center.observations.isEmpty)
        center.removeObservers(of: owner)
        #expect(base.observations.count == 1)
        withExtendedLifetime(owner) {}
    }

    @Test func `an owner's observers can be removed through a center that forwards to a custom center`() {
        let (base, owner) = (SimpleCenter(), Account())
        let center = ForwardingCenter(to: base)
        center.addObserver(owner, for: Ping.self) { _, _ in }
        center.removeObservers(of: owner)
        #expect(base.count == 0)
        withExtendedLifetime(owner) {}
    }

    @Test func `a drain without a limit waits for everything posted before it`() async {
        let centers: [any TypedNotificationCenter] = [
            NativeNotificationCenter(), ForwardingCenter(to: NativeNotificationCenter()),
        ]
        for center in centers {
            let received = ReceivedValues<Int>()
            let token = center.addObserver(on: .task, for: Ping.self) { _ in received.append(1) }
            for _ in 0..<100 { center.post(Ping()) }
            await center.drain()
            #expect(received.values.count == 100)
            token.cancel()
        }
    }

    @MainActor
    @Test func `a drain ends when its task is cancelled`() async {
        let center = NativeNotificationCenter()
        let (gate, begun) = (Gate(), Gate())
        let token = center.addObserver(on: .task, for: Ping.self) { _ in await gate.wait() }
        center.post(Ping())
        let drain = Task {
            begun.open()
            await center.drain()
        }
        // The drain runs on the main actor until it waits, so the test continues after that.
        await begun.wait()
        drain.cancel()
        await returns("the drain") { await drain.value }
        gate.open()
        await token.cancelAndDrain()
    }

    @Test
    func `a drain of a center that forwards to a recorder waits for the notifications held at the recorder's gate`()
        async
    {
        let recorder = RecordingNotificationCenter()
        let received = ReceivedValues<Int>()
        let token = recorder.addObserver(on: .task, for: Ping.self) { _ in received.append(1) }
        recorder.gate.close()
        recorder.post(Ping())
        async let drained: Void = ForwardingCenter(to: recorder).drain()
        #expect(received.values == [])
        await recorder.gate.open()
        await drained
        #expect(received.values == [1])
        token.cancel()
    }
}

private final class CountingCenter: TypedNotificationCenter {
    let calls = ReceivedValues<String>()
    private let base: NativeNotificationCenter
    private let isNamed: Bool

    init(base: NativeNotificationCenter, isNamed: Bool = true) { (self.base, self.isNamed) = (base, isNamed) }

    var underlyingCenter: (any TypedNotificationCenter)? { isNamed ? base : nil }

    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        calls.append("post")
        return base.post(notification, from: place)
    }

    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        calls.append("observe")
        return base.observe(type, sender: sender, registration: registration, using: observer)
    }
}
