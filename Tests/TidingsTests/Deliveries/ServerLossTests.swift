import TestSupport
import Testing
import Tidings
import TidingsTesting

// The first server that used Tidings had eight problems, which are called losses here. These tests cover seven of them.
// The eighth, a clone in a folder of another name, is covered by `CloneFolderTests`, which requires SwiftPM.

private struct Placed: TypedNotification, Sendable { let id: Int }
private struct Changed: TypedNotification, Sendable { let id: Int }

private struct Full: Error {}

private actor Projection {
    private(set) var rows: [Int] = []

    func store(_ note: Placed) async throws {
        await Task.yield()
        if note.id == 0 { throw Full() }
        rows.append(note.id)
    }

    func add(_ id: Int) { rows.append(id) }
}

private final class Audit: MessageConsumer {
    let messages = ReceivedValues<String>()
    func consume(_ message: String) { messages.append(message) }
}

@Suite(.timeLimit(.minutes(2))) struct ServerLossTests {
    private let center = NativeNotificationCenter()

    @Test func `loss 1: an actor's observer can await`() async {
        let projection = Projection()
        center.addObserver(projection, on: .actor, for: Placed.self) { me, note in try await me.store(note) }
        for id in 1...3 { center.post(Placed(id: id)) }
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(await projection.rows == [1, 2, 3])
    }

    @Test func `loss 2: a group holds observers that nothing else owns, and releases them when it has finished`() async
    {
        let (group, bus) = (ObserverGroup("orders", finishing: center), MessageBus<String>())
        let rows = ReceivedValues<Int>()
        weak let released: Projection?
        weak let consumer: Audit?
        do {
            let (projection, audit) = (Projection(), Audit())
            (released, consumer) = (projection, audit)
            center.addObserver(projection, on: .actor, for: Placed.self) { me, note in
                me.add(note.id)
                rows.append(note.id)
            }
            .store(in: group)
            group.add(audit, to: bus)
        }
        #expect(released != nil && consumer != nil)
        for id in 1...5 { center.post(Placed(id: id)) }
        bus.dispatch("placed")
        #expect(await group.finish(within: .seconds(600)).isEmpty)
        #expect(rows.values == [1, 2, 3, 4, 5])
        // The bus may hold the consumer for a moment longer, so the test only checks that the group has released it.
        #expect(group.count == 0)
    }

    @Test func `loss 3: a center and a bus can finish, handle what is queued, and return what is left`() async {
        let (actor, bus) = (StoppedActor(), MessageBus<String>())
        let (rows, audit) = (ReceivedValues<Int>(), Audit())
        center.addObserver(actor, on: .actor, for: Placed.self, line: 7) { _, note in rows.append(note.id) }
        bus.add(audit)
        for id in 1...3 { center.post(Placed(id: id)) }
        bus.dispatch("placed")
        #expect(await center.drain(within: .zero).first?.place.line == 7)
        #expect(await center.finish(within: .zero).first?.queued == 3)
        #expect(center.post(Placed(id: 4)) == 0)
        await actor.executor.finish { rows.count == 3 }
        #expect(await center.finish(within: .seconds(600)).isEmpty)
        #expect(await bus.finish(within: .seconds(600)).isEmpty)
        #expect(rows.values == [1, 2, 3] && audit.messages.values == ["placed"])
    }

    @Test func `loss 4: an observer can throw, and the receipt, monitors and a handler receive the error`() async {
        let (monitor, projection, errors) = (RecordingMonitor(), Projection(), ReceivedValues<Bool>())
        let attachment = center.attach(monitor)
        center.addObserver(
            projection, on: .actor, for: Placed.self, onFailure: .call { error in errors.append(error is Full) }
        ) {
            me, note in
            try await me.store(note)
        }
        let receipt = await center.deliver(Placed(id: 0), within: .seconds(600))
        #expect(receipt.failures.first?.error is Full && receipt.unfinished.isEmpty)
        #expect(monitor.failures.count == 1 && errors.values == [true])
        #expect(await center.deliver(Placed(id: 1)).failures.isEmpty)
        #expect(await projection.rows == [1])
        withExtendedLifetime(attachment) {}
    }

    @Test func `loss 5: several types arrive as one sequence, in the order posted`() async {
        let notes = center.notifications(of: Placed.self, Changed.self)
        for id in 1...3 {
            center.post(Placed(id: id))
            center.post(Changed(id: 10 * id))
        }
        async let finish = center.finish(within: .seconds(600))
        var ids: [Int] = []
        for await note in notes {
            switch note {
            case let note as Placed: ids.append(note.id)
            case let note as Changed: ids.append(note.id)
            default: break
            }
        }
        #expect(ids == [1, 10, 2, 20, 3, 30])
        #expect(await finish.isEmpty)
    }

    @Test func `loss 6: observations, monitors and statistics are available on any center`() {
        func look(at center: any TypedNotificationCenter) -> (observers: Int, posts: Int, told: Int) {
            let monitor = RecordingMonitor()
            let attachment = center.attach(monitor)
            let token = center.addObserver(for: Placed.self) { _ in }
            center.post(Placed(id: 1))
            defer { withExtendedLifetime((attachment, token)) {} }
            return (center.observations.count, center.statistics.rows.first?.posts ?? 0, monitor.posts.count)
        }
        #expect(look(at: center) == (1, 1, 1))
        #expect(look(at: ForwardingCenter(to: NativeNotificationCenter())) == (1, 1, 1))
        #expect(look(at: RecordingNotificationCenter()) == (1, 1, 1))
    }

    @Test func `loss 7: all deliveries support the same parameters, and an owner's observers can be removed`() async {
        let (projection, owner, rows) = (Projection(), Captured(), ReceivedValues<Int>())
        center.addObserver(projection, on: .actor, for: Placed.self, where: { $0.id > 1 }, buffering: .latest(10)) {
            me, note in
            me.add(note.id)
        }
        let token = center.addObserver(on: .task, for: Placed.self, where: { $0.id > 2 }) { rows.append($0.id) }
        center.addObserver(owner, for: Placed.self) { _, note in rows.append(10 * note.id) }
        center.removeObservers(of: owner)
        for id in 1...3 { center.post(Placed(id: id)) }
        #expect(await center.drain(within: .seconds(600)).isEmpty)
        #expect(await projection.rows == [2, 3])
        #expect(rows.values == [3])
        withExtendedLifetime(token) {}
    }
}
