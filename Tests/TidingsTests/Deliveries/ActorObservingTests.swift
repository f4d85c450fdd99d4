import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.ofRandomPrograms)) struct ActorObservingTests {
    let center = NativeNotificationCenter()

    @Test func `an observer is called inside its actor`() async {
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
        center.post(Numbered(number: 1))
        center.post(Numbered(number: 2))
        await ledger.wait(for: 2)
        #expect(await ledger.numbers == [1, 2])
    }

    @Test func `an actor can observe a single sender`() async {
        let ledger = Ledger()
        let (mine, other) = (Account(), Account())
        center.addObserver(ledger, on: .actor, for: Renamed.self, sender: mine) { ledger, note in
            ledger.add(note.name.count)
        }
        center.post(Renamed(sender: other, name: "other"))
        center.post(Renamed(sender: mine, name: "me"))
        await ledger.wait(for: 1)
        #expect(await ledger.numbers == [2])
    }

    @Test func `promise 2, order: notifications arrive in an actor in the order posted`() async {
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
        let count = repetitions(100_000)
        for number in 0..<count { center.post(Numbered(number: number)) }
        await ledger.wait(for: count)
        #expect(await ledger.numbers == Array(0..<count))
    }

    @Test func `promise 5, cancel: notifications queued for an actor are discarded`() async {
        let ledger = Ledger()
        let token = center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number)
        }
        // Nothing else runs in the actor during this closure.
        await ledger.perform { [center] _ in
            for number in 0..<1000 { center.post(Numbered(number: number)) }
            token.cancel()
            #expect(center.post(Numbered(number: 1000)) == 0)
        }
        await token.cancelAndDrain()
        #expect(await ledger.numbers.isEmpty)
        #expect(!token.isActive)
    }

    @Test func `promise 5, cancel: an actor's observer that cancels itself is not called again`() async {
        let ledger = Ledger()
        let tokens = Tokens()
        let token = center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in
            tokens.cancel()
            ledger.add(note.number)
        }
        tokens.append(token)
        await ledger.perform { [center] _ in for number in 0..<1000 { center.post(Numbered(number: number)) } }
        await ledger.wait(for: 1)
        await token.cancelAndDrain()
        #expect(await ledger.numbers == [0])
    }

    @Test func `promise 6, lifetime: an actor is held weakly, and its deallocation ends the observation`() async {
        weak var captured: Captured?
        weak var observing: Ledger?
        let token: NotificationToken
        do {
            let ledger = Ledger()
            let object = Captured()
            (captured, observing) = (object, ledger)
            token = center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in
                object.touch()
                ledger.add(note.number)
            }
            center.post(Numbered(number: 1))
            await ledger.wait(for: 1)
            #expect(token.isActive)
        }
        // The task that added the number may still hold the actor.
        await eventually("the actor is released") { observing == nil }
        #expect(!token.isActive)
        center.post(Numbered(number: 2))
        await eventually("the captured object is released") { captured == nil }
        #expect(center.post(Numbered(number: 3)) == 0)
    }

    @Test func `promise 6, lifetime: captures of a cancelled observer are released while its token is kept`() async {
        weak var captured: Captured?
        let ledger = Ledger()
        let token: NotificationToken
        do {
            let object = Captured()
            captured = object
            token = center.addObserver(ledger, on: .actor, for: Numbered.self) { _, _ in object.touch() }
        }
        #expect(captured != nil)
        token.cancel()
        #expect(captured == nil)
    }

    @Test func `promise 6, lifetime: a center that is deallocated releases the captures of an actor's observer`() async
    {
        weak var captured: Captured?
        let ledger = Ledger()
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        let token: NotificationToken?
        do {
            let object = Captured()
            captured = object
            token = center?.addObserver(ledger, on: .actor, for: Numbered.self) { _, _ in object.touch() }
        }
        #expect(captured != nil)
        center = nil
        #expect(captured == nil)
        #expect(token?.isActive == false)
    }

    @Test(arguments: [BufferingPolicy.oldest(0), .latest(0)])
    func `promise 6, lifetime: a deallocated actor is noticed even if nothing is ever queued for it`(
        policy: BufferingPolicy
    ) {
        weak var captured: Captured?
        do {
            let (ledger, object) = (Ledger(), Captured())
            captured = object
            center.addObserver(ledger, on: .actor, for: Numbered.self, buffering: policy) { _, _ in object.touch() }
            #expect(center.post(Numbered(number: 1)) == 1)
        }
        #expect(captured != nil)
        center.post(Numbered(number: 2))
        #expect(captured == nil)
        #expect(center.post(Numbered(number: 3)) == 0)
    }

    @Test
    func `promise 8, nothing is lost silently: queued notifications still arrive after the center was deallocated`()
        async
    {
        let ledger = Ledger()
        await ledger.perform { _ in
            let center = NativeNotificationCenter()
            center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
            for number in 0..<1000 { center.post(Numbered(number: number)) }
        }
        await ledger.wait(for: 1000)
        #expect(await ledger.numbers == Array(0..<1000))
    }

    @Test func `promise 8, nothing is lost silently: a policy that drops notifications counts them`() async {
        let ledger = Ledger()
        let oldest = center.addObserver(ledger, on: .actor, for: Numbered.self, buffering: .oldest(3)) { ledger, note in
            ledger.add(note.number)
        }
        let latest = center.addObserver(ledger, on: .actor, for: Numbered.self, buffering: .latest(3)) { ledger, note in
            ledger.add(100 + note.number)
        }
        let none = center.addObserver(ledger, on: .actor, for: Numbered.self, buffering: .latest(0)) { ledger, note in
            ledger.add(-1)
        }
        await ledger.perform { [center] _ in for number in 0..<10 { center.post(Numbered(number: number)) } }
        await ledger.wait(for: 6)
        #expect(await ledger.numbers.filter { $0 < 100 } == [0, 1, 2])
        #expect(await ledger.numbers.filter { $0 >= 100 } == [107, 108, 109])
        #expect(oldest.droppedCount == 7)
        #expect(latest.droppedCount == 7)
        #expect(none.droppedCount == 10)
        oldest.cancel()
        #expect(oldest.droppedCount == 7)
    }

    @Test func `promise 8, nothing is lost silently: notifications dropped during a running call are counted`() async {
        let ledger = Ledger()
        let token = center.addObserver(ledger, on: .actor, for: Numbered.self, buffering: .latest(2)) {
            [center] ledger, note in
            ledger.add(note.number)
            if note.number == 1 { for number in 3...5 { center.post(Numbered(number: number)) } }
        }
        await ledger.perform { [center] _ in for number in 1...2 { center.post(Numbered(number: number)) } }
        await ledger.wait(for: 3)
        #expect(await ledger.numbers == [1, 4, 5])
        #expect(token.droppedCount == 2)
        // Breaks the reference cycle between the center and the observer's closure.
        token.cancel()
    }

    @Test(arguments: [BufferingPolicy.oldest(1000), .latest(1000)])
    func `promise 8, nothing is lost silently: a policy drops nothing while the queue is within its limit`(
        policy: BufferingPolicy
    ) async {
        let ledger = Ledger()
        let token = center.addObserver(ledger, on: .actor, for: Numbered.self, buffering: policy) { ledger, note in
            ledger.add(note.number)
        }
        await ledger.perform { [center] _ in for number in 0..<1000 { center.post(Numbered(number: number)) } }
        await ledger.wait(for: 1000)
        #expect(await ledger.numbers == Array(0..<1000))
        #expect(token.droppedCount == 0)
    }

    @Test func `promise 11, independence: neither a post nor other observers wait for a blocked actor`() async {
        let (stopped, seen, ledger) = (StoppedActor(), ReceivedValues<Int>(), Ledger())
        center.addObserver(stopped, on: .actor, for: Numbered.self) { _, note in seen.append(note.number) }
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
        for number in 0..<1000 { center.post(Numbered(number: number)) }
        await ledger.wait(for: 1000)
        #expect(seen.count == 0)
        await stopped.executor.finish { seen.count == 1000 }
        #expect(seen.values == Array(0..<1000))
    }

    @Test func `other code can use an actor while its observer handles a long backlog`() async {
        let ledger = Ledger()
        let counts = ReceivedValues<Int>()
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in
            ledger.add(note.number)
            if note.number == 0 { Task { counts.append(ledger.numbers.count) } }
        }
        let count = repetitions(100_000)
        await ledger.perform { [center] _ in for number in 0..<count { center.post(Numbered(number: number)) } }
        await ledger.wait(for: count)
        await counts.wait(for: 1)
        #expect(counts.values[0] < count)
    }

    @Test func `an observer does not inherit task-local values from the posting task`() async {
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(Local.value) }
        Local.$value.withValue(7) { _ = center.post(Numbered(number: 1)) }
        await ledger.wait(for: 1)
        #expect(await ledger.numbers == [0])
    }
}

private enum Local {
    @TaskLocal static var value = 0
}
