import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

private final class Consumer: MessageConsumer {
    func consume(_ message: Ping) async {}
}

/// A monitor that blocks the first thread that reports a queue length.
private struct HoldingMonitor {
    let entered = Gate()
    let goOn = Gate()
    let recorder: RecordingMonitor

    init() {
        let isFirst = Lock(true)
        recorder = RecordingMonitor { [entered, goOn] event in
            guard case .queued = event, isFirst.withLock({ ($0, $0 = false).0 }) else { return }
            entered.open()
            goOn.wait(patience: .seconds(600))
        }
    }

    var counts: [Int] {
        recorder.events.values.compactMap { if case .queued(_, let waiting) = $0 { waiting } else { nil } }
    }
}

@Suite(.offThePool) struct QueueCountTests {
    @Test func `a queue limit that no queue can exceed causes no warning`() async {
        let (center, monitor, actor) = (NativeNotificationCenter(), RecordingMonitor(), StoppedActor())
        let attachment = center.attach(
            monitor, interests: .warnings, thresholds: WarningThresholds(waiting: .max, call: nil))
        center.addObserver(actor, on: .actor, for: Ping.self) { _, _ in }
        center.post(Ping())
        #expect(monitor.warnings.isEmpty)
        await actor.executor.finish { center.observations.first?.queued == 0 }
        withExtendedLifetime(attachment) {}
    }

    @Test(
        arguments: [
            (.unbounded, [1, 2, 3]), (.latest(2), [1, 2, 2]), (.oldest(2), [1, 2]), (.latest(1), [1, 1, 1]),
            (.oldest(1), [1]), (.backPressure(1), [1, 2, 3]),
        ] as [(BufferingPolicy, [Int])])
    func `if two threads post, each report contains the queue length after its own notification`(
        _ policy: BufferingPolicy, expected: [Int]
    ) async {
        let (center, monitor) = (NativeNotificationCenter(), HoldingMonitor())
        let attachment = center.attach(monitor.recorder)
        let sequence = center.notifications(of: Ping.self, buffering: policy)
        async let first: Void = onThread { center.post(Ping()) }
        await monitor.entered.wait()
        await onThread { center.post(Ping()) }
        monitor.goOn.open()
        await first
        center.post(Ping())
        #expect(monitor.counts == expected)
        withExtendedLifetime((attachment, sequence)) {}
    }

    /// The consumer is removed while a dispatch reports the length of its queue, and is added again later.
    @Test func `the queue of a consumer that was removed and added again has no earlier message`() async {
        let (bus, monitor, consumer) = (MessageBus<Ping>(), HoldingMonitor(), Consumer())
        let attachment = bus.attach(monitor.recorder)
        bus.add(consumer)
        async let first: Void = onThread { bus.dispatch(Ping()) }
        await monitor.entered.wait()
        bus.remove(consumer)
        monitor.goOn.open()
        await first
        bus.add(consumer)
        bus.dispatch(Ping())
        #expect(monitor.counts == [1, 1])
        withExtendedLifetime((attachment, consumer)) {}
    }
}
