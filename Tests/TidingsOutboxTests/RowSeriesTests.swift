import Foundation
import TestSupport
import Testing
import Tidings
import TidingsFoundation
import TidingsTesting

@testable import TidingsOutbox

/// Tests that the guarantees for rows hold when an observer receives many rows directly one after another.
@Suite(.timeLimit(.minutes(2))) struct RowSeriesTests {
    private let center = NativeNotificationCenter()
    private let store = InMemoryOutboxStore()
    private let clock = ManualClock()
    private let worker = Worker()

    /// Opens an outbox with 300 rows and the default page size, so that series are as long as possible.
    private func open(_ options: OutboxOptions = OutboxOptions()) async throws -> NotificationOutbox<
        InMemoryOutboxStore
    > {
        let outbox = try await NotificationOutbox(store, of: center, options: options, clock: clock)
        for number in 1...300 {
            try store.append([try OutboxPost(Placed(number: number, customer: "\(number % 3)"))])
        }
        return outbox
    }

    @Test func `a failure ends the series of rows, and no later row is handled before the failed row`() async throws {
        let outbox = try await open()
        await worker.fail(150, times: 1)
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, from: .stored, retrying: RetryPolicy([.seconds(5)])
        ) { me, note in try await me.handle(note) }
        await worker.waitForAttempts(150)
        await clock.advance(
            "the failed row is retried", by: .seconds(1), { await worker.attempts.count }, until: { $0 >= 151 })
        await worker.waitForAttempts(301)
        #expect(await worker.attempts == Array(1...150) + Array(150...300))
        await outbox.finish(within: .seconds(10))
    }

    @Test func `a failed row delays only later rows with the same key, even within a series`() async throws {
        let outbox = try await open()
        await worker.fail(150, times: 1)
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, ordered: .by(\.customer), from: .stored,
            retrying: RetryPolicy([.seconds(5)])
        ) { me, note in try await me.handle(note) }
        let others = (151...300).filter { $0 % 3 != 0 }
        await worker.waitForAttempts(150 + others.count)
        #expect(await worker.attempts == Array(1...150) + others)
        await clock.advance(
            "all rows are attempted", by: .seconds(1), { await worker.attempts.count }, until: { $0 >= 301 })
        #expect(await Array(worker.attempts.suffix(51)) == (150...300).filter { $0 % 3 == 0 })
        await outbox.finish(within: .seconds(10))
    }

    @Test func `monitors receive each call once, even if a failure ends a series of rows`() async throws {
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        let outbox = try await open()
        await worker.fail(150, times: 1)
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, from: .stored, retrying: .none
        ) { me, note in try await me.handle(note) }
        await worker.waitForAttempts(300)
        await outbox.finish(within: .seconds(600))
        #expect(monitor.deliveries.count == 300 && monitor.failures.count == 1)
        let row = try #require(center.statistics.rows.first { $0.subject.name.contains("DurableDelivery") })
        #expect(row.posts == 300 && row.deliveries == 300)
        // Each row's post comes after the end of the previous call and isn't caused by that call.
        #expect(monitor.posts.count { $0.subject == row.subject } == 300)
        #expect(monitor.posts.allSatisfy { $0.cause == nil })
        withExtendedLifetime(attachment) {}
    }

    @Test func `rows that a condition rejects count as handled, even if there are many in succession`() async throws {
        let outbox = try await open()
        outbox.addObserver(
            worker, named: "worker", on: .actor, for: Placed.self, where: { $0.number % 100 == 0 }, from: .stored
        ) { me, note in try await me.handle(note) }
        let left = await outbox.drain(within: .seconds(600))
        #expect(left.isEmpty)
        #expect(await worker.attempts == [100, 200, 300])
        #expect(outbox.runningObservers.map(\.handled) == [300])
        await outbox.finish(within: .seconds(10))
    }

    /// Records the calls, and counts the calls that overlap.
    private final class Track: Sendable {
        private let state = Lock((numbers: [Int](), isBusy: false, overlaps: 0))
        func begin(_ note: Placed) {
            state.withLock { state in
                if state.isBusy { state.overlaps += 1 }
                state.isBusy = true
                state.numbers.append(note.number)
            }
        }
        func end() { state.withLock { $0.isBusy = false } }
        var isInOrder: Bool { state.withLock { $0.numbers == Array(1...300) && $0.overlaps == 0 } }
    }

    @Test func `observers in tasks, in actors and on queues receive rows in order and one at a time`() async throws {
        let outbox = try await open()
        let tracks = (0..<4).map { _ in Track() }
        var tokens: [NotificationToken] = []
        func handle(_ track: Track) -> @Sendable (Placed) async -> Void {
            { note in
                track.begin(note)
                // Some calls suspend and others don't, so that both kinds are tested.
                if note.number % 7 == 0 { await Task.yield() }
                track.end()
            }
        }
        let (task, actor) = (handle(tracks[0]), handle(tracks[1]))
        tokens.append(
            outbox.addObserver(named: "task", on: .task, for: Placed.self, from: .stored) { await task($0) })
        outbox.addObserver(worker, named: "actor", on: .actor, for: Placed.self, from: .stored) { _, note in
            await actor(note)
        }
        tokens.append(
            outbox.addObserver(named: "main", on: .main, for: Placed.self, from: .stored) { [track = tracks[2]] note in
                track.begin(note)
                track.end()
            })
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 4
        tokens.append(
            outbox.addObserver(named: "queue", on: .queue(queue), for: Placed.self, from: .stored) {
                [track = tracks[3]] note in
                track.begin(note)
                track.end()
            })
        #expect(await outbox.drain(within: .seconds(600)).isEmpty)
        for track in tracks { #expect(track.isInOrder) }
        await outbox.finish(within: .seconds(10))
        withExtendedLifetime(tokens) {}
    }

    @Test func `progress is saved while the rows of a long backlog are handled`() async throws {
        let outbox = try await open()
        // Each call takes ten milliseconds, and progress may stay unsaved for fifty milliseconds.
        let unsaved = Lock(0)
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) {
            [clock, store] me, note in
            try await me.handle(note)
            clock.advance(by: .milliseconds(10))
            let saved = try await store.observers().first?.cursor ?? 0
            unsaved.withLock { $0 = max($0, note.number - Int(saved)) }
        }
        #expect(await outbox.drain(within: .seconds(600)).isEmpty)
        #expect(await worker.numbers == Array(1...300))
        #expect(unsaved.withLock { $0 } <= 7)
        await outbox.finish(within: .seconds(10))
    }

    @Test func `when an outbox finishes, the remaining rows of a series aren't handled`() async throws {
        let outbox = try await open()
        outbox.addObserver(worker, named: "worker", on: .actor, for: Placed.self, from: .stored) { me, note in
            if note.number == 100 { me.hold() }
            try await me.handle(note)
        }
        await worker.waitForAttempts(100)
        async let unfinished = outbox.finish(within: .zero)
        await eventually("the observer is to stop") { outbox.core.runners.first?.status.isStopping == true }
        await worker.letGo()
        let left = await unfinished
        #expect(left.map(\.name) == ["worker"])
        #expect(await worker.attempts == Array(1...100))
        let second = try await NotificationOutbox(store, of: NativeNotificationCenter(), clock: clock)
        second.addObserver(worker, named: "worker", on: .actor, for: Placed.self) { me, note in
            try await me.handle(note)
        }
        #expect(await second.drain(within: .seconds(600)).isEmpty)
        #expect(await worker.numbers == Array(1...300))
        await second.finish(within: .seconds(10))
    }
}
