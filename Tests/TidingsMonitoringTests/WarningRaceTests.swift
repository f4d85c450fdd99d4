import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Ping: TypedNotification {}

@Suite(.offThePool) struct WarningRaceTests {
    private let threads = threadCount(200)
    #if TSAN
        private let postsOfEach = 10
    #else
        private let postsOfEach = 100
    #endif

    @Test func `when many threads post, the counts in the warnings add up to the number of drops`() async {
        let (center, clock, monitor) = (NativeNotificationCenter(), ManualClock(), RecordingMonitor())
        let (stopped, received) = (StoppedActor(), ReceivedValues<Int>())
        // The test advances the clock far, so warnings about durations are switched off.
        let thresholds = WarningThresholds(waiting: 2, call: nil, ownerAge: nil, dropInterval: .seconds(1))
        let attachment = center.attach(monitor, interests: .warnings, thresholds: thresholds, clock: clock)
        // All notifications are queued for the first observer. For the second one, all but one are dropped.
        let token = center.addObserver(stopped, on: .actor, for: Numbered.self) { _, note in
            received.append(note.number)
        }
        let sequence = center.notifications(of: Numbered.self, buffering: .oldest(1))
        let (threads, postsOfEach) = (threads, postsOfEach)
        await withTaskGroup { group in
            for thread in 0..<threads {
                group.addTask {
                    await onOwnThread {
                        for number in 0..<postsOfEach {
                            center.post(Numbered(number: thread * postsOfEach + number))
                            clock.advance(by: .milliseconds(20))
                            if number % 10 == 0 {
                                // Ends an observer, and posts to nobody or to the observers of other threads.
                                center.addObserver(for: Ping.self) { _ in }.cancel()
                                center.post(Ping())
                                attachment.check()
                            }
                        }
                    }
                }
            }
        }
        let all = threads * postsOfEach
        clock.advance(by: .seconds(1))
        attachment.check()
        var (drops, totals, lengths, most, nobody) = (0, [Int](), [Int](), [Int](), 0)
        func sortOut() {
            (drops, totals, lengths, most, nobody) = (0, [], [], [], 0)
            for warning in monitor.warnings {
                switch warning {
                case .drops(_, let count, let total):
                    drops += count
                    totals.append(total)
                case .longQueue(_, let waiting): lengths.append(waiting)
                case .queueRecovered(_, let waited): most.append(waited)
                case .reachedNobody(let observer, _):
                    if observer.subject.type == Ping.self { nobody += 1 }
                default: Issue.record("\(warning)")
                }
            }
        }
        sortOut()
        #expect(sequence.droppedCount == all - 1)
        // The first drop causes only an event, and no warning.
        #expect(drops == all - 2)
        #expect(totals.max() == all - 1)
        let sorted = lengths.sorted()
        #expect(sorted.first.map { $0 > 2 } == true && most.isEmpty)
        #expect(zip(sorted, sorted.dropFirst()).allSatisfy { 2 * $0 <= $1 })
        #expect(nobody > 0 && nobody <= threads * (postsOfEach + 9) / 10)
        await stopped.executor.finish { received.count == all }
        #expect(received.values.sorted() == Array(0..<all))
        sortOut()
        #expect(most == [all])
        withExtendedLifetime((attachment, token)) {}
    }
}
