/// The sequences that a delivery waits for: those of the types that it posts.
///
/// An element of a sequence counts as handled when the consumer requests the next one. `deliver` doesn't wait for
/// sequences, because a consumer may never request another element. A relay does, because it has to redeliver a
/// notification that a consumer didn't handle.
@usableFromInline
package struct AwaitedSequences: Sendable {
    private let types: (ObjectIdentifier, ObjectIdentifier)

    package init(of first: Any.Type, _ second: Any.Type) {
        types = (ObjectIdentifier(first), ObjectIdentifier(second))
    }

    /// Whether the caller is in the post of a delivery that waits for sequences.
    @usableFromInline static var areThere: Bool { CallContext.current?.awaitedSequences != nil }

    func contains(_ type: Any.Type) -> Bool {
        types.0 == ObjectIdentifier(type) || types.1 == ObjectIdentifier(type)
    }
}

/// Whether the process has ever made a delivery that waits for sequences. Each put into a sequence reads it, and does
/// nothing further if it is `false`.
///
/// Relaxed is sufficient: the post that has to see the value is made later by the same thread that stored it.
@usableFromInline let sequencesAreAwaited = AtomicByte(false)

extension DeliveryScope {
    /// Adds a notification that is about to be queued in a sequence to the delivery that the caller is part of.
    ///
    /// Returns the scope of that delivery; ``none`` if it doesn't wait for the sequence.
    static func enterSequence(
        _ mailbox: ObjectIdentifier, _ type: Any.Type, of observer: DeliveryReceipt.Observer?
    ) -> DeliveryScope {
        guard let context = CallContext.current, let window = context.window,
            context.awaitedSequences?.contains(type) == true
        else { return .none }
        return WaitGraph.enter(window, mailbox: mailbox, of: observer)
    }
}

/// The failure of a delivery that waits for sequences.
struct SequenceEnded: Error, CustomStringConvertible {
    var description: String { "the sequence was released before it handled the notification" }
}
