import Foundation

/// A thread that is idle as long as the program runs. Without a second living thread, C++ libraries skip their atomic
/// operations, and would show figures that no program with threads can reach.
enum Parked {
    static func begin() {
        Thread { DispatchSemaphore(value: 0).wait() }.start()
    }
}
