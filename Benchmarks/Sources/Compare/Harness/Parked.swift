import Foundation

/// A thread that does nothing for as long as the program runs.
///
/// Without a second thread alive, C++ libraries skip their atomic operations, and would be measured at something that no
/// program with threads gets.
enum Parked {
    static func begin() {
        Thread { DispatchSemaphore(value: 0).wait() }.start()
    }
}
