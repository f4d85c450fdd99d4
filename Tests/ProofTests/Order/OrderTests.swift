import Foundation
import TestSupport
import Testing
import Tidings

private struct Counted: TypedNotification { let number: Int }

private actor Taker {}

private final class Consumer: MessageConsumer {
    let order: InOrder

    init(_ order: InOrder) { self.order = order }

    func consume(_ number: Int) async {
        order.begin(number)
        if number.isMultiple(of: 1000) { await Task.yield() }
        order.end(number)
    }
}

/// Every kind of asynchronous observer receives the posts of a task in order. A test makes up to 100,000 posts.
/// `TIDINGS_ORDER_RUNS` sets the number of runs.
@Suite(.offThePool, .serialized) struct OrderTests {
    private static let count = repetitions(100_000)
    private static let runs = ProcessInfo.processInfo.environment["TIDINGS_ORDER_RUNS"].flatMap(Int.init) ?? 2

    @Test(arguments: 1...runs)
    func `promise 2, order: notifications arrive in order at every kind of observer, in every run`(
        run: Int
    ) async {
        let (center, bus) = (NativeNotificationCenter(), MessageBus<Int>())
        let (inActor, onMain, inTask) = (
            InOrder(count: Self.count), InOrder(count: Self.count), InOrder(count: Self.count)
        )
        let (inSequence, onBus) = (InOrder(count: Self.count), InOrder(count: Self.count))
        let (actor, consumer) = (Taker(), Consumer(onBus))
        center.addObserver(actor, on: .actor, for: Counted.self) { _, note in
            inActor.begin(note.number)
            inActor.end(note.number)
        }
        let tokens = [
            center.addObserver(on: .main, for: Counted.self) { note in
                onMain.begin(note.number)
                onMain.end(note.number)
            },
            center.addObserver(on: .task, for: Counted.self) { note in
                inTask.begin(note.number)
                if note.number.isMultiple(of: 1000) { await Task.yield() }
                inTask.end(note.number)
            },
        ]
        let notes = center.notifications(of: Counted.self)
        let reading = Task {
            for await note in notes {
                inSequence.begin(note.number)
                inSequence.end(note.number)
                if note.number == Self.count - 1 { break }
            }
        }
        bus.add(consumer)
        await Task {
            for number in 0..<Self.count {
                center.post(Counted(number: number))
                bus.dispatch(number)
            }
        }.value
        for order in [inActor, onMain, inTask, inSequence, onBus] {
            await order.isComplete.wait()
            #expect(order.faults == 0)
        }
        await reading.value
        withExtendedLifetime((tokens, actor, consumer)) {}
    }

    @Test(arguments: [[1, 0, 2], [0, 2], [0, 0, 1, 2], [0, 1, 1, 2]])
    func `InOrder counts numbers in the wrong order as faults`(numbers: [Int]) {
        let order = InOrder(count: 3)
        for number in numbers {
            order.begin(number)
            order.end(number)
        }
        #expect(order.faults > 0)
    }

    @Test func `InOrder counts it as a fault if a number arrives while another number is being handled`() {
        let order = InOrder(count: 2)
        order.begin(0)
        order.begin(1)
        #expect(order.faults == 1)
    }
}
