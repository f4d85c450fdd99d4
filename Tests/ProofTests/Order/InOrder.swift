import TestSupport
import Tidings

/// Watches whether numbers arrive one after the other: none missing, none twice, none swapped, and no two at a time.
final class InOrder: Sendable {
    /// Opened by the last number.
    let isComplete = Gate()

    private let count: Int
    private let next = Atomic(0)
    private let isBusy = AtomicByte(false)
    private let faultCount = Atomic(0)

    init(count: Int) { self.count = count }

    /// How often a number was not the next one, or came while another one was being handled.
    var faults: Int { faultCount.load(ordering: .acquiring) }

    /// Notes that the handling of a number begins.
    func begin(_ number: Int) {
        if isBusy.exchange(true, ordering: .acquiringAndReleasing) { faultCount.wrappingAdd(1, ordering: .relaxed) }
        if next.exchange(number + 1, ordering: .relaxed) != number { faultCount.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Notes that the handling of a number ends.
    func end(_ number: Int) {
        isBusy.store(false, ordering: .releasing)
        if number == count - 1 { isComplete.open() }
    }
}
