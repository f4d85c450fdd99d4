/// The sequences for which a delivery waits: those of the types that it posts.
///
/// What a sequence was given has been dealt with when its consumer asks for the next. `deliver` waits for no sequence, as a
/// consumer may never ask; a relay does, as a notification that a consumer did not deal with is to be delivered again.
@usableFromInline
package struct AwaitedSequences: Sendable {
    private let types: (ObjectIdentifier, ObjectIdentifier)

    /// - Parameters:
    ///   - first: A notification type.
    ///   - second: Another one.
    package init(of first: Any.Type, _ second: Any.Type) {
        types = (ObjectIdentifier(first), ObjectIdentifier(second))
    }

    /// Whether the caller is in the post of a delivery that waits for sequences.
    @usableFromInline static var areThere: Bool { CallContext.current?.awaitedSequences != nil }

    /// Whether the sequences of a type are waited for.
    func contains(_ type: Any.Type) -> Bool {
        types.0 == ObjectIdentifier(type) || types.1 == ObjectIdentifier(type)
    }
}

/// Whether there ever was a delivery in the process that waits for sequences. Read by each put into a sequence, which otherwise
/// asks no further.
///
/// Relaxed is enough: the post that has to see it is made by the thread that stored it, after that.
@usableFromInline let sequencesAreAwaited = AtomicByte(false)

extension DeliveryScope {
    /// Adds a notification that is about to wait in a sequence to the delivery that the caller is part of.
    ///
    /// - Parameters:
    ///   - mailbox: The mailbox of one of the sequence's iterators.
    ///   - type: The type of the notification.
    ///   - observer: The sequence, to be named in the receipt.
    /// - Returns: The scope of that delivery; ``none`` if it does not wait for the sequence.
    static func enterSequence(
        _ mailbox: ObjectIdentifier, _ type: Any.Type, of observer: DeliveryReceipt.Observer?
    ) -> DeliveryScope {
        guard let context = CallContext.current, let window = context.window,
            context.awaitedSequences?.contains(type) == true
        else { return .none }
        return WaitGraph.enter(window, mailbox: mailbox, of: observer)
    }
}

/// Why a delivery that waits for sequences has failed.
struct SequenceEnded: Error, CustomStringConvertible {
    var description: String { "the sequence was let go of before it had dealt with the notification" }
}
