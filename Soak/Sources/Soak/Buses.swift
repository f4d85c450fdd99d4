import Synchronization
import Tidings

/// What a thread sends, numbered for each slot of the crew.
struct Letter: Sendable {
    let slot: Int
    let number: Int
}

/// Threads that dispatch to a bus, and consumers, of which each gets everything, in the order dispatched, and all get the same order.
final class Dispatching: Activity {
    let name = "bus"
    private let bus = MessageBus<Letter>()
    private let referee: Referee
    private let readers: [Reader]

    /// How many letters were sent from each slot. Only its thread writes it, and the next thread in the slot comes after it.
    private let sent = (0..<Crew.size).map { _ in Counter() }
    private let dispatched = Counter()

    /// The most letters that may wait: nothing but this keeps threads from sending faster than actors read.
    private static let room = 10_000

    private actor Reader: MessageConsumer {
        private var next = [Int](repeating: 0, count: Crew.size)
        /// Another value for every order. The actor alone writes it; whoever sees that all was read sees it.
        nonisolated let order = Atomic<UInt64>(0)
        private let referee: Referee
        nonisolated let read = Counter()

        init(_ referee: Referee) { self.referee = referee }

        func consume(_ letter: Letter) {
            let expected = next[letter.slot]
            referee.expect(letter.number == expected, "letter \(letter.number) came in the place of \(expected)")
            next[letter.slot] = letter.number + 1
            let order = order.load(ordering: .relaxed)
            self.order.store((order &+ UInt64(letter.slot) &+ 1) &* 0x100_0000_01B3, ordering: .relaxed)
            read.add()
        }
    }

    /// A consumer that comes and goes.
    private final class Guest: MessageConsumer {
        func consume(_ letter: Letter) {}
    }

    init(_ referee: Referee) {
        self.referee = referee
        readers = (0..<3).map { _ in Reader(referee) }
        for reader in readers { bus.add(reader) }
    }

    /// How many letters the slowest consumer has read.
    var read: Int { readers.map(\.read.value).min() ?? 0 }

    func step(in slot: Int, _ random: inout RandomNumbers) {
        // Seldom: a consumer that dies is found by the next one that is added.
        let guest = Guest()
        let isVisiting = random.below(100) == 0
        if isVisiting { bus.add(guest) }
        if dispatched.value - read < Dispatching.room {
            bus.dispatch(Letter(slot: slot, number: sent[slot].value))
            sent[slot].add()
            dispatched.add()
        }
        if isVisiting, random.below(2) == 0 { bus.remove(guest) }
        withExtendedLifetime(guest) {}
    }

    /// Whether everything that was dispatched has been read.
    var isEmpty: Bool { read == dispatched.value }

    /// What has to hold when everything has been read.
    func judge() {
        let orders = Set(readers.map { $0.order.load(ordering: .relaxed) })
        referee.expect(orders.count == 1, "the consumers of a bus have read \(orders.count) different orders")
        referee.expect(isEmpty, "\(dispatched.value) letters were sent, \(read) read")
    }
}
