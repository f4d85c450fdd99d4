import Dispatch
import Synchronization

/// Counts arrivals, and wakes the thread that waits for the last one.
final class Arrivals: Sendable {
    private let count = Atomic(0)
    private let expected: Int
    private let last = DispatchSemaphore(value: 0)

    private let subject: Subject

    /// - Parameters:
    ///   - expected: The expected number of arrivals.
    ///   - subject: The subject of the measurement.
    init(_ expected: Int, of subject: Subject) {
        self.expected = expected
        self.subject = subject
    }

    func note() {
        if count.add(1, ordering: .relaxed).newValue == expected { last.signal() }
    }

    /// Waits up to twenty seconds for the last arrival, and measures the duration.
    ///
    /// - Parameter work: Work that is done before the wait.
    /// - Returns: The nanoseconds of the work and the wait.
    /// - Throws: A `Miscount` if the number of arrivals isn't the expected one.
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
