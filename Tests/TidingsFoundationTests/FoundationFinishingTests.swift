import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private struct Saved: TypedNotification {
    var number = 0
}

@Suite(.timeLimit(.minutes(2))) struct FoundationFinishingTests {
    private let center = NotificationCenter()
    private let tokens = Tokens()

    @Test func `finishing ends the observers that Tidings has registered, and Foundation's center continues to work`()
        async
    {
        let (actor, seen, classic) = (StoppedActor(), ReceivedValues<Int>(), ReceivedValues<Int>())
        center.addObserver(actor, on: .actor, for: Saved.self, line: 7) { _, note in seen.append(note.number) }
        let notes = center.notifications(of: Saved.self)
        let receipt = center.addObserver(forName: Notification.Name(Saved.name), object: nil, queue: nil) { note in
            if let saved = note.typed(as: Saved.self) { classic.append(saved.number) }
        }
        let descriptor = PayloadDescriptor(name: Notification.Name("something else")) { _ in 1 }
        tokens.append(
            center.addObserver(descriptor: descriptor) { _ in Issue.record("observer was called after the finish") })
        center.post(Saved(number: 1))
        #expect(await center.drain(within: .zero).map(\.place.line).first == 7)
        #expect(await center.finish(within: .zero).map(\.place.line).contains(7))
        #expect(center.post(Saved(number: 2)) == 0)
        center.post(name: descriptor.name, object: nil)
        #expect(classic.values == [1, 2])
        #expect(center.observations.isEmpty)
        await actor.executor.finish { seen.count == 1 }
        var read: [Int] = []
        for await note in notes { read.append(note.number) }
        #expect(read == [1])
        #expect(await center.finish(within: .seconds(1)).isEmpty)
        center.removeObserver(receipt)
    }

    @Test func `the statistics of a center are available while the center finishes`() async {
        let (clock, begun, go) = (ManualClock(), Gate(), Gate())
        tokens.append(
            center.addObserver(on: .task, for: Saved.self) { _ in
                begun.open()
                await go.wait()
            })
        center.post(Saved(number: 1))
        await begun.wait()
        let finish = Task { [center] in await center.finish(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        #expect(center.statistics.rows.map(\.deliveries) == [1])
        go.open()
        #expect(await finish.value.isEmpty)
    }

    @Test func `drain waits while a center finishes, and removing an owner's observers discards their queue`() async {
        let (actor, clock, seen) = (StoppedActor(), ManualClock(), ReceivedValues<Int>())
        center.addObserver(actor, on: .actor, for: Saved.self) { _, note in seen.append(note.number) }
        center.post(Saved(number: 1))
        let finish = Task { [center] in await center.finish(within: .seconds(60), clock: clock) }
        await clock.waitForSleepers()
        #expect(await center.drain(within: .zero).map(\.queued) == [1])
        center.removeObservers(of: actor)
        await actor.executor.finish { true }
        #expect(await finish.value.isEmpty)
        #expect(seen.values.isEmpty)
    }

    @Test func `after a call of finish() returns, drain still waits for an observer that another call awaits`() async {
        let (actor, clock, seen) = (StoppedActor(), ManualClock(), ReceivedValues<Int>())
        center.addObserver(actor, on: .actor, for: Saved.self) { _, note in seen.append(note.number) }
        center.post(Saved(number: 1))
        let finish = Task { [center] in await center.finish(within: .seconds(60), clock: clock) }
        await clock.waitForSleepers()
        #expect(await center.finish(within: .zero).map(\.queued) == [1])
        #expect(await center.drain(within: .zero).map(\.queued) == [1])
        center.removeObservers(of: actor)
        await actor.executor.finish { true }
        #expect(await finish.value.isEmpty)
        #expect(seen.values.isEmpty)
    }

    @Test func `an observer that is added after finish() receives posts`() async {
        let seen = ReceivedValues<Int>()
        tokens.append(center.addObserver(for: Saved.self) { _ in Issue.record("observer was called after the finish") })
        await center.finish(within: .zero)
        tokens.append(center.addObserver(for: Saved.self) { note in seen.append(note.number) })
        #expect(center.post(Saved(number: 1)) == 1)
        #expect(seen.values == [1])
        #expect(center.observations.count == 1)
        tokens.cancel()
    }
}
