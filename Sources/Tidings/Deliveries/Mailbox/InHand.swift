public import Synchronization

/// How many elements a turn has taken out of a mailbox and not yet handled.
///
/// A turn takes all there is and handles it without a lock, so this is what tells others how many wait. It is written for
/// each element, so it lies in cache lines of its own: those of the mailbox belong to who fills it.
@usableFromInline
final class InHand: Sendable {
    /// Keeps the neighbours in memory at a distance.
    private let before: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
    @usableFromInline let number = Atomic(0)
    private let after: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)

    @usableFromInline
    init() {}

    @inlinable var count: Int { number.load(ordering: .relaxed) }

    @inlinable
    func note(_ count: Int) { number.store(count, ordering: .relaxed) }
}
