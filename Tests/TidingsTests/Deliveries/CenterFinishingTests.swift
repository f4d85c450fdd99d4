import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct Other: TypedNotification {}

@Suite(.timeLimit(.minutes(2))) struct CenterFinishingTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let tokens = Tokens()

    @Test func `finish handles what is queued, and reports later posts to monitors as posts without observers`() async {
        let (actor, account, seen) = (StoppedActor(), Account(), ReceivedValues<Int>())
        let monitor = RecordingMonitor()
        let attachment = center.attach(monitor)
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in seen.append(note.number) }
        tokens.append(
            center.addObserver(for: Renamed.self, sender: account) { _ in Issue.record("called after the finish") })
        for number in 1...3 { center.post(Numbered(number: number)) }
        let finish = Task { [center, clock] in await center.finish(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        #expect(center.post(Numbered(number: 4)) == 0)
        #expect(center.post(Renamed(sender: account)) == 0)
        #expect(center.post(Other()) == 0)
        #expect(monitor.posts.suffix(3).map(\.observers) == [0, 0, 0])
        await actor.executor.finish { seen.count == 3 }
        #expect(await finish.value.isEmpty)
        #expect(seen.values == [1, 2, 3])
        #expect(center.observations.isEmpty)
        #expect(!tokens.all[0].isActive)
        #expect(center.endedObservations.map(\.reason) == [.centerFinished, .centerFinished])
        attachment.detach()
    }

    @Test func `sequences, even of several types, end when their consumers have taken everything`() async {
        let one = center.notifications(of: Numbered.self)
        let both = center.notifications(of: Numbered.self, Other.self)
        for number in 1...3 { center.post(Numbered(number: number)) }
        center.post(Other())
        let reading = Task {
            var numbers: [Int] = []
            for await note in one { numbers.append(note.number) }
            return numbers
        }
        let readingBoth = Task {
            var count = 0
            for await _ in both { count += 1 }
            return count
        }
        #expect(await center.finish(within: .seconds(1), clock: clock).isEmpty)
        #expect(await reading.value == [1, 2, 3])
        #expect(await readingBoth.value == 4)
    }

    @Test func `a finish returns no unfinished observer if a sequence's iterator is released meanwhile`() async {
        for _ in 0..<200 {
            let (center, clock) = (NativeNotificationCenter(), ManualClock())
            let notes = center.notifications(of: Numbered.self)
            var iterator: NotificationSequence<Numbered>.Iterator? = notes.makeAsyncIterator()
            for number in 1...2 { center.post(Numbered(number: number)) }
            #expect(await iterator?.next()?.number == 1)
            let finish = Task { await center.finish(within: .seconds(1), clock: clock) }
            await clock.waitForSleepers()
            iterator = nil
            #expect(await finish.value.isEmpty)
        }
    }

    @Test func `when the time limit passes, finish returns the unfinished observers, and their calls continue`() async {
        let (actor, seen) = (StoppedActor(), ReceivedValues<Int>())
        center.addObserver(actor, on: .actor, for: Numbered.self, line: 7) { _, note in seen.append(note.number) }
        tokens.append(center.addObserver(on: .task, for: Numbered.self) { _ in })
        for number in 1...2 { center.post(Numbered(number: number)) }
        await tokens.all[0].cancelAndDrain()
        let left = await center.finish(within: .zero)
        #expect(left.first?.place.line == 7)
        #expect(left.map(\.queued) == [2])
        await actor.executor.finish { seen.count == 2 }
        #expect(await center.finish(within: .seconds(1), clock: clock).isEmpty)
    }

    @Test func `a post in progress calls all its observers, and finish waits for it`() async {
        let (begun, go, seen) = (Gate(), Gate(), ReceivedValues<Int>())
        let account = Account()
        tokens.append(
            center.addObserver(for: Renamed.self, line: 1) { _ in
                begun.open()
                go.wait(patience: .seconds(300))
                seen.append(1)
            })
        // The observers of this sender fill more than one memory chunk of the engine, and so do the observers of all
        // senders.
        for number in 2...200 {
            let sender = number.isMultiple(of: 2) ? account : nil
            tokens.append(center.addObserver(for: Renamed.self, sender: sender) { _ in seen.append(number) })
        }
        let posting = Task { [center] in
            await withCheckedContinuation { continuation in
                Task {
                    await onOwnThread { #expect(center.post(Renamed(sender: account)) == 200) }; continuation.resume()
                }
            }
        }
        await begun.wait()
        let early = await center.finish(within: .zero)
        #expect(early.map(\.place.line) == [1])
        #expect(early.map(\.isRunning) == [true])
        #expect(center.post(Renamed(sender: account)) == 0)
        let finish = Task { [center, clock] in
            let left = await center.finish(within: .seconds(1), clock: clock)
            #expect(seen.count == 200)
            return left
        }
        await clock.waitForSleepers()
        go.open()
        #expect(await finish.value.isEmpty)
        await posting.value
        #expect(seen.values == Array(1...200))
    }

    @Test func `a finish waits for posts even if they are deeply nested`() async {
        let (begun, go, seen) = (Gate(), Gate(), ReceivedValues<Int>())
        let center = center
        tokens.append(
            center.addObserver(for: Numbered.self) { note in
                if note.number < 80 {
                    center.post(Numbered(number: note.number + 1))
                } else {
                    begun.open()
                    go.wait(patience: .seconds(300))
                }
            })
        tokens.append(center.addObserver(for: Numbered.self) { note in seen.append(note.number) })
        async let posting: Void = onOwnThread { #expect(center.post(Numbered(number: 1)) == 2) }
        await begun.wait()
        let finish = Task { [clock] in
            let left = await center.finish(within: .seconds(1), clock: clock)
            #expect(seen.count == 80)
            return left
        }
        await clock.waitForSleepers()
        #expect(center.post(Numbered(number: 100)) == 0)
        go.open()
        #expect(await finish.value.isEmpty)
        await posting
        #expect(seen.values == Array(1...80).reversed())
        tokens.cancel()
    }

    @Test func `several concurrent calls of finish all wait for the unfinished observers`() async {
        let (actor, seen) = (StoppedActor(), ReceivedValues<Int>())
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in seen.append(note.number) }
        center.post(Numbered(number: 1))
        let finishes = (0..<3).map { _ in
            Task { [center, clock] in
                let left = await center.finish(within: .seconds(1), clock: clock)
                #expect(seen.count == 1)
                return left
            }
        }
        await clock.waitForSleepers(3)
        await actor.executor.finish { seen.count == 1 }
        for finish in finishes { #expect(await finish.value.isEmpty) }
    }

    @Test func `an observer that finishes or drains its own center waits for the others, not for itself`() async {
        let (center, clock) = (center, clock)
        let (first, second, done) = (Ledger(), StoppedActor(), ReceivedValues<[Int]>())
        let seen = ReceivedValues<Int>()
        center.addObserver(first, on: .actor, for: Other.self) { _, _ in
            done.append(await center.drain(within: .seconds(1), clock: clock).map(\.queued))
            done.append(await center.finish(within: .seconds(1), clock: clock).map(\.queued))
            done.append([seen.count])
        }
        center.addObserver(second, on: .actor, for: Numbered.self) { _, note in seen.append(note.number) }
        center.post(Numbered(number: 1))
        center.post(Other())
        await second.executor.finish { seen.count == 1 }
        await done.wait(for: 3)
        #expect(done.values == [[], [], [1]])
    }

    @Test func `observers that finish their center concurrently do not wait for each other`() async {
        let (center, clock) = (center, clock)
        let (begun, done) = (ReceivedValues<Int>(), ReceivedValues<Int>())
        let actors = [Ledger(), Ledger()]
        for actor in actors {
            center.addObserver(actor, on: .actor, for: Other.self) { _, _ in
                begun.append(0)
                await begun.wait(for: 2)
                await center.finish(within: .seconds(1), clock: clock)
                done.append(0)
            }
        }
        center.post(Other())
        await done.wait(for: 2)
        withExtendedLifetime(actors) {}
    }

    @Test func `an observer that finishes its center receives the number of notifications queued behind its call`()
        async
    {
        let (center, clock, done) = (center, clock, ReceivedValues<[Int]>())
        let (actor, begun) = (Ledger(), Gate())
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in
            guard note.number == 1 else { return }
            await begun.wait()
            done.append(await center.finish(within: .seconds(1), clock: clock).map(\.queued))
        }
        for number in 1...3 { center.post(Numbered(number: number)) }
        begun.open()
        await done.wait(for: 1)
        #expect(done.values == [[2]])
    }

    @Test func `a task that an observer starts during a post can finish the center, and waits for that post`() async {
        let (center, clock, seen) = (center, clock, ReceivedValues<Int>())
        let finishes = ReceivedValues<Task<[ObservationStatus], Never>>()
        tokens.append(
            center.addObserver(for: Numbered.self) { _ in
                finishes.append(Task { await center.finish(within: .seconds(1), clock: clock) })
            })
        tokens.append(center.addObserver(for: Numbered.self) { note in seen.append(note.number) })
        #expect(center.post(Numbered(number: 1)) == 2)
        #expect(await finishes.values[0].value.isEmpty)
        #expect(seen.values == [1])
    }

    @Test func `a finish whose task is cancelled returns the observers that have not finished`() async {
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: Numbered.self) { _, _ in }
        center.post(Numbered(number: 1))
        let finish = Task { [center, clock] in await center.finish(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        finish.cancel()
        #expect(await finish.value.map(\.queued) == [1])
        await actor.executor.finish { true }
    }

    @Test func `removing an owner's observers after a finish discards their queue`() async {
        let (actor, seen) = (StoppedActor(), ReceivedValues<Int>())
        let token = center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in seen.append(note.number) }
        center.post(Numbered(number: 1))
        #expect(await center.finish(within: .zero).count == 1)
        center.removeObservers(of: actor)
        #expect(await center.finish(within: .seconds(1), clock: clock).isEmpty)
        await actor.executor.finish { true }
        #expect(seen.values.isEmpty)
        #expect(!token.isActive)
    }
}
