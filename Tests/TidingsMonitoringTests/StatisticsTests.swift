import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}
private struct Pong: TypedNotification {}
private struct Unknown: TypedNotification {}
private struct WillShow: MainActorNotification {}

@Suite(.timeLimit(.minutes(2))) struct StatisticsTests {
    private let center = NativeNotificationCenter()

    private func numbers(_ type: Any.Type) -> [Int] {
        center.statistics[type].map { [$0.posts, $0.deliveries, $0.drops] } ?? []
    }

    @Test func `posts and deliveries of a type are counted while the type has an observer`() {
        let account = Account()
        var tokens = [center.addObserver(for: Ping.self) { _ in }, center.addObserver(for: Ping.self) { _ in }]
        center.addObserver(for: Renamed.self, sender: account) { _ in }.store(in: &tokens)
        #expect(numbers(Ping.self) == [0, 0, 0])
        for _ in 0..<3 { center.post(Ping()) }
        center.post(Renamed(sender: account))
        center.post(Renamed(sender: Account()))
        center.post(Unknown())
        tokens[0].cancel()
        center.post(Ping())
        tokens[1].cancel()
        center.post(Ping())
        #expect(numbers(Ping.self) == [4, 7, 0])
        #expect(numbers(Renamed.self) == [2, 1, 0])
        #expect(center.statistics[Unknown.self] == nil)
        #expect(center.statistics.rows.map(\.subject.name) == center.statistics.rows.map(\.subject.name).sorted())
        withExtendedLifetime(tokens) {}
    }

    @Test func `a monitor that receives only a sample of the posts doesn't change the counts`() {
        let (center, monitor) = (center, RecordingMonitor())
        let token = center.addObserver(for: Ping.self) { _ in }
        let attachment = center.attach(monitor, samplingInterval: 2)
        for _ in 0..<5 { center.post(Ping()) }
        #expect(monitor.posts.count == 3)
        #expect(numbers(Ping.self) == [5, 5, 0])
        attachment.detach()
        withExtendedLifetime(token) {}
    }

    @Test(arguments: [false, true])
    func `a notification that a condition rejects counts as a post and not as a delivery`(isMonitored: Bool) {
        let (monitor, interests) = (RecordingMonitor(), [MonitorInterests.posts, .everything])
        let attachments = isMonitored ? interests.map { center.attach(monitor, interests: $0) } : []
        let token = center.addObserver(for: Numbered.self, where: { $0.number > 1 }) { _ in }
        let other = center.addObserver(for: Numbered.self) { _ in }
        #expect((0..<4).map { center.post(Numbered(number: $0)) } == [1, 1, 2, 2])
        #expect(numbers(Numbered.self) == [4, 6, 0])
        #expect(monitor.deliveries.count == (isMonitored ? 6 : 0))
        withExtendedLifetime((attachments, token, other)) {}
    }

    @Test func `drops are counted, including those of ended observers and of every iterator`() async {
        let actor = StoppedActor()
        let token = center.addObserver(actor, on: .actor, for: Numbered.self, buffering: .latest(1)) { _, _ in }
        let sequence = center.notifications(of: Numbered.self, buffering: .oldest(2))
        let iterators = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
        for number in 0..<4 { center.post(Numbered(number: number)) }
        #expect(numbers(Numbered.self) == [4, 8, 3 + 2 + 2])
        token.cancel()
        await actor.executor.finish { true }
        #expect(numbers(Numbered.self) == [4, 8, 7])
        withExtendedLifetime(iterators) {}
    }

    @Test func `a sequence's status is that of the iterator that takes nothing, even while another reads`() async {
        let sequence = center.notifications(of: Ping.self, buffering: .latest(1))
        var reading = sequence.makeAsyncIterator()
        let hanging = sequence.makeAsyncIterator()
        for _ in 0..<3 {
            center.post(Ping())
            #expect(center.observations.map(\.calls.begun) == [0])
            _ = await reading.next()
        }
        withExtendedLifetime(hanging) {}
    }

    @Test func `nested posts are counted, even if they are nested a hundred deep`() {
        let center = center
        let token = center.addObserver(for: Numbered.self) { note in
            if note.number > 0 { center.post(Numbered(number: note.number - 1)) }
        }
        center.post(Numbered(number: 99))
        #expect(numbers(Numbered.self) == [100, 100, 0])
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test func `a main-actor notification is counted under its own type, and the statistics print as a table`() {
        let tokens = [
            center.addObserver(for: WillShow.self) { _ in }, center.addObserver(for: Ping.self) { _ in },
        ]
        center.post(WillShow())
        #expect(numbers(WillShow.self) == [1, 1, 0])
        let lines = "\(center.statistics)".split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("notification  ") == true)
        #expect(lines.last?.hasSuffix("WillShow  1      1           0      0") == true)
        withExtendedLifetime(tokens) {}
    }

    @Test func `counts are exact with eight threads`() async {
        let (center, rounds) = (center, 2000)
        let tokens = (0..<3).map { _ in center.addObserver(for: Ping.self) { _ in } }
        let nested = center.addObserver(for: Pong.self) { _ in center.post(Ping()) }
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    await onOwnThread {
                        for _ in 0..<rounds {
                            if number.isMultiple(of: 2) { center.post(Ping()) } else { center.post(Pong()) }
                        }
                    }
                }
            }
        }
        #expect(numbers(Ping.self) == [8 * rounds, 24 * rounds, 0])
        #expect(numbers(Pong.self) == [4 * rounds, 4 * rounds, 0])
        withExtendedLifetime((tokens, nested)) {}
    }
}
