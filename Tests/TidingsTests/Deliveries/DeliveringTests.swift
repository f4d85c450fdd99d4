import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct First: TypedNotification {}
private struct Second: TypedNotification {}
private struct Third: TypedNotification {}
private struct Shown: MainActorNotification {}

@Suite(.timeLimit(.minutes(2))) struct DeliveringTests {
    let center = NativeNotificationCenter()
    let tokens = Tokens()

    @Test func `a delivery without observers is complete`() async {
        let receipt = await center.deliver(First())
        #expect(receipt.observers == 0)
        #expect(receipt.asynchronousCalls == 0)
        #expect(receipt.discardedCalls == 0)
        #expect(receipt.isComplete)
    }

    @MainActor
    @Test func `a delivery waits for observers of every kind`() async {
        let ledger = Ledger()
        let main = MainLedger()
        let seen = ReceivedValues<Int>()
        tokens.append(center.addObserver(for: Numbered.self) { seen.append($0.number) })
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
        tokens.append(center.addObserver(on: .main, for: Numbered.self) { main.add($0.number) })
        center.addObserver(main, on: .main, for: Numbered.self) { main, note in main.add(note.number) }
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { note in
                for _ in 0..<10 { await Task.yield() }
                seen.append(note.number)
            })
        let receipt = await center.deliver(Numbered(number: 1))
        #expect(await ledger.numbers == [1])
        #expect(main.numbers == [1, 1])
        #expect(seen.values == [1, 1])
        #expect(receipt.observers == 5)
        #expect(receipt.asynchronousCalls == 4)
        #expect(receipt.isComplete)
    }

    @Test func `a delivery waits for posts that its observers make while they run, to any depth`() async {
        let center = RecordingNotificationCenter(forwardingTo: center)
        let seen = ReceivedValues<Int>()
        // Each observer posts the next observer's notification.
        let ledger = Ledger()
        tokens.append(center.addObserver(for: First.self) { [center] _ in center.post(Second()) })
        tokens.append(
            center.addObserver(on: .task, for: Second.self) { [center] _ in
                for _ in 0..<10 { await Task.yield() }
                center.post(Third())
            })
        let inActor = center.addObserver(ledger, on: .actor, for: Third.self) { [center] _, _ in
            center.post(Numbered(number: 1))
        }
        tokens.append(center.addObserver(on: .task, for: Numbered.self) { seen.append($0.number) })
        let receipt = await center.deliver(First())
        #expect(center.log.map { "\($0.type)" } == ["First", "Second", "Third", "Numbered"])
        #expect(seen.values == [1])
        #expect(receipt.observers == 1)
        #expect(receipt.asynchronousCalls == 3)
        #expect(receipt.isComplete)
        // Breaks the reference cycle between the center and the observer's closure.
        inActor.cancel()
    }

    @Test func `a delivery does not wait for other posts of the same type`() async {
        let (begun, first, second) = (Gate(), Gate(), Gate())
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { note in
                if note.number == 1 { return await second.wait() }
                begun.open()
                await first.wait()
            })
        let delivery = Task { [center] in await center.deliver(Numbered(number: 0)) }
        await begun.wait()
        center.post(Numbered(number: 1))
        first.open()
        let receipt = await delivery.value
        #expect(receipt.asynchronousCalls == 1)
        #expect(receipt.isComplete)
        second.open()
    }

    /// Starts a delivery, and returns when the delivery has posted its notification and is waiting.
    private func deliverFirst() async -> Waiting {
        let waiting = Waiting(to: center)
        await waiting.actor.executor.runNext()
        return waiting
    }

    /// A delivery by a stopped actor. The delivery continues when `receipt` is read.
    private final class Waiting: Sendable {
        let actor: StoppedActor
        private let task: Task<DeliveryReceipt, Never>
        private let done: Gate

        init(to center: NativeNotificationCenter) {
            let (actor, done) = (StoppedActor(), Gate())
            (self.actor, self.done) = (actor, done)
            task = Task {
                defer { done.open() }
                return await actor.deliverFirst(to: center)
            }
        }

        var receipt: DeliveryReceipt {
            get async {
                await actor.executor.run { done.isOpen }
                return await task.value
            }
        }
    }

    @Test func `a delivery does not wait for posts of a task that outlives its observer`() async {
        let (post, posted, end, go) = (Gate(), Gate(), Gate(), Gate())
        tokens.append(
            center.addObserver(for: First.self) { [center] _ in
                Task {
                    await post.wait()
                    center.post(Second())
                    posted.open()
                }
            })
        tokens.append(center.addObserver(on: .task, for: First.self) { _ in await end.wait() })
        tokens.append(center.addObserver(on: .task, for: Second.self) { _ in await go.wait() })
        let delivery = await deliverFirst()
        post.open()
        await posted.wait()
        end.open()
        let receipt = await delivery.receipt
        #expect(receipt.asynchronousCalls == 1)
        #expect(receipt.isComplete)
        go.open()
    }

    @Test func `a delivery does not wait for a delivery by a task that outlives its observer`() async {
        let (deliver, begun, end, go) = (Gate(), Gate(), Gate(), Gate())
        let inner = ReceivedValues<DeliveryReceipt>()
        tokens.append(
            center.addObserver(for: First.self) { [center] _ in
                Task {
                    await deliver.wait()
                    inner.append(await center.deliver(Second()))
                }
            })
        tokens.append(center.addObserver(on: .task, for: First.self) { _ in await end.wait() })
        tokens.append(
            center.addObserver(on: .task, for: Second.self) { _ in
                begun.open()
                await go.wait()
            })
        let delivery = await deliverFirst()
        deliver.open()
        await begun.wait()
        end.open()
        let receipt = await delivery.receipt
        #expect(receipt.asynchronousCalls == 1)
        #expect(receipt.isComplete)
        #expect(inner.count == 0)
        go.open()
        await inner.wait(for: 1)
    }

    @Test func `dropped and cancelled notifications count as discarded`() async {
        let stopped = StoppedActor()
        center.addObserver(stopped, on: .actor, for: First.self, buffering: .oldest(0)) { _, _ in }
        let latest = center.addObserver(stopped, on: .actor, for: First.self, buffering: .latest(1)) { _, _ in }
        let token = center.addObserver(stopped, on: .actor, for: First.self) { _, _ in }
        tokens.append(center.addObserver(for: Second.self) { [center] _ in for _ in 0..<3 { center.post(First()) } })
        let delivery = Task { [center] in await center.deliver(Second()) }
        await eventually("two notifications are dropped", { latest.droppedCount }, until: { $0 >= 2 })
        token.cancel()
        let done = Gate()
        let receipt = Task {
            let receipt = await delivery.value
            done.open()
            return receipt
        }
        await stopped.executor.finish { done.isOpen }
        #expect(await receipt.value.observers == 1)
        #expect(await receipt.value.asynchronousCalls == 1)
        #expect(await receipt.value.discardedCalls == 8)
        #expect(await receipt.value.isComplete)
    }

    @MainActor
    @Test func `the queue of a deallocated owner counts as discarded`() async {
        // The main actor may call the owner before the owner is deallocated, so the test tries again.
        for _ in 0..<1_000 {
            let calls = ReceivedValues<Void>()
            var owner: Captured? = Captured()
            if let owner {
                center.addObserver(owner, on: .main, for: First.self) { _, _ in calls.append(()) }
            }
            let token = center.addObserver(for: First.self) { [owned = Owned(owner)] _ in owned.release() }
            owner = nil
            let receipt = await center.deliver(First())
            token.cancel()
            #expect(receipt.isComplete)
            #expect(receipt.discardedCalls + calls.count == 1)
            if receipt.discardedCalls == 1 { return }
        }
        Issue.record("the owner was called each time")
    }

    @Test func `cancelling a task that waits for a delivery ends the wait, and the observers are still called`() async {
        let (begun, go, seen) = (Gate(), Gate(), Ledger())
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { note in
                begun.open()
                await go.wait()
                await seen.add(note.number)
            })
        let delivery = Task { [center] in await center.deliver(Numbered(number: 1)) }
        await begun.wait()
        delivery.cancel()
        let receipt = await delivery.value
        #expect(receipt.observers == 1)
        #expect(receipt.asynchronousCalls == 0)
        #expect(!receipt.isComplete)
        go.open()
        await seen.wait(for: 1)
    }

    @Test func `in a cancelled task, a call of deliver posts without waiting`() async {
        let (go, seen) = (Gate(), Ledger())
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { note in
                await go.wait()
                await seen.add(note.number)
            })
        let delivery = Task { [center] in
            cancelCurrentTask()
            return await center.deliver(Numbered(number: 1))
        }
        #expect(await !delivery.value.isComplete)
        go.open()
        await seen.wait(for: 1)
    }

    @Test func `an observer that delivers to itself makes progress, and the receipt is not complete`() async {
        let (receipts, other) = (ReceivedValues<DeliveryReceipt>(), ReceivedValues<Int>())
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { [center] note in
                if note.number < 3 { receipts.append(await center.deliver(Numbered(number: note.number + 1))) }
            })
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self) { note in
                for _ in 0..<10 { await Task.yield() }
                other.append(note.number)
            })
        let receipt = await center.deliver(Numbered(number: 0))
        #expect(receipts.values.map(\.isComplete) == [false, false, false])
        // The first observer's own deliveries waited only for the second observer. The test's delivery waits for both.
        #expect(receipts.values.map(\.asynchronousCalls) == [1, 1, 1])
        #expect(other.values == [0, 1, 2, 3])
        #expect(receipt.asynchronousCalls == 8)
        #expect(receipt.isComplete)
    }

    @Test func `two observers that deliver to each other both make progress`() async {
        let receipts = ReceivedValues<DeliveryReceipt>()
        let (here, there) = (Gate(), Gate())
        let (firsts, seconds) = (ReceivedValues<Int>(), ReceivedValues<Int>())
        tokens.append(
            center.addObserver(on: .task, for: First.self) { [center] _ in
                firsts.append(1)
                here.open()
                await there.wait()
                if firsts.count == 1 { receipts.append(await center.deliver(Second())) }
            })
        tokens.append(
            center.addObserver(on: .task, for: Second.self) { [center] _ in
                seconds.append(1)
                there.open()
                await here.wait()
                if seconds.count == 1 { receipts.append(await center.deliver(First())) }
            })
        center.post(First())
        center.post(Second())
        for received in [firsts, seconds] { await received.wait(for: 2) }
        await tokens.cancelAndDrain()
        #expect(receipts.count == 2)
        #expect(receipts.values.contains { !$0.isComplete })
    }

    @Test func `an observer makes progress if it delivers to another observer, which delivers back`() async {
        let receipts = ReceivedValues<String>()
        let calls = ReceivedValues<Void>()
        tokens.append(
            center.addObserver(on: .task, for: First.self) { [center] _ in
                calls.append(())
                if calls.count == 1 { receipts.append("outer \(await center.deliver(Second()).isComplete)") }
            })
        tokens.append(
            center.addObserver(on: .task, for: Second.self) { [center] _ in
                receipts.append("inner \(await center.deliver(First()).isComplete)")
            })
        let receipt = await center.deliver(First())
        #expect(receipts.values == ["inner false", "outer false"])
        #expect(calls.count == 2)
        #expect(receipt.isComplete)
        #expect(receipt.asynchronousCalls == 3)
    }

    @Test func `three observers that deliver to each other in a ring all make progress`() async {
        let (one, two, three) = (ReceivedValues<Bool>(), ReceivedValues<Bool>(), ReceivedValues<Bool>())
        let gates = [Gate(), Gate(), Gate()]
        tokens.append(
            center.addObserver(on: .task, for: First.self) { [center] _ in
                gates[0].open()
                for gate in gates { await gate.wait() }
                if one.count == 0 { one.append(await center.deliver(Second()).isComplete) }
            })
        tokens.append(
            center.addObserver(on: .task, for: Second.self) { [center] _ in
                gates[1].open()
                for gate in gates { await gate.wait() }
                if two.count == 0 { two.append(await center.deliver(Third()).isComplete) }
            })
        tokens.append(
            center.addObserver(on: .task, for: Third.self) { [center] _ in
                gates[2].open()
                for gate in gates { await gate.wait() }
                if three.count == 0 { three.append(await center.deliver(First()).isComplete) }
            })
        center.post(First())
        center.post(Second())
        center.post(Third())
        for received in [one, two, three] { await received.wait(for: 1) }
        #expect((one.values + two.values + three.values).contains(false))
    }

    @Test func `an observer makes progress if it delivers to another observer, which drains the first one`() async {
        let receipts = ReceivedValues<DeliveryReceipt>()
        let first = center.addObserver(on: .task, for: First.self) { [center] _ in
            receipts.append(await center.deliver(Second()))
        }
        tokens.append(center.addObserver(on: .task, for: Second.self) { _ in await first.cancelAndDrain() })
        let receipt = await center.deliver(First())
        #expect(receipts.values.map(\.isComplete) == [true])
        #expect(receipt.isComplete)
        #expect(receipt.asynchronousCalls == 2)
    }

    @Test func `a delivery stops waiting for a call that becomes part of a cycle later`() async {
        let (receipts, calls) = (ReceivedValues<Bool>(), ReceivedValues<Void>())
        // The first observer waits for the second one, which posts a notification to the first one.
        tokens.append(
            center.addObserver(on: .task, for: First.self) { [center] _ in
                calls.append(())
                if calls.count == 1 { receipts.append(await center.deliver(Second()).isComplete) }
            })
        tokens.append(
            center.addObserver(on: .task, for: Second.self) { [center] _ in
                for _ in 0..<100 { await Task.yield() }
                center.post(First())
            })
        let receipt = await center.deliver(First())
        #expect(receipts.values == [false])
        #expect(calls.count == 2)
        #expect(receipt.isComplete)
        #expect(receipt.asynchronousCalls == 3)
    }

    @Test func `a delivery waits for the calls of a nested delivery, even if the nested delivery was cancelled`() async
    {
        let (go, seen) = (Gate(), ReceivedValues<Int>())
        tokens.append(
            center.addObserver(on: .task, for: First.self) { [center] _ in
                let delivery = Task {
                    cancelCurrentTask()
                    return await center.deliver(Second())
                }
                #expect(await !delivery.value.isComplete)
                go.open()
            })
        tokens.append(
            center.addObserver(on: .task, for: Second.self) { _ in
                await go.wait()
                for _ in 0..<100 { await Task.yield() }
                seen.append(1)
            })
        let receipt = await center.deliver(First())
        #expect(seen.values == [1])
        #expect(receipt.asynchronousCalls == 2)
        #expect(receipt.isComplete)
    }

    @MainActor
    @Test func `the delivery of a main-actor notification includes the posts of its observers`() async {
        let seen = ReceivedValues<Int>()
        let token = center.addObserver(for: Shown.self) { [center] _ in center.post(Numbered(number: 1)) }
        tokens.append(center.addObserver(on: .task, for: Numbered.self) { seen.append($0.number) })
        let receipt = await center.deliver(Shown())
        #expect(seen.values == [1])
        #expect(receipt.observers == 1)
        #expect(receipt.asynchronousCalls == 1)
        #expect(receipt.isComplete)
        token.cancel()
    }

    @Test func `a delivery works on any center`() async {
        let center: any TypedNotificationCenter = RecordingNotificationCenter(forwardingTo: center)
        let ledger = Ledger()
        center.addObserver(ledger, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
        let receipt = await center.deliver(Numbered(number: 1))
        #expect(receipt.asynchronousCalls == 1)
        #expect(await ledger.numbers == [1])
    }
}

extension StoppedActor {
    fileprivate func deliverFirst(to center: NativeNotificationCenter) async -> DeliveryReceipt {
        // The delivery posts in the current job of the actor's executor, before it suspends.
        preconditionIsolated()
        return await center.deliver(First())
    }
}

private final class Owned: Sendable {
    private let object: Lock<Captured?>

    init(_ object: Captured?) { self.object = Lock(object) }

    func release() {
        let released = object.withLock { $0.take() }
        _ = released
    }
}
