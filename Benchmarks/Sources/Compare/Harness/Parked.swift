import Foundation

/// A thread that is idle as long as the program runs. In a program with one thread, C++ libraries skip their atomic
/// operations, and would be faster than in any program with several threads.
enum Parked {
    static func begin() {
        Thread { DispatchSemaphore(value: 0).wait() }.start()
    }
}
