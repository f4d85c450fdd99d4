import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Source: Sendable {}

private struct Numbered: TypedNotification {
    let sender: Source
    var number = 0
}

private struct OfValue: TypedNotification { let sender: String }

/// Defects of Foundation's own typed messages on Linux. For each defect, a test shows that Tidings avoids it, both with
/// its own center and with Foundation's.
@Suite(.timeLimit(.minutes(2))) struct DefectTests {
    private typealias Make = @Sendable () -> any TypedNotificationCenter
    private static let centers: [Make] = [{ NativeNotificationCenter() }, { NotificationCenter() }]

    @Test(arguments: centers)
    private func `observers do not run in random order`(_ make: Make) {
        let (center, received) = (make(), ReceivedValues<Int>())
        let tokens = (0..<200).map { number in center.addObserver(for: Numbered.self) { _ in received.append(number) } }
        center.post(Numbered(sender: Source()))
        #expect(received.values == Array(0..<200))
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: centers)
    private func `calls of an asynchronous observer neither overlap nor change their order`(_ make: Make) async {
        let (center, received, source) = (make(), ReceivedValues<Int>(), Source())
        let token = center.addObserver(on: .task, for: Numbered.self) { note in
            let before = received.count
            await Task.yield()
            // An overlapping call would have appended its number in the meantime.
            if received.count == before { received.append(note.number) }
        }
        for number in 0..<999 { center.post(Numbered(sender: source, number: number)) }
        await center.deliver(Numbered(sender: source, number: 999))
        #expect(received.values == Array(0..<1_000))
        withExtendedLifetime(token) {}
    }

    @Test(arguments: centers)
    private func `calls that are queued do not run after the observer is removed`(_ make: Make) {
        let (center, received, actor) = (make(), ReceivedValues<Int>(), StoppedActor())
        let token = center.addObserver(actor, on: .actor, for: Numbered.self) { _, note in received.append(note.number)
        }
        for number in 0..<1_000 { center.post(Numbered(sender: Source(), number: number)) }
        token.cancel()
        while actor.executor.runPending() > 0 {}
        #expect(received.values.isEmpty)
    }

    @Test(arguments: centers)
    private func `posts of a new object don't reach observers of a dead object with the same address`(_ make: Make) {
        let (center, received) = (make(), ReceivedValues<Int>())
        var tokens: [NotificationToken] = []
        for number in 0..<1_000 {
            let dead = Source()
            center.addObserver(for: Numbered.self, sender: dead) { _ in received.append(number) }.store(in: &tokens)
        }
        for _ in 0..<1_000 { center.post(Numbered(sender: Source())) }
        #expect(received.values.isEmpty)
        withExtendedLifetime(tokens) {}
    }

    @Test(arguments: [NotificationCenter()])
    private func `removing a token twice removes no other observer on Foundation's center`(
        _ center: NotificationCenter
    ) {
        let first = center.addObserver(for: Numbered.self) { _ in }
        center.removeObserver(first)
        let others = (0..<100).map { _ in center.addObserver(for: Numbered.self) { _ in } }
        center.removeObserver(first)
        #expect(others.allSatisfy { $0.isActive })
        #expect(center.post(Numbered(sender: Source())) == 100)
        withExtendedLifetime(others) {}
    }

    @Test func `removing a token twice removes no other observer on the native center`() {
        let center = NativeNotificationCenter()
        let first = center.addObserver(for: Numbered.self) { _ in }
        center.removeObserver(first)
        let others = (0..<100).map { _ in center.addObserver(for: Numbered.self) { _ in } }
        center.removeObserver(first)
        #expect(others.allSatisfy { $0.isActive })
        #expect(center.post(Numbered(sender: Source())) == 100)
        withExtendedLifetime(others) {}
    }

    @Test func `an untyped post with the name of a typed notification doesn't crash`() {
        let (center, received) = (NotificationCenter(), ReceivedValues<Int>())
        let token = center.addObserver(for: Numbered.self) { note in received.append(note.number) }
        let name = Notification.Name(Numbered.name)
        center.post(name: name, object: nil)
        center.post(name: name, object: Source(), userInfo: ["number": 7])
        center.post(Numbered(sender: Source(), number: 1))
        #expect(received.values == [1])
        withExtendedLifetime(token) {}
    }

    @Test(arguments: centers)
    private func `a loop in a cancelled task ends`(_ make: Make) async {
        let notes = make().notifications(of: Numbered.self)
        let begin = Gate()
        let task = Task {
            await begin.wait()
            for await _ in notes {}
            return true
        }
        task.cancel()
        begin.open()
        #expect(await task.value)
    }

    @Test(arguments: centers)
    private func `a buffer with a capacity of zero drops and counts every notification`(_ make: Make) {
        let center = make()
        let latest = center.notifications(of: Numbered.self, buffering: .latest(0))
        let oldest = center.notifications(of: Numbered.self, buffering: .oldest(0))
        for _ in 0..<3 { center.post(Numbered(sender: Source())) }
        #expect(latest.droppedCount == 3)
        #expect(oldest.droppedCount == 3)
    }

    @Test func `a post with an observer on an operation queue doesn't wait for the queue`() {
        let (center, received, queue) = (NotificationCenter(), ReceivedValues<Int>(), OperationQueue())
        queue.maxConcurrentOperationCount = 1
        let mayGoOn = DispatchSemaphore(value: 0)
        queue.addOperation { mayGoOn.wait() }
        let token = center.addObserver(for: Numbered.self, queue: queue) { note in received.append(note.number) }
        center.post(Numbered(sender: Source(), number: 1))
        // This line is only reached if the post doesn't wait for the operation above.
        mayGoOn.signal()
        queue.waitUntilAllOperationsAreFinished()
        #expect(received.values == [1])
        withExtendedLifetime(token) {}
    }

    @Test(arguments: centers)
    private func `senders that are values match by equality`(_ make: Make) {
        let (center, received) = (make(), ReceivedValues<String>())
        var tokens: [NotificationToken] = []
        for number in 0..<100 {
            let sender = "sender \(number)"
            center.addObserver(for: OfValue.self, sender: sender) { note in received.append(note.sender) }
                .store(in: &tokens)
        }
        for number in 0..<100 {
            #expect(center.post(OfValue(sender: ["sender", "\(number)"].joined(separator: " "))) == 1)
        }
        #expect(center.post(OfValue(sender: "sender")) == 0)
        #expect(received.values == (0..<100).map { "sender \($0)" })
        withExtendedLifetime(tokens) {}
    }

    @Test func `untyped observers receive a typed post as a notification`() {
        let (center, source, received) = (NotificationCenter(), Source(), ReceivedValues<Bool>())
        let receipt = center.addObserver(forName: Notification.Name(Numbered.name), object: nil, queue: nil) {
            classic in
            received.append(classic.object as? Source === source)
        }
        center.post(Numbered(sender: source))
        #expect(received.values == [true])
        center.removeObserver(receipt)
    }
}
