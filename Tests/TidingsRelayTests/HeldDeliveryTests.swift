import TestSupport
import Testing
import TidingsTesting

@testable import TidingsRelay

/// Tests of deliveries that start without being awaited, and of holds, with which a synchronous observer delays the end
/// of a delivery. The relay uses both.
@Suite(.timeLimit(.minutes(2))) struct HeldDeliveryTests {
    struct Failed: Error {}

    private func hold() -> DeliveryHold? {
        DeliveryHold(for: .init(of: Tick.self, .inPost, from: SourcePlace()))
    }

    @Test func `deliveries start in order, and each reports its own end`() async {
        let center = NativeNotificationCenter()
        let (begun, ended) = (ReceivedValues<Int>(), ReceivedValues<String>())
        let gates = [Gate(), Gate()]
        let tokens = [
            center.addObserver(for: Tick.self) { begun.append($0.number) },
            center.addObserver(on: .task, for: Tick.self) { note in
                await gates[note.number].wait()
                if note.number == 1 { throw Failed() }
            },
        ]
        for number in 0...1 {
            DeliveryWithoutWaiting.begin {
                center.post(Tick(number: number))
            } whenFinished: { receipt in
                ended.append("\(number): \(receipt.observers) \(receipt.asynchronousCalls) \(receipt.failures.count)")
            }
        }
        #expect(begun.values == [0, 1] && ended.values == [])
        gates[0].open()
        await ended.wait(for: 1)
        #expect(ended.values == ["0: 2 1 0"])
        gates[1].open()
        await ended.wait(for: 2)
        #expect(ended.values == ["0: 2 1 0", "1: 2 1 1"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a delivery waits for a hold, and the hold's error is in the receipt`() async {
        let center = NativeNotificationCenter()
        let holds = ReceivedValues<DeliveryHold?>()
        let token = center.addObserver(for: Tick.self) { _ in holds.append(hold()) }
        let receipt = Task { await center.deliver(Tick()) }
        await holds.wait(for: 1)
        let held = holds.values[0]
        #expect(held != nil)
        held?.end(error: Failed())
        held?.end()
        let failures = await receipt.value.failures
        #expect(failures.count == 1 && failures.first?.error is Failed)
        // Nothing waits for this post, so no hold is created.
        center.post(Tick())
        #expect(holds.values[1] == nil)
        withExtendedLifetime(token) {}
    }

    @Test func `a delivery ends when its hold is deallocated`() async {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Tick.self) { _ in _ = hold() }
        #expect(await center.deliver(Tick()).isComplete)
        withExtendedLifetime(token) {}
    }
}
