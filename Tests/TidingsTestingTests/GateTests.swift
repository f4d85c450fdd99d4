import Foundation
import TestSupport
import Testing
import Tidings
import TidingsFoundation
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct GateTests {
    private actor Counter {
        private(set) var ids: [Int] = []
        func add(_ id: Int) { ids.append(id) }
    }

    private let recorder = RecordingNotificationCenter()
    private let received = ReceivedValues<String>()

    @Test func `a closed gate holds queued notifications and lists them`() async {
        let counter = Counter()
        let line = #line + 1
        recorder.addObserver(counter, on: .actor, for: Saved.self) { counter, note in counter.add(note.id) }
        recorder.gate.close()
        #expect(recorder.gate.isClosed)
        for id in 1...3 { recorder.post(Saved(id: id)) }
        #expect(recorder.gate.queued.map(\.text) == ["Saved(id: 1)", "Saved(id: 2)", "Saved(id: 3)"])
        #expect(
            recorder.gate.queued.first?.description
                == "Saved(id: 1) for the observer in an actor that was registered at TidingsTestingTests/GateTests.swift:\(line)"
        )
        await recorder.drain()
        #expect(await counter.ids == [])
        let released = await recorder.gate.releaseNext()
        #expect(released?.text == "Saved(id: 1)")
        #expect(await counter.ids == [1])
        await recorder.gate.open()
        #expect(await counter.ids == [1, 2, 3])
        #expect(!recorder.gate.isClosed)
        recorder.post(Saved(id: 4))
        await recorder.drain()
        #expect(await counter.ids == [1, 2, 3, 4])
    }

    @Test @MainActor func `a gate holds every asynchronous delivery, and nothing else`() async {
        let counter = Counter()
        var tokens: [NotificationToken] = []
        recorder.addObserver(for: Saved.self) { [received] _ in received.append("in the post") }.store(in: &tokens)
        recorder.addObserver(for: DidShow.self) { [received] _ in received.append("on the main actor") }.store(
            in: &tokens)
        recorder.addObserver(counter, on: .actor, for: Saved.self) { [received] _, _ in received.append("actor") }
        recorder.addObserver(on: .main, for: Saved.self) { [received] _ in received.append("main") }.store(
            in: &tokens)
        recorder.addObserver(on: .task, for: Saved.self) { [received] _ in received.append("task") }.store(in: &tokens)
        recorder.addObserver(for: Saved.self, queue: OperationQueue()) { [received] _ in received.append("queue") }
            .store(in: &tokens)
        let notes = recorder.notifications(of: Saved.self)
        recorder.gate.close()
        #expect(recorder.post(Saved(id: 1)) == 6)
        #expect(recorder.post(DidShow()) == 1)
        #expect(received.values == ["in the post", "on the main actor"])
        #expect(recorder.gate.queued.map(\.delivery) == [.actor, .mainActor, .task, .queue, .sequence])
        for name in ["actor", "main", "task", "queue"] {
            await recorder.gate.releaseNext()
            #expect(received.values.last == name)
        }
        await recorder.gate.releaseNext()
        var iterator = notes.makeAsyncIterator()
        #expect(await iterator.next()?.id == 1)
        #expect(await recorder.gate.releaseNext() == nil)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a test can release notifications for one observer before those for another observer`() async {
        let first = recorder.addObserver(on: .task, for: Saved.self) { [received] note in
            received.append("first \(note.id)")
        }
        let second = recorder.addObserver(on: .task, for: Saved.self) { [received] note in
            received.append("second \(note.id)")
        }
        recorder.gate.close()
        for id in 1...2 { recorder.post(Saved(id: id)) }
        let queued = recorder.gate.queued
        #expect(queued.map(\.place).map(\.line) == [queued[0], queued[1], queued[0], queued[1]].map(\.place.line))
        // Releases both notifications for the second observer, in the order of the posts.
        await recorder.gate.release(queued[3])
        #expect(received.values == ["second 1", "second 2"])
        await recorder.gate.release(queued[1])
        #expect(received.values.count == 2)
        await recorder.gate.open()
        #expect(received.values == ["second 1", "second 2", "first 1", "first 2"])
        withExtendedLifetime((first, second)) {}
    }

    @Test
    func `the gate also holds posts by an observer, and a release doesn't wait for them`() async {
        let first = recorder.addObserver(on: .task, for: Saved.self) { [recorder] _ in recorder.post(Closed()) }
        let second = recorder.addObserver(on: .task, for: Closed.self) { [received] _ in received.append("closed") }
        recorder.gate.close()
        recorder.post(Saved())
        await recorder.gate.releaseNext()
        #expect(recorder.gate.queued.map(\.text) == ["Closed()"])
        #expect(recorder.gate.queued.map { $0.type == Closed.self } == [true])
        #expect(received.values == [])
        await recorder.gate.open()
        #expect(received.values == ["closed"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a delivery waits for notifications that are held`() async {
        let first = recorder.addObserver(on: .task, for: Saved.self) { [recorder] _ in recorder.post(Closed()) }
        let second = recorder.addObserver(on: .task, for: Closed.self) { _ in }
        let notes = recorder.notifications(of: Saved.self)
        recorder.gate.close()
        async let receipt = recorder.deliver(Saved())
        await eventually("two notifications are held", { recorder.gate.queued.count }, until: { $0 >= 2 })
        await recorder.gate.releaseNext()
        await recorder.gate.releaseNext()
        #expect(recorder.gate.queued.map(\.text) == ["Closed()"])
        await recorder.gate.open()
        #expect(await receipt.asynchronousCalls == 2)
        #expect(await receipt.discardedCalls == 0)
        #expect(await receipt.isComplete)
        withExtendedLifetime((first, second, notes)) {}
    }

    @Test func `through a recorder, observers that deliver to each other get incomplete receipts`() async {
        await deliverInACycle(through: recorder)
    }

    @Test func `through two recorders, observers that deliver to each other get incomplete receipts`() async {
        await deliverInACycle(through: RecordingNotificationCenter(forwardingTo: recorder))
    }

    /// Two observers deliver to each other. One delivery skips a wait that would never end, so both receipts are
    /// incomplete. The main actor runs both observers, so the outer delivery waits before the inner one begins.
    private func deliverInACycle(through recorder: RecordingNotificationCenter) async {
        let calls = ReceivedValues<Void>()
        let first = recorder.addObserver(on: .main, for: Saved.self) { [recorder, received] _ in
            calls.append(())
            if calls.count == 1 { received.append("outer \(await recorder.deliver(Closed()).isComplete)") }
        }
        let second = recorder.addObserver(on: .main, for: Closed.self) { [recorder, received] _ in
            received.append("inner \(await recorder.deliver(Saved()).isComplete)")
        }
        let receipt = await recorder.deliver(Saved())
        #expect(received.values == ["inner false", "outer false"])
        #expect(receipt.isComplete)
        #expect(receipt.asynchronousCalls == 3)
        withExtendedLifetime((first, second)) {}
    }

    @Test
    func
        `an observer's delivery ends if it would have to wait for a notification that is held for the observer itself`()
        async
    {
        let receipts = ReceivedValues<DeliveryReceipt>()
        let calls = ReceivedValues<Void>()
        let first = recorder.addObserver(on: .task, for: Saved.self) { [recorder] _ in
            calls.append(())
            if calls.count == 1 { receipts.append(await recorder.deliver(Closed())) }
        }
        let second = recorder.addObserver(on: .task, for: Closed.self) { [recorder] _ in
            recorder.gate.close()
            recorder.post(Saved())
        }
        recorder.post(Saved())
        await eventually("a notification is held") { !recorder.gate.queued.isEmpty }
        // From now on, the delivery only waits for held notifications.
        await second.cancelAndDrain()
        await recorder.gate.open()
        #expect(calls.count == 2)
        #expect(receipts.values.map(\.isComplete) == [false])
        withExtendedLifetime(first) {}
    }

    @Test func `notifications held for a cancelled observer are discarded`() async {
        let token = recorder.addObserver(on: .task, for: Saved.self) { [received] _ in received.append("called") }
        recorder.gate.close()
        async let receipt = recorder.deliver(Saved())
        await eventually("a notification is held") { !recorder.gate.queued.isEmpty }
        token.cancel()
        #expect(recorder.gate.queued.isEmpty)
        #expect(await receipt.discardedCalls == 1)
        #expect(await receipt.isComplete)
        await recorder.gate.open()
        #expect(received.values == [])
    }

    @Test func `notifications held for a deallocated owner are discarded when the gate releases them`() async {
        var document: Document? = Document()
        if let document {
            recorder.addObserver(document, on: .main, for: Saved.self) { [received] _, _ in
                received.append("called")
            }
        }
        recorder.gate.close()
        recorder.post(Saved())
        document = nil
        await recorder.gate.open()
        #expect(received.values == [])
        await recorder.expectNoObservers()
    }

    @Test func `held notifications don't count toward the limit of a buffering policy`() async {
        let counter = Counter()
        let token = recorder.addObserver(counter, on: .actor, for: Saved.self, buffering: .latest(1)) { $0.add($1.id) }
        recorder.gate.close()
        for id in 1...3 { recorder.post(Saved(id: id)) }
        #expect(token.droppedCount == 0)
        for _ in 1...3 { await recorder.gate.releaseNext() }
        #expect(await counter.ids == [1, 2, 3])
        #expect(token.droppedCount == 0)
    }

    @Test func `when a recorder with a closed gate is deallocated, deliveries that wait for held notifications end`()
        async
    {
        let isHeld = Gate()
        let center = NativeNotificationCenter()
        let tokens = {
            let recorder = RecordingNotificationCenter()
            let token = recorder.addObserver(on: .task, for: Saved.self) { _ in }
            recorder.gate.close()
            let relay = center.addObserver(for: Saved.self) { note in
                recorder.post(note)
                isHeld.open()
            }
            return [token, relay]
        }()
        let delivery = Task { await center.deliver(Saved()) }
        await isHeld.wait()
        tokens[1].cancel()
        let receipt = await delivery.value
        #expect(receipt.discardedCalls == 1)
    }

    @Test func `when a recorder with a closed gate is deallocated, posts on the underlying center reach its observers`()
        async
    {
        let center = NativeNotificationCenter()
        let token = {
            let recorder = RecordingNotificationCenter(forwardingTo: center)
            recorder.gate.close()
            return recorder.addObserver(on: .task, for: Saved.self) { [received] note in received.append("\(note.id)") }
        }()
        await returns("the delivery") { await center.deliver(Saved(id: 1)) }
        #expect(received.values == ["1"])
        withExtendedLifetime(token) {}
    }

    @Test func `a post while the gate opens doesn't overtake held notifications`() async {
        let counter = Counter()
        recorder.addObserver(counter, on: .actor, for: Saved.self) { counter, note in counter.add(note.id) }
        recorder.gate.close()
        for id in 0..<100 { recorder.post(Saved(id: id)) }
        async let opened: Void = recorder.gate.open()
        await onOwnThread { [recorder] in for id in 100..<200 { recorder.post(Saved(id: id)) } }
        await opened
        await recorder.drain()
        #expect(await counter.ids == Array(0..<200))
    }
}
