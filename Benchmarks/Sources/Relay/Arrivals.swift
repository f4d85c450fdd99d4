import Dispatch
import Synchronization

/// Counts what arrives, and wakes who waits for the last.
final class Arrivals: Sendable {
    private let count = Atomic(0)
    private let expected: Int
    private let last = DispatchSemaphore(value: 0)

    private let subject: Subject

    /// - Parameters:
    ///   - expected: How many will come.
    ///   - subject: Who is measured.
    init(_ expected: Int, of subject: Subject) {
        self.expected = expected
        self.subject = subject
    }

    func note() {
        if count.add(1, ordering: .relaxed).newValue == expected { last.signal() }
    }

    /// Waits for the last, for twenty seconds, and measures how long that took.
    ///
    /// - Parameter work: What is done before.
    /// - Returns: The nanoseconds, of the work and the waiting.
    /// - Throws: A `Miscount` if not all came, or more.
    func measure(_ work: () -> Void = {}) throws -> Sample {
        let began = ContinuousClock.now
        work()
        _ = last.wait(timeout: .now() + 20)
        let sample = Sample(value: began.duration(to: .now).nanoseconds)
        let found = count.load(ordering: .relaxed)
        try Miscount.check(subject, found, expected)
        return sample
    }
}
