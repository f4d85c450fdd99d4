import Dispatch
import Foundation
import TestSupport
import Testing
import TidingsFoundation
import TidingsTesting

private final class Account: Sendable {}

private struct Numbered: TypedNotification {
    static let name = "DispatchQueueTests.Numbered"
    let sender: Account
    let number: Int
}

private struct Level: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let number: Int
}

private struct ImmediateQueue: DeliveryQueue {
    func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        while turn() {}
    }
}

private struct Counting: NotificationDescriptor {
    let name = Notification.Name("DispatchQueueTests.counting")

    func decode(_ notification: Notification) throws(NotificationDecodingError) -> Int {
        notification.userInfo?["number"] as? Int ?? 0
    }

    func encode(_ payload: Int) throws(NotificationEncodingError) -> Notification {
        Notification(name: name, userInfo: ["number": payload])
    }
}

@Suite(.timeLimit(.minutes(2))) struct DispatchQueueTests {
    private let account = Account()
    private let received = ReceivedValues<Int>()

    @Test(
        arguments: [NotificationCenter(), NativeNotificationCenter()] as [any TypedNotificationCenter], [true, false])
    func `on a dispatch queue, notifications arrive one at a time, in order, even if the queue is concurrent`(
        center: any TypedNotificationCenter, isConcurrent: Bool
    ) async {
        let queue = DispatchQueue(label: "observer", attributes: isConcurrent ? .concurrent : [])
        let token = center.addObserver(on: .queue(queue), for: Numbered.self, sender: account) { [received] note in
            // The closure reads and then writes, so two calls at the same time would lose a number.
            if received.count == note.number { received.append(note.number) }
        }
        for number in 0..<2_000 {
            center.post(Numbered(sender: account, number: number))
            center.post(Numbered(sender: Account(), number: number))
        }
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(received.values == Array(0..<2_000))
        #expect(Set(center.observations.map(\.observer.delivery)) == [.queue])
        withExtendedLifetime(token) {}
    }

    @Test func `cancelling the token discards queued notifications and immediately releases the closure's captures`() {
        let (center, queue) = (NativeNotificationCenter(), DispatchQueue(label: "observer"))
        queue.suspend()
        weak let captured: Account?
        let token: NotificationToken
        do {
            let held = Account()
            captured = held
            token = center.addObserver(on: .queue(queue), for: Numbered.self) { [received] note in
                withExtendedLifetime(held) { received.append(note.number) }
            }
        }
        for number in 0..<3 { #expect(center.post(Numbered(sender: account, number: number)) == 1) }
        token.cancel()
        #expect(captured == nil)
        queue.resume()
        queue.sync {}
        #expect(received.values.isEmpty)
    }

    @Test func `an observer on a dispatch queue can have an owner, a policy and a condition`() async {
        let (center, queue) = (NativeNotificationCenter(), DispatchQueue(label: "observer"))
        var owner: Account? = Account()
        if let owner {
            center.addObserver(owner, on: .queue(queue), for: Numbered.self, where: { $0.number > 1 }) {
                [received] _, note in
                received.append(note.number)
            }
            center.addObserver(owner, on: .queue(queue), for: Numbered.self, sender: account) { [received] _, note in
                received.append(10 * note.number)
            }
        }
        for number in 1...2 { center.post(Numbered(sender: account, number: number)) }
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(received.values.sorted() == [2, 10, 20])
        owner = nil
        #expect(center.post(Numbered(sender: account, number: 3)) == 0)
        queue.suspend()
        let token = center.addObserver(on: .queue(queue), for: Numbered.self, buffering: .latest(1)) { _ in }
        for number in 1...3 { center.post(Numbered(sender: account, number: number)) }
        #expect(token.droppedCount == 2)
        queue.resume()
    }

    @Test func `an observer's error for a notification replayed during registration can end the observation`() {
        struct Refused: Error {}
        let center = NativeNotificationCenter()
        center.post(Level(number: 1))
        let token = center.addObserver(on: .queue(ImmediateQueue()), for: Level.self, onFailure: .end) {
            [received] note in
            received.append(note.number)
            throw Refused()
        }
        #expect(received.values == [1])
        #expect(!token.isActive && center.observations.isEmpty)
        #expect(center.post(Level(number: 2)) == 0)
        #expect(received.values == [1])
    }

    @Test func `observers of a descriptor can have a condition, whichever delivery they use`() async throws {
        let (center, queue, tokens) = (NotificationCenter(), DispatchQueue(label: "observer"), Tokens())
        let counts = Counting()
        let isOdd: @Sendable (Int) -> Bool = { $0 % 2 == 1 }
        tokens.append(
            center.addObserver(on: .queue(queue), descriptor: counts, where: isOdd) { [received] in received.append($0)
            })
        tokens.append(center.addObserver(descriptor: counts, where: isOdd) { [received] in received.append($0) })
        tokens.append(
            center.addObserver(descriptor: counts, object: nil, where: isOdd) { [received] in received.append($0) })
        center.addObserver(account, descriptor: counts, where: isOdd) { [received] _, number in received.append(number)
        }
        tokens.append(
            center.addObserver(on: .task, descriptor: counts, where: isOdd) { [received] in received.append($0) })
        tokens.append(
            center.addObserver(on: .main, descriptor: counts, where: isOdd) { [received] in received.append($0) })
        tokens.append(
            center.addObserver(on: .queue(OperationQueue()), descriptor: counts, where: isOdd) { [received] in
                received.append($0)
            })
        for number in 1...3 { try center.post(counts, payload: number) }
        await received.wait(for: 14)
        #expect(received.values.sorted() == Array(repeating: 1, count: 7) + Array(repeating: 3, count: 7))
        tokens.cancel()
    }
}
