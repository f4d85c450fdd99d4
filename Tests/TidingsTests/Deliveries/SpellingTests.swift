import Testing
import Tidings
import TidingsTesting

private final class Source: Sendable {}
private struct Changed: TypedNotification, Sendable {
    let sender: Source
    var number = 0
}
private struct Shown: MainActorNotification, Sendable {
    let sender: Source
    var number = 0
}

@Suite(.timeLimit(.minutes(2))) struct SpellingTests {
    private let center = NativeNotificationCenter()
    private let source = Source()
    private let other = Source()

    @Test func `every overload of first(of:) can be limited to a sender`() async {
        let caused = await center.first(of: Changed.self, sender: source) { note in
            note.number == 2
        } performing: {
            center.post(Changed(sender: other, number: 2))
            center.post(Changed(sender: source, number: 1))
            center.post(Changed(sender: source, number: 2))
        }
        #expect(caused?.sender === source && caused?.number == 2)
        #expect(await center.first(of: Changed.self, sender: source, within: .zero) == nil)
        #expect(await center.first(of: Changed.self, within: .zero) == nil)
    }

    @MainActor
    @Test func `every overload of first(of:) accepts a main-actor notification, of one sender or of any`() async {
        let caused = await center.first(of: Shown.self, sender: source) { _ in
            true
        } performing: {
            center.post(Shown(sender: other))
            center.post(Shown(sender: source, number: 1))
        }
        #expect(caused?.number == 1)
        let any = await center.first(of: Shown.self) { _ in
            true
        } performing: {
            center.post(Shown(sender: other, number: 3))
        }
        #expect(any?.number == 3)
        #expect(await center.first(of: Shown.self, sender: source, within: .zero) == nil)
        #expect(await center.first(of: Shown.self, within: .zero) == nil)
    }

    @Test func `observers in a task and on the main actor can be limited to a sender`() async {
        let received = ReceivedValues<Int>()
        let tokens = [
            center.addObserver(on: .task, for: Changed.self, sender: source) { note in received.append(note.number) },
            center.addObserver(on: .main, for: Changed.self, sender: source) { note in received.append(note.number) },
            center.addObserver(on: .main, for: Changed.self, sender: source) { note in
                received.append(note.number)
            },
        ]
        await center.deliver(Changed(sender: other, number: 1))
        await center.deliver(Changed(sender: source, number: 2))
        #expect(received.values == [2, 2, 2])
        withExtendedLifetime(tokens) {}
    }

    @Test func `subjects are distinguished by their type or name`() {
        let subjects = Set([NotificationSubject(Changed.self), NotificationSubject(Shown.self)])
        #expect(subjects.count == 2 && subjects.contains(NotificationSubject(Changed.self)))
        #expect(NotificationSubject(named: "a") == NotificationSubject(named: "a"))
        #expect(NotificationSubject(named: "a") != NotificationSubject(named: "b"))
        #expect(Set([NotificationSubject(named: "a"), NotificationSubject(Shown.self)]).count == 2)
    }

    @Test func `each delivery mode has a label of one word`() {
        let modes: [DeliveryMode] = [.inPost, .inPostOnMainActor, .mainActor, .actor, .task, .queue, .sequence]
        let labels = modes.map(\.label)
        #expect(Set(labels).count == modes.count && !labels.contains("other"))
        #expect(labels.allSatisfy { !$0.contains(" ") })
    }
}
