import Synchronization
import Tidings

/// Checks that no call of an observer is running when its drain returns, and that no call follows.
struct Draining: WaitingActivity {
    let name = "cancel and drain"
    let world: World

    private final class State: Sendable {
        let running = Counter()
        let isOver = Atomic(false)
    }

    func step(_ random: inout RandomNumbers) async {
        let center = world.center(&random)
        let state = State()
        let capture = Captured(world.captured)
        let token = center.addObserver(for: Ping.self) { [calls = world.calls, referee = world.referee] _ in
            state.running.add(1)
            calls.add()
            referee.expect(
                !state.isOver.load(ordering: .sequentiallyConsistent), "an observer was called after its drain")
            state.running.add(-1)
            withExtendedLifetime(capture) {}
        }
        world.post(from: world.sources[0], in: center)
        await Task.yield()
        await token.cancelAndDrain()
        world.referee.expect(state.running.value == 0, "a drain returned while its observer was running")
        state.isOver.store(true, ordering: .sequentiallyConsistent)
    }
}

/// Makes deliveries, each of which has to return when every observer has finished, and not earlier.
final class Delivering: WaitingActivity {
    let name = "deliver"
    private let world: World
    private let keeper = Keeper()
    private let tokens: [NotificationToken]

    private struct Delivered: TypedNotification {
        let handled: Counter
    }

    private actor Keeper {
        var count = 0

        func keep(_ note: Delivered) {
            count += 1
            note.handled.add()
        }
    }

    init(_ world: World) {
        self.world = world
        tokens = [
            world.plain.addObserver(for: Delivered.self) { $0.handled.add() },
            world.plain.addObserver(on: .task, for: Delivered.self) { note in
                await Task.yield()
                note.handled.add()
            },
        ]
        world.plain.addObserver(keeper, on: .actor, for: Delivered.self) { keeper, note in keeper.keep(note) }
    }

    func step(_ random: inout RandomNumbers) async {
        let handled = Counter()
        let receipt = await world.plain.deliver(Delivered(handled: handled))
        world.referee.expect(
            handled.value == 3 && receipt.observers == 3 && receipt.isComplete,
            "a delivery returned when \(handled.value) of 3 observers had finished: \(receipt)")
    }
}

/// Reads sequences, which have to contain every notification in order, or count the dropped ones.
struct Reading: WaitingActivity {
    let name = "sequence"
    let world: World

    private struct Counted: TypedNotification {
        let sender: Source
        let number: Int
    }

    func step(_ random: inout RandomNumbers) async {
        let center = world.center(&random)
        let source = Source()
        let all = center.notifications(of: Counted.self, sender: source)
        let latest = center.notifications(of: Counted.self, sender: source, buffering: .latest(10))
        let count = 1 + random.below(100)
        for number in 0..<count { center.post(Counted(sender: source, number: number)) }

        var iterator = all.makeAsyncIterator()
        for number in 0..<count {
            let found = await iterator.next()?.number
            world.referee.expect(
                found == number, "a sequence returned \(found.map(String.init) ?? "nothing") instead of \(number)")
        }
        let kept = min(count, 10)
        var latestIterator = latest.makeAsyncIterator()
        let first = await latestIterator.next()?.number
        world.referee.expect(
            first == count - kept && latest.droppedCount == count - kept,
            "a sequence dropped \(latest.droppedCount) of \(count), and began with \(first.map(String.init) ?? "none")")
    }
}
