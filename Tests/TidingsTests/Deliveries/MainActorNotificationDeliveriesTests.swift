import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

private struct Moved: MainActorNotification, Sendable {
    let sender: Mover
    let number: Int
}

private final class Mover: Sendable {}

private actor Journal {
    nonisolated let log = ReceivedValues<Int>()
}

@MainActor private final class MainJournal {
    nonisolated let log = ReceivedValues<Int>()
}

@MainActor struct MainActorNotificationDeliveriesTests {
    private let center = NativeNotificationCenter()
    private let mover = Mover()
    private let other = Mover()

    @Test
    func `promise 2, order: Sendable main-actor notifications arrive in the order posted, in every delivery mode`()
        async
    {
        let (journal, mainJournal) = (Journal(), MainJournal())
        let (onMain, inTask) = (ReceivedValues<Int>(), ReceivedValues<Int>())
        var tokens = NotificationTokens()
        center.addObserver(journal, on: .actor, for: Moved.self) { me, note in me.log.append(note.number) }
        center.addObserver(mainJournal, on: .main, for: Moved.self) { me, note in me.log.append(note.number) }
        center.addObserver(on: .main, for: Moved.self) { note in onMain.append(note.number) }.store(in: &tokens)
        center.addObserver(on: .task, for: Moved.self) { note in
            await Task.yield()
            inTask.append(note.number)
        }
        .store(in: &tokens)
        for number in 1...99 { center.post(Moved(sender: mover, number: number)) }
        let receipt = await center.deliver(Moved(sender: mover, number: 100))
        #expect(receipt.asynchronousCalls == 4)
        for log in [journal.log, mainJournal.log, onMain, inTask] { #expect(log.values == Array(1...100)) }
    }

    @Test func `a sender, a condition and a policy apply to asynchronous deliveries of a main-actor notification`()
        async
    {
        let journal = Journal()
        center.addObserver(journal, on: .actor, for: Moved.self, sender: mover, where: { $0.number % 2 == 0 }) {
            me, note in
            me.log.append(note.number)
        }
        let none = center.addObserver(on: .task, for: Moved.self, buffering: .latest(0)) { _ in
            Issue.record("the policy should have dropped the notification")
        }
        for number in 1...3 { center.post(Moved(sender: other, number: number)) }
        for number in 1...3 { center.post(Moved(sender: mover, number: number)) }
        await center.deliver(Moved(sender: mover, number: 4))
        #expect(journal.log.values == [2, 4])
        #expect(none.droppedCount == 7)
    }
}
