import TestSupport
import Testing
import Tidings
import TidingsTesting

private struct First: TypedNotification {}
private struct Second: TypedNotification {}
private struct Shown: MainActorNotification {}

@Suite(.timeLimit(.minutes(2))) struct DeliverWithinTests {
    private let center = NativeNotificationCenter()
    private let clock = ManualClock()
    private let tokens = Tokens()

    @Test func `a delivery that ends in time is complete, and leaves no sleeping task`() async {
        tokens.append(center.addObserver(on: .task, for: First.self) { [clock] _ in await clock.waitForSleepers() })
        let receipt = await center.deliver(First(), within: .seconds(2), clock: clock)
        #expect(receipt.isComplete && receipt.unfinished.isEmpty)
        #expect(receipt.asynchronousCalls == 1)
        await eventually("no task sleeps", { clock.sleepers }, until: { $0 == 0 })
    }

    @Test
    func `when the time limit passes, the receipt lists unfinished observers in order, and the calls continue`()
        async
    {
        let (begun, go, done) = (Gate(), Gate(), ReceivedValues<Int>())
        tokens.append(center.addObserver(on: .task, for: First.self, line: 1) { _ in done.append(1) })
        tokens.append(
            center.addObserver(on: .task, for: First.self, line: 2) { _ in
                await go.wait()
                done.append(2)
            })
        let actor = StoppedActor()
        center.addObserver(actor, on: .actor, for: First.self, line: 3) { _, _ in done.append(3) }
        // This observer posts `Second` and returns, but the observer of `Second` blocks.
        tokens.append(
            center.addObserver(on: .task, for: First.self, line: 4) { [center] _ in
                center.post(Second())
                begun.open()
            })
        tokens.append(
            center.addObserver(on: .task, for: Second.self, line: 5) { _ in
                await go.wait()
                done.append(5)
            })
        let delivery = Task { [center, clock] in
            await center.deliver(First(), within: .seconds(2), clock: clock)
        }
        await clock.waitForSleepers()
        await begun.wait()
        await done.wait(for: 1)
        clock.advance(by: .seconds(2))
        let receipt = await delivery.value
        #expect(!receipt.isComplete)
        #expect(receipt.observers == 4)
        #expect(Set(receipt.unfinished.map(\.place.line)).isSuperset(of: [2, 3, 5]))
        #expect(receipt.unfinished.map(\.place.line) == receipt.unfinished.map(\.place.line).sorted())
        #expect(receipt.unfinished.first { $0.place.line == 3 }?.delivery == .actor)
        go.open()
        await actor.executor.finish { done.count == 4 }
    }

    @Test func `the receipt of a delivery that ran out of time contains an error that was thrown in time`() async {
        struct Wrong: Error {}
        let (failed, go) = (Gate(), Gate())
        tokens.append(
            center.addObserver(on: .task, for: First.self, onFailure: .call { _ in failed.open() }) { _ in throw Wrong()
            })
        tokens.append(center.addObserver(on: .task, for: First.self) { _ in await go.wait() })
        let delivery = Task { [center, clock] in
            let receipt = await center.deliver(First(), within: .seconds(2), clock: clock)
            #expect(!receipt.isComplete)
            #expect(receipt.unfinished.count == 1)
            return receipt
        }
        await clock.waitForSleepers()
        await failed.wait()
        // The failed call ends only after its error was handled. Draining its observer waits for that end.
        await tokens.all[0].cancelAndDrain()
        clock.advance(by: .seconds(3))
        #expect(await delivery.value.failures.map { $0.error is Wrong } == [true])
        go.open()
    }

    @MainActor
    @Test func `a main-actor notification can be delivered with a time limit`() async {
        let go = Gate()
        tokens.append(center.addObserver(for: Shown.self) { [center] _ in center.post(First()) })
        tokens.append(center.addObserver(on: .main, for: First.self) { _ in await go.wait() })
        let receipt = await center.deliver(Shown(), within: .zero)
        #expect(receipt.observers == 1)
        #expect(receipt.unfinished.map(\.delivery) == [.mainActor])
        go.open()
        #expect(await center.deliver(Shown(), within: .seconds(1_000)).isComplete)
    }

    @Test func `the receipt of a delivery whose task is cancelled lists unfinished observers`() async {
        let (begun, go) = (Gate(), Gate())
        tokens.append(
            center.addObserver(on: .task, for: First.self) { _ in
                begun.open()
                await go.wait()
            })
        let delivery = Task { [center] in await center.deliver(First()) }
        await begun.wait()
        delivery.cancel()
        let receipt = await delivery.value
        #expect(receipt.unfinished.count == 1 && !receipt.isComplete)
        go.open()
    }

    @Test func `an observer that delivers to itself is listed as unfinished`() async {
        let receipts = ReceivedValues<DeliveryReceipt>()
        tokens.append(
            center.addObserver(on: .task, for: Numbered.self, line: 7) { [center] note in
                if note.number == 0 { receipts.append(await center.deliver(Numbered(number: 1))) }
            })
        await center.deliver(Numbered(number: 0))
        #expect(receipts.values.first?.unfinished.map(\.place.line) == [7])
    }
}
