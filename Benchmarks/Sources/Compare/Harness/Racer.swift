import CMachine
import Foundation
import Synchronization

/// A thread that lives as long as the program and runs the work that it is given, on its own core if there are enough
/// cores. If each sample created a thread, the sample would include costs of that thread, such as its part of the heap.
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
