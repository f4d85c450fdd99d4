import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct RecorderTests {
    private let recorder = RecordingNotificationCenter()

    @Test func `posts are recorded in order, with their types`() {
        recorder.post(Saved(id: 1))
        recorder.post(Closed())
        recorder.post(Saved(id: 2))
        #expect(recorder.posted(Saved.self) == [Saved(id: 1), Saved(id: 2)])
        #expect(recorder.posted(Closed.self).count == 1)
        #expect(recorder.log.map(\.text) == ["Saved(id: 1)", "Closed()", "Saved(id: 2)"])
        #expect(recorder.log.map(\.number) == [1, 2, 3])
        #expect(recorder.log.map { $0.type == Saved.self } == [true, false, true])
    }

    @Test func `a post by an observer is recorded after the post it observes`() {
        let token = recorder.addObserver(for: Saved.self) { [recorder] _ in recorder.post(Closed()) }
        #expect(recorder.post(Saved(id: 1)) == 1)
        #expect(recorder.log.map(\.text) == ["Saved(id: 1)", "Closed()"])
        #expect(recorder.log.map(\.observers) == [1, 0])
        withExtendedLifetime(token) {}
    }

    @Test func `the record of a post has no number of observers until the post has ended`() {
        let seen = ReceivedValues<Int?>()
        let token = recorder.addObserver(for: Saved.self) { [recorder] _ in
            for post in recorder.log { seen.append(post.observers) }
        }
        recorder.post(Saved())
        #expect(seen.values == [nil])
        withExtendedLifetime(token) {}
    }

    @Test func `a post to a token or to an owner's observers is recorded`() {
        let token = recorder.addObserver(for: Saved.self) { _ in }
        #expect(recorder.post(Saved(id: 1), to: token) == 1)
        #expect(recorder.post(Saved(id: 2), to: Document()) == 0)
        #expect(recorder.log.map(\.text) == ["Saved(id: 1)", "Saved(id: 2)"])
        #expect(recorder.log.map(\.observers) == [1, 0])
        withExtendedLifetime(token) {}
    }

    @Test func `the sender is recorded as text`() throws {
        let document = Document()
        recorder.post(Renamed(sender: document))
        recorder.post(Numbered(sender: 7))
        recorder.post(Numbered(sender: nil))
        recorder.post(Closed())
        let address = String(UInt(bitPattern: ObjectIdentifier(document)), radix: 16)
        #expect(recorder.log.map(\.sender) == ["Document at 0x\(address)", "7", nil, nil])
        #expect(recorder.log.first?.description.contains("from Document at 0x\(address)") == true)
    }

    @Test func `values that aren't Sendable are logged as text`() {
        let draft = Draft()
        recorder.post(Drafted(draft: draft))
        #expect(recorder.log.map(\.text).first?.hasPrefix("Drafted(draft: ") == true)
    }

    @Test @MainActor func `main-actor notifications are recorded with their type`() {
        let draft = Draft()
        recorder.post(WillShow(draft: draft))
        recorder.post(DidShow(number: 3))
        #expect(recorder.log.map { $0.type == WillShow.self } == [true, false])
        #expect(recorder.posted(WillShow.self).first?.draft === draft)
        #expect(recorder.posted(DidShow.self) == [DidShow(number: 3)])
        #expect(recorder.log.last?.text == "DidShow(number: 3)")
    }

    @Test func `an object is recorded under the type with which it was posted`() {
        recorder.post(Truck() as Vehicle)
        recorder.post(Truck())
        #expect(recorder.log.map { $0.type == Truck.self } == [false, true])
        #expect(recorder.posted(Vehicle.self).map { $0 is Truck } == [true])
        #expect(recorder.posted(Truck.self).count == 1)
    }

    @Test func `posts are recorded with the task that posted them`() async {
        recorder.post(Saved(id: 1))
        await Task(name: "other") { _ = recorder.post(Saved(id: 2)) }.value
        await onOwnThread { [recorder] in recorder.post(Saved(id: 3)) }
        recorder.post(Saved(id: 4))
        let tasks = recorder.log.map(\.task)
        #expect(tasks.map { $0?.number } == [1, 2, nil, 1])
        #expect(tasks[1]?.name == "other")
        #expect(tasks[1]?.description == "task 2 “other”")
    }

    @Test func `a recorder that is created for a center forwards posts to it`() {
        let center = NativeNotificationCenter()
        let recorder = RecordingNotificationCenter(forwardingTo: center)
        let received = ReceivedValues<Int>()
        let behind = center.addObserver(for: Saved.self) { received.append($0.id) }
        let before = recorder.addObserver(for: Saved.self) { received.append(10 * $0.id) }
        #expect(recorder.post(Saved(id: 1)) == 2)
        center.post(Saved(id: 2))
        #expect(received.values == [1, 10, 2, 20])
        // A post to the center behind the recorder isn't recorded.
        #expect(recorder.posted(Saved.self) == [Saved(id: 1)])
        withExtendedLifetime((behind, before)) {}
    }

    @Test func `only the recorder that created a token can remove it`() {
        let token = recorder.addObserver(for: Saved.self) { _ in }
        RecordingNotificationCenter().removeObserver(token)
        #expect(token.isActive)
        recorder.removeObserver(token)
        #expect(!token.isActive)
    }

    @Test func `forget clears the recorder's log and releases the recorded objects`() {
        var document: Document? = Document()
        weak let released = document
        if let document { recorder.post(Renamed(sender: document)) }
        document = nil
        #expect(released != nil)
        recorder.forget()
        #expect(released == nil)
        recorder.post(Saved())
        #expect(recorder.log.map(\.number) == [1])
    }

    @Test func `observers are listed while they are registered`() {
        let line = #line + 1
        let token = recorder.addObserver(for: Saved.self) { _ in }
        var owner: Document? = Document()
        if let owner { recorder.addObserver(owner, for: Closed.self) { _, _ in } }
        let notes = recorder.notifications(of: DidShow.self)
        #expect(recorder.observers.map { "\($0.type)" } == ["Saved", "Closed", "DidShow"])
        #expect(recorder.observers.map(\.delivery) == [.inPost, .inPost, .sequence])
        #expect(recorder.observers.first?.place.description == "TidingsTestingTests/RecorderTests.swift:\(line)")
        owner = nil
        #expect(recorder.observers.count == 2)
        token.cancel()
        #expect(recorder.observers.count == 1)
        withExtendedLifetime(notes) {}
    }

    @Test func `the description of a recorder lists its posts and its observers`() {
        let token = recorder.addObserver(for: Closed.self) { _ in }
        recorder.post(Saved(id: 4))
        let text = "\(recorder)"
        #expect(text.hasPrefix("Posts:\n  1. Saved(id: 4), task 1"))
        #expect(
            text.contains("\nObservers:\n  1. Closed, in the post, registered at TidingsTestingTests/RecorderTests"))
        withExtendedLifetime(token) {}
    }

    @Test(arguments: 0..<1_000) func `recorders of parallel tests don't share their posts`(_ number: Int) async {
        let recorder = RecordingNotificationCenter()
        let token = recorder.addObserver(on: .task, for: Saved.self) { note in
            await Task.yield()
            if note.id < number + 2_000 { recorder.post(Saved(id: note.id + 1_000)) }
        }
        recorder.post(Saved(id: number))
        await recorder.expectPosted(
            Saved.self, exactly: [Saved(id: number), Saved(id: number + 1_000), Saved(id: number + 2_000)])
        #expect(recorder.observers.count == 1)
        token.cancel()
    }

    @Test func `if a center can't list observers, its recorder never waits to post or finish, and reports no events`()
        async throws
    {
        let recorder = RecordingNotificationCenter(forwardingTo: SimpleCenter())
        let (monitor, gate) = (RecordingMonitor(), Gate())
        let attachment = recorder.attach(monitor)
        let token = recorder.addObserver(on: .task, for: Saved.self, buffering: .backPressure(1)) { _ in
            await gate.wait()
        }
        for id in 0..<3 { #expect(try await recorder.postWaitingForRoom(Saved(id: id), within: .zero) == 1) }
        #expect(monitor.events.count == 0)
        #expect(recorder.observations.isEmpty && recorder.post(Saved(), to: token) == 0)
        #expect(await recorder.finish(within: .zero).isEmpty)
        #expect(recorder.post(Saved()) == 1)
        gate.open()
        await token.cancelAndDrain()
        withExtendedLifetime(attachment) {}
    }

    @Test func `a group lists an observer of a recorder if a post is calling it when the time limit passes`() async {
        let (group, begun, go) = (ObserverGroup("documents"), Gate(), Gate())
        recorder.addObserver(for: Saved.self) { _ in
            begun.open()
            go.wait(patience: .seconds(300))
        }
        .store(in: group, line: 3)
        recorder.addObserver(for: Closed.self) { _ in }.store(in: group, line: 4)
        async let posting: Void = onOwnThread { [recorder] in _ = recorder.post(Saved()) }
        await begun.wait()
        let left = await group.finish(within: .zero)
        #expect(left.map(\.place.line) == [3])
        #expect(left.first?.isRunning == true)
        go.open()
        await posting
    }
}
