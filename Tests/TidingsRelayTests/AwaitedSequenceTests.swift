import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsRelay

/// Tests of the relay's deliveries, which wait for sequences, unlike `deliver(_:)`. An element counts as handled when
/// the consumer requests the next one.
@Suite(.timeLimit(.minutes(2))) struct AwaitedSequenceTests {
    private let center = NativeNotificationCenter()
    private let ended = ReceivedValues<String>()

    private func begin(_ number: Int) {
        DeliveryWithoutWaiting.begin(awaiting: AwaitedSequences(of: Tick.self, Placed.self)) {
            center.post(Tick(number: number))
        } whenFinished: { [ended] receipt in
            ended.append("\(number): \(receipt.asynchronousCalls) \(receipt.discardedCalls) \(receipt.failures.count)")
        }
    }

    @Test func `an element of a sequence counts as handled when the consumer requests the next one`() async {
        var iterator = center.notifications(of: Tick.self).makeAsyncIterator()
        begin(1)
        begin(2)
        #expect(ended.values == [])
        #expect(await iterator.next()?.number == 1)
        #expect(ended.values == [])
        #expect(await iterator.next()?.number == 2)
        #expect(ended.values == ["1: 1 0 0"])
        // This post isn't awaited, so it adds no entry to `ended`.
        center.post(Tick(number: 3))
        #expect(await iterator.next()?.number == 3)
        #expect(ended.values == ["1: 1 0 0", "2: 1 0 0"])
    }

    @Test func `a delivery waits for all iterators of a sequence`() async {
        let sequence = center.notifications(of: Tick.self)
        var (first, second) = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
        begin(1)
        center.post(Tick(number: 2))
        for _ in 1...2 { _ = await first.next() }
        #expect(ended.values == [])
        for _ in 1...2 { _ = await second.next() }
        #expect(ended.values == ["1: 2 0 0"])
    }

    @Test func `when a sequence ends, notifications whose handling hasn't finished count as failures`() async {
        var iterator: NotificationSequence<Tick>.Iterator? = center.notifications(of: Tick.self).makeAsyncIterator()
        for number in 1...3 { begin(number) }
        _ = await iterator?.next()
        iterator = nil
        // The sequence returned the first notification, but its consumer may not have handled it completely.
        #expect(Set(ended.values) == ["1: 0 1 1", "2: 0 1 1", "3: 0 1 1"] && ended.count == 3)
    }

    @Test func `when the reading task is cancelled, the current element counts as handled and later ones as failed`()
        async
    {
        let sequence = center.notifications(of: Tick.self)
        for number in 1...2 { begin(number) }
        let (taken, cancelled) = (Gate(), Gate())
        let reading = Task {
            for await _ in sequence {
                taken.open()
                await cancelled.wait()
            }
        }
        await taken.wait()
        reading.cancel()
        cancelled.open()
        await reading.value
        #expect(ended.values == ["1: 1 0 0", "2: 0 1 1"])
    }

    @Test func `a delivery to a sequence whose iterator has been released fails`() async {
        let sequence = center.notifications(of: Tick.self)
        do { _ = sequence.makeAsyncIterator() }
        begin(1)
        #expect(ended.values == ["1: 0 1 1"])
        withExtendedLifetime(sequence) {}
    }

    @Test func `a delivery doesn't wait for an element that the sequence has dropped`() async {
        var iterator = center.notifications(of: Tick.self, buffering: .latest(1)).makeAsyncIterator()
        begin(1)
        begin(2)
        #expect(ended.values == ["1: 0 1 0"])
        _ = await iterator.next()
        center.post(Tick(number: 3))
        _ = await iterator.next()
        #expect(ended.values == ["1: 0 1 0", "2: 1 0 0"])
    }

    @Test func `a delivery waits for a sequence of several types, but not for sequences of other types`() async {
        let others = center.notifications(of: Blob.self)
        var iterator = center.notifications(of: Tick.self, Blob.self).makeAsyncIterator()
        let token = center.addObserver(for: Tick.self) { [center] _ in center.post(Blob(bytes: [])) }
        begin(1)
        for _ in 1...2 { _ = await iterator.next() }
        // Neither sequence has handled the blob that the observer posted, but the delivery of the tick has ended.
        #expect(ended.values == ["1: 1 0 0"])
        withExtendedLifetime((others, token)) {}
    }

    @Test func `a delivery waits for a sequence even while a monitor is attached`() async {
        struct Follower: NotificationMonitor { func receive(_ event: NotificationEvent) {} }
        let attachment = center.attach(Follower(), interests: .everything)
        var iterator = center.notifications(of: Tick.self).makeAsyncIterator()
        begin(1)
        begin(2)
        _ = await iterator.next()
        #expect(ended.values == [])
        _ = await iterator.next()
        #expect(ended.values == ["1: 1 0 0"])
        withExtendedLifetime(attachment) {}
    }

    @Test func `the method deliver doesn't wait for sequences, unlike the relay's deliveries`() async {
        let sequence = center.notifications(of: Tick.self)
        begin(1)
        #expect(await center.deliver(Tick(number: 2)).isComplete)
        #expect(ended.values == [])
        withExtendedLifetime(sequence) {}
    }
}
