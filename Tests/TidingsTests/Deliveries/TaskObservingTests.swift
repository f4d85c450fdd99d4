import TestSupport
import Testing
import Tidings
import TidingsTesting

@globalActor
private actor Database {
    static let shared = Database()

    @Database static func run(_ body: @Sendable () -> Void) { body() }
}

@Database private var rows: [Int] = []

@Suite(.timeLimit(.ofRandomPrograms)) struct TaskObservingTests {
    let center = NativeNotificationCenter()

    @Test func `an asynchronous observer receives one notification at a time, in the order posted`() async {
        let seen = ReceivedValues<String>()
        let token = center.addObserver(on: .task, for: Numbered.self) { note in
            seen.append("begin \(note.number)")
            for _ in 0..<10 { await Task.yield() }
            seen.append("end \(note.number)")
        }
        for number in 0..<100 { center.post(Numbered(number: number)) }
        await seen.wait(for: 200)
        #expect(seen.values == (0..<100).flatMap { ["begin \($0)", "end \($0)"] })
        token.cancel()
    }

    @Test func `a closure that is isolated to another global actor runs there`() async {
        let done = Gate()
        let token = center.addObserver(on: .task, for: Numbered.self) { @Database note in
            Database.shared.assertIsolated()
            rows.append(note.number)
            if note.number == 999 { done.open() }
        }
        for number in 0..<1000 { center.post(Numbered(number: number)) }
        await done.wait()
        #expect(await rows == Array(0..<1000))
        token.cancel()
    }

    @Test func `other code can use a closure's actor while the closure handles a long backlog`() async {
        let (seen, others) = (ReceivedValues<Int>(), ReceivedValues<Int>())
        let token = center.addObserver(on: .task, for: Numbered.self) { @Database note in
            seen.append(note.number)
            if note.number == 0 { Task { @Database in others.append(seen.count) } }
        }
        let count = repetitions(100_000)
        await Database.run { [center] in for number in 0..<count { center.post(Numbered(number: number)) } }
        await seen.wait(for: count)
        await others.wait(for: 1)
        #expect(others.values[0] < count)
        token.cancel()
    }

    @Test func `promise 5, cancel: the queue of a task is discarded, and the running call is drained`() async {
        let (seen, begun, go) = (ReceivedValues<Int>(), Gate(), Gate())
        let token = center.addObserver(on: .task, for: Numbered.self) { note in
            begun.open()
            await go.wait()
            seen.append(note.number)
        }
        for number in 0..<1000 { center.post(Numbered(number: number)) }
        await begun.wait()
        token.cancel()
        let drained = Task {
            await token.cancelAndDrain()
            return seen.values
        }
        go.open()
        #expect(await drained.value == [0])
        #expect(seen.values == [0])
    }

    @Test func `promise 6, lifetime: captures of a cancelled observer are released when its call has ended`() async {
        weak var captured: Captured?
        let (begun, go) = (Gate(), Gate())
        let token: NotificationToken
        do {
            let object = Captured()
            captured = object
            token = center.addObserver(on: .task, for: Numbered.self) { _ in
                begun.open()
                await go.wait()
                object.touch()
            }
        }
        center.post(Numbered(number: 1))
        await begun.wait()
        token.cancel()
        #expect(captured != nil)
        go.open()
        await eventually("the captured object is released") { captured == nil }
    }

    @Test func `promise 8, nothing is lost silently: the notification that is being handled is not counted as queued`()
        async
    {
        let (seen, begun, go) = (ReceivedValues<Int>(), Gate(), Gate())
        let token = center.addObserver(on: .task, for: Numbered.self, buffering: .latest(2)) { note in
            begun.open()
            await go.wait()
            seen.append(note.number)
        }
        center.post(Numbered(number: 0))
        await begun.wait()
        for number in 1...5 { center.post(Numbered(number: number)) }
        #expect(token.droppedCount == 3)
        go.open()
        await seen.wait(for: 3)
        #expect(seen.values == [0, 4, 5])
    }

    @Test func `promise 11, independence: a slow observer delays neither the post nor another observer`() async {
        let (go, fast) = (Gate(), Ledger())
        let slow = center.addObserver(on: .task, for: Numbered.self) { _ in await go.wait() }
        center.addObserver(fast, on: .actor, for: Numbered.self) { ledger, note in ledger.add(note.number) }
        for number in 0..<100 { center.post(Numbered(number: number)) }
        await fast.wait(for: 100)
        go.open()
        await slow.cancelAndDrain()
    }
}
