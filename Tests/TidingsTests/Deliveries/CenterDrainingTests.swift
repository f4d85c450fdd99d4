import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct CenterDrainingTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let tokens = Tokens()

    @Test func `a drain returns when everything that was posted before has been handled`() async {
        let (ledger, slow) = (Ledger(), ReceivedValues<Int>())
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { note in
                for _ in 0..<5 { await Task.yield() }
                slow.append(note.number)
            })
        #expect(await center.drain(within: .seconds(1), clock: clock).isEmpty)
        for number in 1...1_000 { center.post(Numbered(number: number)) }
        let left = await center.drain(within: .seconds(1), clock: clock)
        #expect(left.isEmpty)
        #expect(await ledger.numbers == Array(1...1_000))
        #expect(slow.values == Array(1...1_000))
    }

    @Test func `the suspending clock can measure the time limit`() async {
        let (begun, go) = (Gate(), Gate())
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self, line: 7) { _ in
                begun.open()
                await go.wait()
            })
        center.post(Numbered(number: 1))
        await begun.wait()
        for limit in [Duration.zero, .milliseconds(1)] {
            #expect(await center.drain(within: limit, clock: SuspendingClock()).map(\.place.line) == [7])
        }
        let drain = Task { [center] in await center.drain(within: .seconds(3600), clock: SuspendingClock()) }
        go.open()
        #expect(await drain.value.isEmpty)
    }

    @Test func `a drain does not wait for notifications posted after it has begun`() async {
        let (begun, second, go, seen) = (Gate(), Gate(), Gate(), ReceivedValues<Int>())
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { note in
                if note.number == 1 {
                    begun.open()
                    await go.wait()
                } else {
                    await second.wait()
                }
                seen.append(note.number)
            })
        center.post(Numbered(number: 1))
        await begun.wait()
        let drain = Task { [center, clock] in await center.drain(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        center.post(Numbered(number: 2))
        go.open()
        #expect(await drain.value.isEmpty)
        #expect(seen.values == [1])
        second.open()
    }

    @Test
    func `when the time limit passes, a drain returns the unfinished observers, with their places`()
        async
    {
        let (actor, quick) = (StoppedActor(), ReceivedValues<Int>())
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 7) { _, note in quick.append(note.number) }
        tokens.append(center.addObserver(on: .task, for: Numbered.self) { quick.append($0.number) })
        let notes = center.notifications(of: Numbered.self, line: 8)
        for number in 1...2 { center.post(Numbered(number: number)) }
        let drain = Task { [center, clock] in await center.drain(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        await quick.wait(for: 2)
        await tokens.all[0].cancelAndDrain()
        clock.advance(by: .seconds(1))
        let left = await drain.value
        #expect(left.map(\.place.line) == [7, 8])
        #expect(left.map(\.queued) == [2, 2])
        await actor.executor.finish { quick.count == 4 }
        withExtendedLifetime(notes) {}
    }

    @Test func `a drain waits until the consumer of a sequence requests the next element`() async {
        let (notes, taken, go) = (center.notifications(of: Numbered.self), ReceivedValues<Int>(), Gate())
        let reading = Task {
            for await note in notes {
                taken.append(note.number)
                await go.wait()
            }
        }
        center.post(Numbered(number: 1))
        await taken.wait(for: 1)
        let drain = Task { [center, clock] in
            let left = await center.drain(within: .seconds(1), clock: clock)
            #expect(go.isOpen)
            return left
        }
        await clock.waitForSleepers()
        go.open()
        #expect(await drain.value.isEmpty)
        // The reader waits for the next element, so it has handled all previous ones.
        #expect(await center.drain(within: .seconds(1), clock: clock).isEmpty)
        reading.cancel()
    }

    @Test func `a drain waits neither for an observation that ends nor for notifications that a policy drops`() async {
        let actors = [StoppedActor(), StoppedActor()]
        let ended = center.addObserver(actors[0], on: .actor, for: Numbered.self) { _, _ in }
        let seen = ReceivedValues<Int>()
        center.addObserver(actors[1], on: .actor, for: Numbered.self, buffering: .latest(1)) { _, note in
            seen.append(note.number)
        }
        for number in 1...3 { center.post(Numbered(number: number)) }
        let drain = Task { [center, clock] in await center.drain(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        ended.cancel()
        await actors[1].executor.run { seen.count == 1 }
        await actors[1].executor.finish { true }
        #expect(await drain.value.isEmpty)
        #expect(seen.values == [3])
        await actors[0].executor.finish { true }
    }

    @Test func `a drain whose task is cancelled returns the observers that have not finished`() async {
        let (go, begun) = (Gate(), Gate())
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { _ in
                begun.open()
                await go.wait()
            })
        center.post(Numbered(number: 1))
        await begun.wait()
        let drain = Task { [center, clock] in await center.drain(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        drain.cancel()
        #expect(await drain.value.count == 1)
        go.open()
    }
}
