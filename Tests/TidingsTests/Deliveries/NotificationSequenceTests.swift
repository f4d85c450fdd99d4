import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.ofRandomPrograms)) struct NotificationSequenceTests {
    let center = NativeNotificationCenter()

    @Test func `observing starts when the sequence is created`() async {
        let notes = center.notifications(of: Numbered.self)
        #expect(center.post(Numbered(number: 1)) == 1)
        center.post(Numbered(number: 2))
        var iterator = notes.makeAsyncIterator()
        #expect(await iterator.next()?.number == 1)
        #expect(await iterator.next()?.number == 2)
    }

    @Test func `a second iterator receives everything posted since its own creation`() async {
        let notes = center.notifications(of: Numbered.self)
        center.post(Numbered(number: 1))
        var first = notes.makeAsyncIterator()
        var second = notes.makeAsyncIterator()
        center.post(Numbered(number: 2))
        var third = notes.makeAsyncIterator()
        center.post(Numbered(number: 3))
        #expect(await first.next()?.number == 1)
        #expect(await first.next()?.number == 2)
        #expect(await second.next()?.number == 2)
        #expect(await first.next()?.number == 3)
        #expect(await second.next()?.number == 3)
        #expect(await third.next()?.number == 3)
    }

    @Test func `releasing an iterator doesn't affect the other iterators`() async {
        let notes = center.notifications(of: Numbered.self)
        var iterators = (0..<4).map { _ in notes.makeAsyncIterator() }
        iterators.remove(at: 2)
        center.post(Numbered(number: 1))
        for index in iterators.indices { #expect(await iterators[index].next()?.number == 1) }
        iterators.removeFirst()
        center.post(Numbered(number: 2))
        for index in iterators.indices { #expect(await iterators[index].next()?.number == 2) }
    }

    @Test func `copies of an iterator share its buffer`() async {
        let notes = center.notifications(of: Numbered.self)
        var iterator = notes.makeAsyncIterator()
        var copy = iterator
        for number in 0..<3 { center.post(Numbered(number: number)) }
        #expect(await iterator.next()?.number == 0)
        #expect(await copy.next()?.number == 1)
        #expect(await iterator.next()?.number == 2)
    }

    @Test func `a post wakes the consumer up`() async {
        let notes = center.notifications(of: Numbered.self)
        let seen = ReceivedValues<Int>()
        let consuming = Task {
            for await note in notes {
                seen.append(note.number)
                if note.number == 9 { break }
            }
        }
        for number in 0..<10 {
            center.post(Numbered(number: number))
            await seen.wait(for: number + 1)
        }
        await consuming.value
        #expect(seen.values == Array(0..<10))
    }

    @Test func `a sequence can be passed as some AsyncSequence, and read on the main actor`() async {
        func numbers(of sequence: some AsyncSequence<Numbered, Never>, isolation: isolated any Actor) async -> [Int] {
            var numbers: [Int] = []
            for await note in sequence {
                numbers.append(note.number)
                if numbers.count == 2 { break }
            }
            return numbers
        }
        let notes = center.notifications(of: Numbered.self)
        center.post(Numbered(number: 1))
        center.post(Numbered(number: 2))
        #expect(await numbers(of: notes, isolation: MainActor.shared) == [1, 2])
    }

    @Test func `a sequence can be limited to a sender`() async {
        let (mine, other) = (Account(), Account())
        let notes = center.notifications(of: Renamed.self, sender: mine)
        #expect(center.post(Renamed(sender: other, name: "other")) == 0)
        #expect(center.post(Renamed(sender: mine, name: "me")) == 1)
        var iterator = notes.makeAsyncIterator()
        #expect(await iterator.next()?.name == "me")
    }

    @Test func `promise 2, order: notifications arrive in a sequence in the order posted`() async {
        let notes = center.notifications(of: Numbered.self)
        let count = repetitions(100_000)
        let consuming = Task {
            var numbers: [Int] = []
            for await note in notes {
                numbers.append(note.number)
                if numbers.count == count { break }
            }
            return numbers
        }
        for number in 0..<count { center.post(Numbered(number: number)) }
        #expect(await consuming.value == Array(0..<count))
    }

    @Test func `cancelling the task of a loop that waits for an element ends the loop`() async {
        let notes = center.notifications(of: Numbered.self)
        let consuming = Task { for await _ in notes {} }
        for _ in 0..<100 { await Task.yield() }
        consuming.cancel()
        await consuming.value
    }

    @Test func `cancelling the task of a loop ends the loop at once, even if elements are left`() async {
        let notes = center.notifications(of: Numbered.self)
        for number in 0..<10 { center.post(Numbered(number: number)) }
        let consuming = Task {
            var numbers: [Int] = []
            for await note in notes {
                numbers.append(note.number)
                if note.number == 4 { cancelCurrentTask() }
            }
            return numbers
        }
        #expect(await consuming.value == [0, 1, 2, 3, 4])
    }

    @Test func `a loop that begins in a cancelled task ends at once`() async {
        let notes = center.notifications(of: Numbered.self)
        center.post(Numbered(number: 1))
        let consuming = Task {
            cancelCurrentTask()
            for await _ in notes { Issue.record("a cancelled loop received a notification") }
            var iterator = notes.makeAsyncIterator()
            #expect(await iterator.next() == nil)
        }
        await consuming.value
    }

    @Test func `an iterator that has ended returns nil from then on`() async {
        let notes = center.notifications(of: Numbered.self)
        let consuming = Task { [center] in
            var iterator = notes.makeAsyncIterator()
            await Task {
                cancelCurrentTask()
                var copy = notes.makeAsyncIterator()
                #expect(await copy.next() == nil)
                center.post(Numbered(number: 1))
                #expect(await copy.next() == nil)
            }.value
            return await iterator.next()?.number
        }
        #expect(await consuming.value == 1)
    }

    @Test func `when its center is deallocated, a loop ends after it has received everything posted before`() async {
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        let notes = center?.notifications(of: Numbered.self)
        center?.post(Numbered(number: 1))
        center?.post(Numbered(number: 2))
        center = nil
        var numbers: [Int] = []
        if let notes { for await note in notes { numbers.append(note.number) } }
        #expect(numbers == [1, 2])
    }

    @Test func `when their center is deallocated, the waiting loops of all iterators end`() async {
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        let tasks = center.map { center in
            let notes = center.notifications(of: Numbered.self)
            return (0..<3).map { _ in Task { for await _ in notes {} } }
        }
        for _ in 0..<100 { await Task.yield() }
        center = nil
        for task in tasks ?? [] { await task.value }
    }

    @Test
    func `of two iterators created after the center's end, the first gets the queue, and the second ends at once`()
        async
    {
        var center: NativeNotificationCenter? = NativeNotificationCenter()
        let notes = center?.notifications(of: Numbered.self)
        center?.post(Numbered(number: 1))
        center = nil
        var first = notes?.makeAsyncIterator()
        var second = notes?.makeAsyncIterator()
        #expect(await second?.next() == nil)
        #expect(await first?.next()?.number == 1)
        #expect(await first?.next() == nil)
    }

    @Test func `a sequence of one sender ends with the next post after the sender was deallocated`() async {
        var sender: Account? = Account()
        let notes = center.notifications(of: Renamed.self, sender: sender)
        var iterator = notes.makeAsyncIterator()
        if let sender { center.post(Renamed(sender: sender, name: "last")) }
        // The queued notification keeps its sender alive until it is read.
        #expect(await iterator.next()?.name == "last")
        sender = nil
        center.post(Renamed(sender: Account()))
        #expect(await iterator.next() == nil)
    }

    @Test func `a sequence of one sender ends with the next registration after the sender was deallocated`() async {
        var sender: Account? = Account()
        let notes = center.notifications(of: Renamed.self, sender: sender)
        sender = nil
        let token = center.addObserver(for: Renamed.self) { _ in }
        for await _ in notes { Issue.record("received a notification, although nothing was posted") }
        token.cancel()
    }

    @Test func `promise 6, lifetime: releasing the sequence and its iterators ends the observation`() async {
        var notes: NotificationSequence<Numbered>? = center.notifications(of: Numbered.self)
        var iterator = notes?.makeAsyncIterator()
        #expect(center.post(Numbered(number: 1)) == 1)
        notes = nil
        #expect(center.post(Numbered(number: 2)) == 1)
        #expect(await iterator?.next()?.number == 1)
        iterator = nil
        #expect(center.post(Numbered(number: 3)) == 0)
    }

    @Test func `promise 6, lifetime: a sequence keeps neither its center nor its sender alive`() async {
        weak var weakCenter: NativeNotificationCenter?
        weak var weakSender: Account?
        var notes: NotificationSequence<Renamed>?
        do {
            let center = NativeNotificationCenter()
            let sender = Account()
            (weakCenter, weakSender) = (center, sender)
            notes = center.notifications(of: Renamed.self, sender: sender)
        }
        #expect(weakCenter == nil)
        #expect(weakSender == nil)
        #expect(notes?.droppedCount == 0)
        notes = nil
    }

    @Test func `promise 6, lifetime: elements that a released iterator did not take are released`() async {
        weak var weakSender: Account?
        let notes = center.notifications(of: Renamed.self)
        do {
            let sender = Account()
            weakSender = sender
            for _ in 0..<3 { center.post(Renamed(sender: sender)) }
            for await _ in notes { break }
            // The sequence still exists, but nothing reads it.
            center.post(Renamed(sender: sender))
        }
        #expect(weakSender == nil)
        var iterator = notes.makeAsyncIterator()
        center.post(Renamed(sender: Account(), name: "later"))
        #expect(await iterator.next()?.name == "later")
    }

    @Test func `promise 6, lifetime: an ended iterator keeps nothing alive`() async {
        let census = ReceivedValues<Bool>()
        let notes = center.notifications(of: Renamed.self)
        await Task { [center] in
            var iterator = notes.makeAsyncIterator()
            func post() -> [Weak] {
                let senders = (0..<3).map { _ in Account() }
                for sender in senders { center.post(Renamed(sender: sender)) }
                return senders.map { Weak(object: $0) }
            }
            // The task takes the first notification, and is cancelled while the iterator still holds the others.
            let before = post()
            _ = await iterator.next()
            cancelCurrentTask()
            #expect(await iterator.next() == nil)
            let after = post()
            for weak in before + after { census.append(weak.object == nil) }
            withExtendedLifetime(iterator) {}
        }.value
        #expect(census.values == Array(repeating: true, count: 6))
    }

    @Test func `promise 6, lifetime: sequences that are created and released leave nothing behind`() async {
        for _ in 0..<repetitions(100_000) {
            let notes = center.notifications(of: Numbered.self)
            _ = notes.makeAsyncIterator()
        }
        #expect(center.post(Numbered(number: 1)) == 0)
    }

    @Test func `promise 8, nothing is lost silently: a policy that drops notifications counts them`() async {
        let oldest = center.notifications(of: Numbered.self, buffering: .oldest(2))
        let latest = center.notifications(of: Numbered.self, buffering: .latest(2))
        let none = center.notifications(of: Numbered.self, buffering: .latest(0))
        let noneOldest = center.notifications(of: Numbered.self, buffering: .oldest(0))
        for number in 0..<10 { center.post(Numbered(number: number)) }
        #expect(oldest.droppedCount == 8)
        #expect(latest.droppedCount == 8)
        #expect(none.droppedCount == 10)
        #expect(noneOldest.droppedCount == 10)
        var iterator = oldest.makeAsyncIterator()
        #expect(await iterator.next()?.number == 0)
        center.post(Numbered(number: 10))
        #expect(await iterator.next()?.number == 1)
        #expect(await iterator.next()?.number == 10)
        iterator = latest.makeAsyncIterator()
        #expect(await iterator.next()?.number == 9)
        #expect(await iterator.next()?.number == 10)
        #expect(latest.droppedCount == 9)
    }

    @Test func `promise 8, nothing is lost silently: drops of released iterators are still counted`() async {
        let notes = center.notifications(of: Numbered.self, buffering: .latest(1))
        var iterators = [notes.makeAsyncIterator(), notes.makeAsyncIterator()]
        center.post(Numbered(number: 1))
        center.post(Numbered(number: 2))
        #expect(notes.droppedCount == 2)
        iterators = []
        #expect(notes.droppedCount == 2)
        #expect(iterators.isEmpty)
    }

    @Test func `other code can use an actor while the actor reads a long backlog from a sequence`() async {
        let (ledger, counts, count) = (Ledger(), ReceivedValues<Int>(), repetitions(100_000))
        let notes = center.notifications(of: Numbered.self)
        for number in 0..<count { center.post(Numbered(number: number)) }
        await ledger.read(notes, count) { counts.append($0) }
        await counts.wait(for: 1)
        #expect(counts.values[0] < count)
    }

    @Test func `the method deliver posts to a sequence, and does not wait for its consumer`() async {
        let notes = center.notifications(of: Numbered.self)
        let receipt = await center.deliver(Numbered(number: 1))
        #expect(receipt.observers == 1)
        #expect(receipt.asynchronousCalls == 0)
        #expect(receipt.isComplete)
        #expect(notes.droppedCount == 0)
    }
}

private struct Weak {
    weak let object: Account?
}

extension Ledger {
    /// Reads `count` notifications from a sequence. When the first has arrived, a task in the actor calls `use`.
    fileprivate func read(
        _ notes: NotificationSequence<Numbered>, _ count: Int, _ use: @escaping @Sendable (Int) -> Void
    ) async {
        for await note in notes {
            add(note.number)
            if note.number == 0 { Task { use(numbers.count) } }
            if note.number == count - 1 { break }
        }
    }
}
