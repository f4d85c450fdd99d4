import Synchronization
import Tidings

/// A message of the bus. Letters are numbered per slot: each thread of the ``Crew`` has a slot, which a later thread
/// reuses.
struct Letter: Sendable {
    let slot: Int
    let number: Int
}

/// Threads that dispatch to a bus, and the consumers of the bus. Each consumer has to receive every message, the
/// messages from one thread have to be in order, and all consumers have to receive the messages in the same order.
final class Dispatching: Activity {
    let name = "bus"
    private let bus = MessageBus<Letter>()
    private let referee: Referee
    private let readers: [Reader]

    /// The number of letters sent from each slot. Only the slot's thread writes it, and the slot's next thread starts
    /// after the previous one has ended.
    private let sent = (0..<Crew.size).map { _ in Counter() }
    private let dispatched = Counter()

    /// The maximum number of queued letters. Nothing else keeps threads from sending faster than actors read.
    private static let room = 10_000

    private actor Reader: MessageConsumer {
        private var next = [Int](repeating: 0, count: Crew.size)
        /// A hash of the order of the letters. Only the actor changes it, before it counts a letter as read.
        nonisolated let order = Atomic<UInt64>(0)
        private let referee: Referee
        nonisolated let read = Counter()

        init(_ referee: Referee) { self.referee = referee }

        func consume(_ letter: Letter) {
            let expected = next[letter.slot]
            referee.expect(letter.number == expected, "letter \(letter.number) arrived instead of \(expected)")
            next[letter.slot] = letter.number + 1
            let order = order.load(ordering: .relaxed)
            self.order.store((order &+ UInt64(letter.slot) &+ 1) &* 0x100_0000_01B3, ordering: .relaxed)
            read.add()
        }
    }

    private final class Guest: MessageConsumer {
        func consume(_ letter: Letter) {}
    }

    init(_ referee: Referee) {
        self.referee = referee
        readers = (0..<3).map { _ in Reader(referee) }
        for reader in readers { bus.add(reader) }
    }

    /// The number of letters that the slowest consumer has read.
    var read: Int { readers.map(\.read.value).min() ?? 0 }

    func step(in slot: Int, _ random: inout RandomNumbers) {
        // A guest is a consumer for a single step, and only a few steps have one. A guest that isn't removed is
        // deallocated, and a later call of `dispatch` or `add` removes it from the bus.
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

    var isEmpty: Bool { read == dispatched.value }

    /// Checks the totals. Call this when all letters have been read.
    func judge() {
        let orders = Set(readers.map { $0.order.load(ordering: .relaxed) })
        referee.expect(orders.count == 1, "the consumers of a bus have read \(orders.count) different orders")
        referee.expect(isEmpty, "\(dispatched.value) letters were sent, \(read) read")
    }
}
