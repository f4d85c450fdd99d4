public import Synchronization

/// How many notifications of one type were dropped by the buffering policies of its observers in one center.
@usableFromInline
package final class DropCounter: Sendable {
    @usableFromInline let number = Atomic(0)

    package init() {}

    package var count: Int { number.load(ordering: .relaxed) }

    /// Counts one more.
    @inlinable
    package func add() { number.wrappingAdd(1, ordering: .relaxed) }
}
