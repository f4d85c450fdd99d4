import TestSupport
import Tidings

/// Checks that numbers arrive in order, without gaps or repetitions, and are handled one at a time.
final class InOrder: Sendable {
    /// A gate that the last number opens.
    let isComplete = Gate()

    private let count: Int
    private let next = Atomic(0)
    private let isBusy = AtomicByte(false)
    private let faultCount = Atomic(0)

    init(count: Int) { self.count = count }

    /// How many numbers were out of order, or arrived while another number was being handled.
    var faults: Int { faultCount.load(ordering: .acquiring) }

    func begin(_ number: Int) {
        if isBusy.exchange(true, ordering: .acquiringAndReleasing) { faultCount.wrappingAdd(1, ordering: .relaxed) }
        if next.exchange(number + 1, ordering: .relaxed) != number { faultCount.wrappingAdd(1, ordering: .relaxed) }
    }

    func end(_ number: Int) {
        isBusy.store(false, ordering: .releasing)
        if number == count - 1 { isComplete.open() }
    }
}
