import Dispatch
import Synchronization

/// Counts what arrives, and wakes who waits for the last.
final class Arrivals: Sendable {
    private let count = Atomic(0)
    private let expected: Int
    private let last = DispatchSemaphore(value: 0)

    init(_ expected: Int) { self.expected = expected }

    func note() {
        if count.add(1, ordering: .relaxed).newValue == expected { last.signal() }
    }

    /// Waits for the last.
    ///
    /// - Throws: A `Miscount` if it does not come within twenty seconds, or more come.
    func wait() throws {
        let isThere = last.wait(timeout: .now() + 20) == .success
        let found = count.load(ordering: .relaxed)
        if !isThere || found != expected { throw Miscount(found: found, expected: expected) }
    }
}

/// Work that was not done, or was done twice.
struct Miscount: Error, CustomStringConvertible {
    let found: Int
    let expected: Int
    var description: String { "\(found) messages came, of \(expected)" }
}
