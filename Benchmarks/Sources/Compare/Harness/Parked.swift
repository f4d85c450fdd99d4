import Foundation

/// A thread that is idle as long as the program runs. Without a second thread, C++ libraries skip their atomic
/// operations, and reach figures that no program with threads can reach.
enum Parked {
    static func begin() {
        Thread { DispatchSemaphore(value: 0).wait() }.start()
    }
}
