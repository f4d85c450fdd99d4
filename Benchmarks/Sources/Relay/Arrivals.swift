import Dispatch
import Synchronization

final class Arrivals: Sendable {
    private let count = Atomic(0)
    private let expected: Int
    private let last = DispatchSemaphore(value: 0)

    private let subject: Subject

    init(_ expected: Int, of subject: Subject) {
        self.expected = expected
        self.subject = subject
    }

    func note() {
        if count.add(1, ordering: .relaxed).newValue == expected { last.signal() }
    }

    /// Does the work, and waits up to twenty seconds for the last arrival. Throws a `Miscount` if the number of
    /// arrivals is wrong.
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
