import Foundation
import TestSupport
import Testing
import Tidings
import TidingsFoundation
import TidingsTesting

private struct Added: TypedNotification, Sendable {
    static let name = "UnlessRegisteredTests.Added"
    var number = 0
}

private actor List {
    nonisolated let calls = ReceivedValues<Int>()
}

@Suite(.timeLimit(.minutes(2))) struct UnlessRegisteredTests {
    private let list = List()
    private let centers: [any TypedNotificationCenter] = [
        NativeNotificationCenter(), NotificationCenter(), RecordingNotificationCenter(),
    ]

    /// Registers the same observer twice. The result is two tokens of one observation.
    private func register(
        _ center: any TypedNotificationCenter, buffering policy: BufferingPolicy = .unbounded,
        _ body: @escaping @Sendable (List, Added) async -> Void
    ) -> [NotificationToken] {
        (0..<2).map { _ in
            center.unlessRegistered.addObserver(list, on: .actor, for: Added.self, buffering: policy) { me, note in
                await body(me, note)
            }
        }
    }

    private func registerInPost(
        _ center: any TypedNotificationCenter, _ body: @escaping @Sendable (List, Added) -> Void
    ) -> [NotificationToken] {
        (0..<2).map { _ in center.unlessRegistered.addObserver(list, for: Added.self) { me, note in body(me, note) } }
    }

    @Test func `a center's other methods have the same effect through its unlessRegistered property`() {
        for center in centers {
            let (once, monitor) = (center.unlessRegistered, RecordingMonitor())
            let line: UInt = #line + 1
            once.addObserver(list, for: Added.self) { me, note in me.calls.append(note.number) }
            #expect(once.observations.map(\.place.line) == [line])
            let attachment = once.attach(monitor, interests: .posts)
            #expect(once.post(Added(number: 1)) == 1)
            #expect(once.post(Added(number: 2), to: list) == 1)
            #expect(monitor.posts.map(\.observers) == [1, 1])
            #expect(once.statistics.rows.map(\.posts) == [2])
            once.removeObservers(of: list, for: Added.self)
            #expect(once.observations.isEmpty)
            once.addObserver(list, for: Added.self) { me, note in me.calls.append(note.number) }
            once.removeObservers(of: list)
            #expect(center.post(Added(number: 3)) == 0)
            withExtendedLifetime(attachment) {}
        }
        #expect(list.calls.values == [1, 2, 1, 2, 1, 2])
    }

    @Test func `an observer receives posts to its second token, and only the observer's center removes this token`() {
        for center in centers {
            let tokens = registerInPost(center) { me, note in me.calls.append(note.number) }
            #expect(center.post(Added(number: 1), to: tokens[1]) == 1)
            #expect(tokens[1].isActive)
            NativeNotificationCenter().removeObserver(tokens[1])
            #expect(tokens[1].isActive)
            center.removeObserver(tokens[1])
            #expect(!tokens[0].isActive && !tokens[1].isActive)
            #expect(center.post(Added()) == 0)
        }
        #expect(list.calls.values == [1, 1, 1])
    }

    @Test
    func `draining an async observer's second token waits for the running call, and both tokens count drops`() async {
        for center in centers {
            let (begun, go, done) = (Gate(), Gate(), ReceivedValues<String>())
            let tokens = register(center, buffering: .oldest(1)) { _, _ in
                begun.open()
                await go.wait()
                done.append("called")
            }
            center.post(Added(number: 1))
            await begun.wait()
            for number in 2...4 { center.post(Added(number: number)) }
            #expect(tokens.map(\.droppedCount) == [2, 2])
            // `cancel()` discards the queue before it returns, so the second notification isn't handled.
            tokens[1].cancel()
            #expect(!tokens[0].isActive)
            let drain = Task {
                await tokens[1].cancelAndDrain()
                done.append("drained")
            }
            for _ in 0..<100 { await Task.yield() }
            go.open()
            await drain.value
            #expect(done.values == ["called", "drained"])
        }
    }

    @Test func `draining a synchronous observer's second token waits for the running call`() async {
        let (center, begun, go, done) = (NativeNotificationCenter(), Gate(), Gate(), ReceivedValues<String>())
        let tokens = registerInPost(center) { _, _ in
            begun.open()
            go.wait(patience: .seconds(300))
            done.append("called")
        }
        async let posting: Void = onOwnThread { _ = center.post(Added()) }
        await begun.wait()
        let drain = Task {
            await tokens[1].cancelAndDrain()
            done.append("drained")
        }
        await eventually("the observation has ended") { !tokens[0].isActive }
        for _ in 0..<100 { await Task.yield() }
        go.open()
        await drain.value
        await posting
        #expect(done.values == ["called", "drained"])
    }

    @Test func `a finishing group that holds several tokens of one observer handles the observer's queue`() async {
        let (center, group, clock) = (NativeNotificationCenter(), ObserverGroup("lists"), ManualClock())
        let (begun, go) = (Gate(), Gate())
        for token in register(
            center,
            { me, note in
                begun.open()
                await go.wait()
                me.calls.append(note.number)
            })
        { token.store(in: group) }
        for number in 1...3 { center.post(Added(number: number)) }
        await begun.wait()
        let finish = Task { await group.finish(within: .seconds(1), clock: clock) }
        await clock.waitForSleepers()
        #expect(center.post(Added(number: 4)) == 0)
        go.open()
        #expect(await finish.value.isEmpty)
        #expect(list.calls.values == [1, 2, 3])
    }

    @Test
    func `releasing an observer's second token ends the observation with the reason tokenReleased`() {
        let (center, reasons) = (NativeNotificationCenter(), ReceivedValues<ObservationEndReason>())
        let attachment = center.attach(
            RecordingMonitor { event in if case .ended(_, let reason) = event { reasons.append(reason) } })
        let registration = ObserverRegistration(fileID: #fileID, line: #line, owner: ObserverOwner(list))
        let handles = (0..<2).map { _ in
            center.unlessRegistered.observe(Added.self, sender: .everyone, registration: registration) { _ in }
        }
        #expect(center.post(Added()) == 1)
        _ = handles[1].token()
        #expect(reasons.values == [.tokenReleased])
        #expect(!handles[0].isActive)
        withExtendedLifetime(attachment) {}
    }
}
