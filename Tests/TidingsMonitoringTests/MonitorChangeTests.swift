import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private struct Pong: TypedNotification {}

@Suite(.offThePool) struct MonitorChangeTests {
    private let center = NativeNotificationCenter()

    private final class Posters: Sendable {
        enum Phase: Int { case before, attached, detached }

        private let center: NativeNotificationCenter
        private let phase = Atomic(Phase.before.rawValue)
        private let numbers = [Phase.before, .attached, .detached].map { _ in ReceivedValues<Void>() }

        init(_ center: NativeNotificationCenter) { self.center = center }

        /// The number of completed posts that began in a phase.
        func count(_ phase: Phase) -> Int { numbers[phase.rawValue].count }

        func begin(_ new: Phase) { phase.store(new.rawValue, ordering: .sequentiallyConsistent) }

        /// Posts until 20 posts were made in the last phase. Each post passes the phase as its source line.
        func run() {
            while true {
                let now = phase.load(ordering: .sequentiallyConsistent)
                center.post(Ping(), from: SourcePlace(fileID: "Posters", line: UInt(now)))
                numbers[now].append(())
                if now == Phase.detached.rawValue, numbers[now].count >= 20 { return }
            }
        }
    }

    @Test(arguments: [MonitorInterests.everything, [.posts, .deliveries]])
    func `while threads post, a monitor receives all posts made while it is attached, and no later posts`(
        interests: MonitorInterests
    ) async {
        let (center, observers) = (center, 3)
        let tokens = (0..<observers).map { _ in center.addObserver(for: Ping.self) { _ in } }
        for _ in 0..<20 {
            let (posters, monitor) = (Posters(center), RecordingMonitor())
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { await onOwnThread { posters.run() } } }
                await eventually(
                    "ten posts are made before the change", { posters.count(.before) }, until: { $0 >= 10 })
                let attachment = center.attach(monitor, interests: interests)
                posters.begin(.attached)
                await eventually(
                    "a hundred posts are made with the monitor", { posters.count(.attached) }, until: { $0 >= 100 })
                let certain = posters.count(.attached)
                attachment.detach()
                posters.begin(.detached)
                await group.waitForAll()
                let told = monitor.posts.filter { $0.place?.line == UInt(Posters.Phase.attached.rawValue) }
                #expect(told.count >= certain)
                #expect(told.count <= posters.count(.attached))
                #expect(monitor.posts.allSatisfy { $0.place?.line != UInt(Posters.Phase.detached.rawValue) })
                let calls = Dictionary(grouping: monitor.deliveries, by: \.post)
                // If the monitor is detached during a post, it may receive the events of the calls, but not of the
                // post.
                #expect(told.allSatisfy { calls[$0.id]?.count == observers })
                #expect(Set(monitor.deliveries.map(\.id)).count == monitor.deliveries.count)
            }
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func `a monitor can post, observe, list, attach and detach during any event`() {
        let (center, other, count) = (center, RecordingMonitor(), ReceivedValues<Void>())
        let monitor = RecordingMonitor { _ in
            let attachment = center.attach(other)
            center.addObserver(for: Ping.self) { _ in count.append(()) }.cancel()
            let token = center.addObserver(for: Pong.self) { _ in count.append(()) }
            center.post(Pong())
            _ = (center.observations, center.statistics, center.endedObservations)
            attachment.detach()
            token.cancel()
        }
        let attachment = center.attach(monitor)
        let token = center.addObserver(for: Ping.self) { _ in center.post(Pong()) }
        center.post(Ping())
        token.cancel()
        #expect(
            monitor.words == ["registered", "posted to 0", "delivered in the post", "posted to 1", "ended"])
        #expect(count.count == 5)
        // The other monitor didn't receive the events that the first monitor caused, either.
        #expect(other.words.isEmpty)
        attachment.detach()
    }

    @Test func `a monitor that detaches itself during a post's first call receives no more events of that post`() {
        let center = center
        let attachments = Lock<[MonitorAttachment]>([])
        let monitor = RecordingMonitor { event in
            if case .delivered = event { attachments.withLock { $0 }.first?.detach() }
        }
        let attachment = center.attach(monitor)
        attachments.withLock { $0.append(attachment) }
        let tokens = (0..<3).map { _ in center.addObserver(for: Ping.self) { _ in } }
        #expect(center.post(Ping()) == 3)
        #expect(center.post(Ping()) == 3)
        #expect(monitor.words == ["registered", "registered", "registered", "delivered in the post"])
        attachments.withLock { $0.removeAll() }
        withExtendedLifetime(tokens) {}
    }

    @Test func `if a monitor attaches another monitor during a call, the new monitor receives only later posts`() {
        let (center, other) = (center, RecordingMonitor())
        let attachments = Lock<[MonitorAttachment]>([])
        let monitor = RecordingMonitor { event in
            guard case .delivered = event, attachments.withLock({ $0.isEmpty }) else { return }
            let attachment = center.attach(other)
            attachments.withLock { $0.append(attachment) }
        }
        let attachment = center.attach(monitor)
        let token = center.addObserver(for: Ping.self) { _ in }
        center.post(Ping())
        #expect(other.words.isEmpty)
        center.post(Ping())
        #expect(other.words == ["delivered in the post", "posted to 1"])
        attachments.withLock { $0.removeAll() }
        withExtendedLifetime((attachment, token)) {}
    }
}
