import Testing
import Tidings
import TidingsOutbox

/// Records what a series of random programs and their observers have done, for every kind of database.
enum RandomHistory {
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }

        /// Returns a separate generator for a task that runs at the same time.
        mutating func split() -> Generator { Generator(state: next()) }
    }

    /// The posts and handled notifications of all programs so far.
    struct Past: Sendable {
        var posted = 0
        var committed: Set<Int> = []
        var rolledBack: Set<Int> = []
        /// The numbers handled by the observer that is ordered by key.
        var handled: Set<Int> = []
        /// The last new number of each key.
        var lastOfKey: [Int: Int] = [:]
        /// The notifications handled by the observer whose dead letters are redriven.
        var sentAgain: Set<Int> = []
        var broken: String?

        mutating func handle(_ stored: StoredNotification<Placed>) {
            let number = stored.notification.number
            guard handled.insert(number).inserted else {
                if !stored.mayBeRepeated { broken = "\(number) was repeated without a mark" }
                return
            }
            if number < lastOfKey[number % 3, default: 0] { broken = "\(number) was out of order" }
            lastOfKey[number % 3] = number
        }
    }

    final class Record: Sendable {
        let past: Lock<Past>
        let crash = Lock<(left: Int?, past: Past?)>((nil, nil))
        init(_ past: Past) { self.past = Lock(past) }
    }

    actor Ordered {
        private let record: Record
        private(set) var calls = 0
        init(_ record: Record) { self.record = record }
        func handle(_ stored: StoredNotification<Placed>) throws {
            calls += 1
            if calls % 7 == 3 { throw Refused() }
            record.past.withLock { $0.handle(stored) }
        }
    }

    actor Burying {
        private let record: Record
        private let fails: Bool
        private(set) var calls = 0
        init(_ record: Record, fails: Bool) { (self.record, self.fails) = (record, fails) }
        func handle(_ note: Placed) throws {
            calls += 1
            if fails && note.number % 4 == 0 { throw Refused() }
            record.past.withLock { _ = $0.sentAgain.insert(note.number) }
        }
    }
}
