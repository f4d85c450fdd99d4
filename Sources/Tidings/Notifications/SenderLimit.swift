import TidingsEngine

/// The sender to which an observer is limited. The sender is an object or, in the subclass ``ValueLimit``, a value.
/// This class isn't generic, because most senders are objects, and unspecialized code looks up a generic type at each
/// use. The sender of a main-actor notification is only used on the main actor. Any other sender is `Sendable`, or was
/// passed to the filter as a `sending` argument.
@usableFromInline
class SenderLimit: @unchecked Sendable {  // for the reasons above
    final let object: SenderObject?
    final let belongsToMainActor: Bool

    init(_ object: SenderObject?, belongsToMainActor: Bool) {
        self.object = object
        self.belongsToMainActor = belongsToMainActor
    }

    var valueKey: SenderKey { .none }
}

final class ValueLimit<Sender>: SenderLimit, @unchecked Sendable {  // as above
    let target: SenderTarget<Sender>

    init(_ target: SenderTarget<Sender>, belongsToMainActor: Bool) {
        self.target = target
        super.init(nil, belongsToMainActor: belongsToMainActor)
    }

    override var valueKey: SenderKey {
        switch target {
        case .value(let value, _, _): SenderKey(of: value)
        case .key(let value): .value(value)
        case .unmatched: .none
        }
    }
}

final class SenderObject: Sendable {
    private let reference: ObjectReference
    let type: Any.Type
    let address: ObjectIdentifier

    init(_ object: AnyObject) {
        reference = ObjectReference(object)
        type = Swift.type(of: object)
        address = ObjectIdentifier(object)
    }

    var isAlive: Bool { reference.isAlive }

    /// Whether the object at ``address`` is still the sender. The caller must hold the object that is now there.
    var isAtItsAddress: Bool { reference.namesItsAddress }

    var object: AnyObject? { reference.object }

    func isSame(as sender: Any) -> Bool {
        guard case .object(let other) = SenderKey(of: sender) else { return false }
        return reference.refers(to: other)
    }
}
