/// The notification types whose sequences a delivery waits for. `deliver` waits for no sequence, because a consumer may
/// never request another element. A relay waits for sequences, because it redelivers a notification that a consumer
/// didn't handle.
@usableFromInline
package struct AwaitedSequences: Sendable {
    private let types: (ObjectIdentifier, ObjectIdentifier)

    package init(of first: Any.Type, _ second: Any.Type) {
        types = (ObjectIdentifier(first), ObjectIdentifier(second))
    }

    @usableFromInline static var areThere: Bool { CallContext.current?.awaitedSequences != nil }

    func contains(_ type: Any.Type) -> Bool {
        types.0 == ObjectIdentifier(type) || types.1 == ObjectIdentifier(type)
    }
}

/// Whether a delivery has ever waited for sequences. Until then, a sequence doesn't check whether a new element belongs
/// to a delivery. Accesses are relaxed, because the thread that stores `true` also makes the post that needs the value.
@usableFromInline let sequencesAreAwaited = AtomicByte(false)

extension DeliveryScope {
    static func enterSequence(
        _ mailbox: ObjectIdentifier, _ type: Any.Type, of observer: DeliveryReceipt.Observer?
    ) -> DeliveryScope {
        guard let context = CallContext.current, let window = context.window,
            context.awaitedSequences?.contains(type) == true
        else { return .none }
        return WaitGraph.enter(window, mailbox: mailbox, of: observer)
    }
}

struct SequenceEnded: Error, CustomStringConvertible {
    var description: String { "the consumer of the sequence stopped before it handled the notification" }
}
