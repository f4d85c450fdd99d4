import CMachine
import Foundation
import Synchronization

/// A thread that lives as long as the program, on a core of its own as far as there are any, and runs what it is given.
///
/// A thread made for each sample would be measured with what a new thread costs, such as its part of the heap.
final class Racer: Sendable {
    private static let all = Mutex<[Racer]>([])

    private let work = Mutex<(@Sendable () -> Void)?>(nil)
    private let wake = DispatchSemaphore(value: 0)

    private init(core: Int) {
        Thread { [self] in
            machine_pin(Int32(core))
            while true {
                wake.wait()
                work.withLock { $0.take() }?()
            }
        }
        .start()
    }

    /// The first threads, made where there are not that many yet.
    static func first(_ count: Int) -> ArraySlice<Racer> {
        all.withLock { all in
            while all.count < count { all.append(Racer(core: all.count)) }
            return all.prefix(count)
        }
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        self.work.withLock { $0 = work }
        wake.signal()
    }
}
