import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Account: Sendable {}

private struct Numbered: TypedNotification {
    static let name = "OperationQueueTests.Numbered"
    let sender: Account
    let number: Int
}

@Suite(.timeLimit(.minutes(2))) struct OperationQueueTests {
    private let account = Account()

    @Test(arguments: [NotificationCenter(), NativeNotificationCenter()] as [any TypedNotificationCenter], [1, 8])
    func `promise 2, order: notifications arrive one at a time, in order, even on a concurrent queue`(
        center: any TypedNotificationCenter, concurrency: Int
    ) {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = concurrency
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: Numbered.self, sender: account, queue: queue) { note in
            // The closure reads and then writes, so two calls at the same time would lose a number.
            if received.count == note.number { received.append(note.number) }
        }
        for number in 0..<10_000 {
            center.post(Numbered(sender: account, number: number))
            center.post(Numbered(sender: Account(), number: number))
        }
        queue.waitUntilAllOperationsAreFinished()
        #expect(received.values == Array(0..<10_000))
        withExtendedLifetime(token) {}
    }

    @Test func `a post doesn't wait for the operation queue, and cancelling the token discards queued notifications`() {
        let center = NotificationCenter()
        let queue = OperationQueue()
        queue.isSuspended = true
        let received = ReceivedValues<Int>()
        weak let captured: Account?
        let token: NotificationToken
        do {
            let account = Account()
            captured = account
            token = center.addObserver(for: Numbered.self, queue: queue) { note in
                withExtendedLifetime(account) { received.append(note.number) }
            }
        }
        for number in 0..<3 { #expect(center.post(Numbered(sender: account, number: number)) == 1) }
        token.cancel()
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(received.values.isEmpty)
        #expect(!token.isActive)
        #expect(captured == nil)
    }

    @Test func `a busy operation queue doesn't delay observers that don't use the queue`() async {
        let center = NotificationCenter()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let mayGoOn = DispatchSemaphore(value: 0)
        queue.addOperation { mayGoOn.wait() }
        let received = ReceivedValues<String>()
        let tokens = [
            center.addObserver(for: Numbered.self, queue: queue) { _ in received.append("queue") },
            center.addObserver(for: Numbered.self) { _ in received.append("post") },
        ]
        center.post(Numbered(sender: account, number: 1))
        received.append("posted")
        mayGoOn.signal()
        await received.wait(for: 3)
        #expect(received.values == ["post", "posted", "queue"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `promise 8, nothing is lost silently: cancelling the queue's operations loses no notification`() async {
        let center = NotificationCenter()
        let queue = OperationQueue()
        queue.isSuspended = true
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: Numbered.self, queue: queue) { note in received.append(note.number) }
        center.post(Numbered(sender: account, number: 0))
        queue.cancelAllOperations()
        center.post(Numbered(sender: account, number: 1))
        queue.isSuspended = false
        center.post(Numbered(sender: account, number: 2))
        await received.wait(for: 3)
        #expect(received.values == [0, 1, 2])
        withExtendedLifetime(token) {}
    }

    @Test func `promise 5, drain: drain waits for the running call`() async {
        let center = NotificationCenter()
        let isRunning = Gate()
        let mayEnd = DispatchSemaphore(value: 0)
        let received = ReceivedValues<String>()
        let token = center.addObserver(for: Numbered.self, queue: OperationQueue()) { _ in
            isRunning.open()
            mayEnd.wait()
            received.append("observer")
        }
        center.post(Numbered(sender: account, number: 1))
        center.post(Numbered(sender: account, number: 2))
        await isRunning.wait()
        async let drained: Void = {
            await token.cancelAndDrain()
            received.append("drained")
        }()
        await eventually("the token is cancelled") { !token.isActive }
        mayEnd.signal()
        await drained
        #expect(received.values == ["observer", "drained"])
    }

    @MainActor
    @Test func `an observer on the main queue runs after the post, as on any other queue`() async {
        let center = NotificationCenter()
        var numbers: [Int] = []
        let arrived = Gate()
        let token = center.addObserver(for: Numbered.self, queue: .main) { note in
            MainActor.assumeIsolated { numbers.append(note.number) }
            arrived.open()
        }
        center.post(Numbered(sender: account, number: 7))
        #expect(numbers.isEmpty)
        await arrived.wait()
        #expect(numbers == [7])
        withExtendedLifetime(token) {}
    }

    @Test func `deliver returns when the observer on the queue has finished`() async {
        let center = NotificationCenter()
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: Numbered.self, queue: OperationQueue()) { note in
            received.append(note.number)
        }
        let receipt = await center.deliver(Numbered(sender: account, number: 7))
        #expect(receipt.isComplete)
        #expect(received.values == [7])
        withExtendedLifetime(token) {}
    }

    @Test func `an observer on a queue receives its owner and ends when the owner is deallocated`() {
        final class Shelf: Sendable { let received = ReceivedValues<Int>() }
        let center = NotificationCenter()
        let queue = OperationQueue()
        var shelf: Shelf? = Shelf()
        let received = shelf?.received
        if let shelf {
            center.addObserver(shelf, for: Numbered.self, queue: queue) { me, note in me.received.append(note.number) }
            center.addObserver(shelf, for: Numbered.self, sender: account, queue: queue) { me, note in
                me.received.append(note.number)
            }
        }
        center.post(Numbered(sender: account, number: 1))
        center.post(Numbered(sender: Account(), number: 2))
        queue.waitUntilAllOperationsAreFinished()
        #expect(received?.values.sorted() == [1, 1, 2])
        queue.isSuspended = true
        center.post(Numbered(sender: account, number: 3))
        shelf = nil
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(received?.count == 3)
        #expect(center.post(Numbered(sender: account, number: 4)) == 0)
        #expect(center.observations.isEmpty)
    }

    @Test func `a policy limits the notifications that wait for a queue, and dropped notifications are counted`() {
        let center = NotificationCenter()
        let queue = OperationQueue()
        queue.isSuspended = true
        let received = ReceivedValues<Int>()
        let token = center.addObserver(for: Numbered.self, queue: queue, buffering: .oldest(2)) { note in
            received.append(note.number)
        }
        for number in 0..<5 { center.post(Numbered(sender: account, number: number)) }
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        #expect(received.values == [0, 1])
        #expect(token.droppedCount == 3)
    }
}
