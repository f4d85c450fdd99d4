import Dispatch
import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct First: TypedNotification {}
private struct Second: TypedNotification {}
private struct Third: TypedNotification {}

@Suite(.timeLimit(.minutes(2))) struct DrainingTests {
    let center = NativeNotificationCenter()
    let tokens = Tokens()

    @Test func `promise 5, drain: an observer that drains itself does not wait for itself`() async {
        let done = Gate()
        let token = center.addObserver(on: .task, for: First.self) { [tokens] _ in
            await tokens.cancelAndDrain()
            done.open()
        }
        tokens.append(token)
        center.post(First())
        await done.wait()
        #expect(!token.isActive)
    }

    @Test func `promise 5, drain: a drain in a task that a call has created does not wait for that call`() async {
        let done = Gate()
        let token = center.addObserver(on: .task, for: First.self) { [tokens] _ in
            await Task { await tokens.cancelAndDrain() }.value
            done.open()
        }
        tokens.append(token)
        center.post(First())
        await done.wait()
        #expect(!token.isActive)
    }

    @Test func `promise 5, drain: a drain in a task that an earlier call created waits for the running call`() async {
        let (begun, go, seen) = (Gate(), Gate(), ReceivedValues<String>())
        let token = center.addObserver(on: .task, for: Numbered.self) { [tokens] note in
            if note.number == 0 {
                Task {
                    await begun.wait()
                    await tokens.cancelAndDrain()
                    seen.append("drained")
                }
            } else {
                begun.open()
                await go.wait()
                seen.append("called")
            }
        }
        tokens.append(token)
        center.post(Numbered(number: 0))
        center.post(Numbered(number: 1))
        await begun.wait()
        for _ in 0..<100 { await Task.yield() }
        go.open()
        await seen.wait(for: 2)
        #expect(seen.values == ["called", "drained"])
    }

    @Test func `promise 5, drain: a drain does not wait for an actor's observer that waits for the draining task`()
        async
    {
        let (actor, done, returned) = (StoppedActor(), DispatchSemaphore(value: 0), Gate())
        let token = center.addObserver(actor, on: .actor, for: First.self) { [tokens] _, _ in
            Task { @concurrent in
                await tokens.cancelAndDrain()
                done.signal()
            }
            done.wait()
            returned.open()
        }
        tokens.append(token)
        center.post(First())
        await eventually("the observer returns") {
            await onOwnThread { actor.executor.runPending() }
            return returned.isOpen
        }
        #expect(!token.isActive)
    }

    @Test func `promise 5, drain: a drain does not wait for other observers`() async {
        let (begun, go) = (Gate(), Gate())
        let slow = center.addObserver(on: .task, for: First.self) { _ in
            begun.open()
            await go.wait()
        }
        let quick = center.addObserver(on: .task, for: First.self) { _ in }
        center.post(First())
        await begun.wait()
        await returns("the drain") { await quick.cancelAndDrain() }
        #expect(!quick.isActive && center.observations.map(\.isRunning) == [true])
        go.open()
        await returns("the drain of the slow observer") { await slow.cancelAndDrain() }
        #expect(center.observations.isEmpty)
    }

    @Test func `promise 5, drain: two observers that drain each other both make progress`() async {
        let (here, there) = (Gate(), Gate())
        let first = center.addObserver(on: .task, for: First.self) { [tokens] _ in
            here.open()
            await there.wait()
            await tokens.all[1].cancelAndDrain()
        }
        let second = center.addObserver(on: .task, for: Second.self) { [tokens] _ in
            there.open()
            await here.wait()
            await tokens.all[0].cancelAndDrain()
        }
        tokens.append(first)
        tokens.append(second)
        center.post(First())
        center.post(Second())
        await here.wait()
        await there.wait()
        await returns("both drains") {
            await first.cancelAndDrain()
            await second.cancelAndDrain()
        }
        #expect(!first.isActive && !second.isActive)
    }

    @Test func `promise 5, drain: three observers that drain each other in a ring all make progress`() async {
        let gates = [Gate(), Gate(), Gate()]
        let observe: @Sendable (Int) -> @Sendable () async -> Void = { [tokens] index in
            {
                gates[index].open()
                for gate in gates { await gate.wait() }
                await tokens.all[(index + 1) % 3].cancelAndDrain()
            }
        }
        let (one, two, three) = (observe(0), observe(1), observe(2))
        tokens.append(center.addObserver(on: .task, for: First.self) { _ in await one() })
        tokens.append(center.addObserver(on: .task, for: Second.self) { _ in await two() })
        tokens.append(center.addObserver(on: .task, for: Third.self) { _ in await three() })
        center.post(First())
        center.post(Second())
        center.post(Third())
        for gate in gates { await gate.wait() }
        await returns("the drain") { [tokens] in await tokens.cancelAndDrain() }
        #expect(tokens.all.allSatisfy { !$0.isActive })
    }

    @Test func `promise 5, drain: many concurrent drains all return`() async {
        let (begun, go, ended) = (Gate(), Gate(), Gate())
        let token = center.addObserver(on: .task, for: First.self) { _ in
            begun.open()
            await go.wait()
            ended.open()
        }
        center.post(First())
        await begun.wait()
        let drained = ReceivedValues<Bool>()
        for _ in 0..<10 {
            Task {
                await token.cancelAndDrain()
                drained.append(ended.isOpen)
            }
        }
        go.open()
        await drained.wait(for: 10)
        #expect(drained.values == Array(repeating: true, count: 10))
    }
}
