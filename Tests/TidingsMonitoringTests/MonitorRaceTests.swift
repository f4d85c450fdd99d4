import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

@Suite(.offThePool) struct MonitorRaceTests {
    private let center = NativeNotificationCenter()
    private let rounds = 300

    @Test func `while monitors are attached and detached, no post is lost or duplicated`() async {
        let (center, rounds) = (center, rounds)
        let (ledger, inPost) = (Ledger(), ReceivedValues<Int>())
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
        let token = center.addObserver(for: Numbered.self) { note in inPost.append(note.number) }
        let sequence = center.notifications(of: Numbered.self)
        await withTaskGroup { group in
            group.addTask {
                for number in 0..<rounds {
                    center.post(Numbered(number: number))
                    await Task.yield()
                }
            }
            group.addTask {
                for _ in 0..<rounds {
                    let attachment = center.attach(RecordingMonitor())
                    await Task.yield()
                    attachment.detach()
                }
            }
            group.addTask {
                for _ in 0..<rounds {
                    let tokens = [
                        center.addObserver(on: .task, for: Numbered.self, buffering: .latest(1)) { _ in },
                        center.addObserver(for: Ping.self) { _ in },
                    ]
                    center.post(Ping())
                    for token in tokens { token.cancel() }
                }
            }
            group.addTask {
                for _ in 0..<rounds {
                    _ = center.observations.table
                    await Task.yield()
                }
            }
        }
        await ledger.wait(for: rounds)
        #expect(await ledger.numbers == Array(0..<rounds))
        #expect(inPost.values == Array(0..<rounds))
        var iterator = sequence.makeAsyncIterator()
        var read: [Int] = []
        while read.count < rounds, let note = await iterator.next() { read.append(note.number) }
        #expect(read == Array(0..<rounds))
        #expect(center.observations.map(\.queued) == [0, 0, 0])
        withExtendedLifetime(token) {}
    }

    @Test func `a monitor receives one event for each concurrent registration, post and cancellation`() async {
        let (center, rounds, monitor) = (center, rounds, RecordingMonitor())
        let attachment = center.attach(monitor)
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for number in 0..<rounds / 4 {
                        let token = center.addObserver(on: .task, for: Numbered.self) { _ in }
                        center.post(Numbered(number: number))
                        await token.cancelAndDrain()
                    }
                }
            }
        }
        #expect(monitor.posts.count == rounds / 4 * 4)
        #expect(monitor.words.count { $0 == "registered" } == rounds / 4 * 4)
        #expect(monitor.words.count { $0 == "ended" } == rounds / 4 * 4)
        attachment.detach()
    }
}
