import TidingsEngine

/// The limit of a filter: an object, or a value, in which case this is a ``ValueLimit``. The class isn't generic,
/// because unspecialized code looks up a generic type at each use, and most senders are objects. A main-actor
/// notification's sender is only used on the main actor. Any other sender is `Sendable`, or was sent to the filter.
@usableFromInline
class SenderLimit: @unchecked Sendable {  // for the reasons above
    final let object: SenderObject?
    final let belongsToMainActor: Bool

    init(_ object: SenderObject?, belongsToMainActor: Bool) {
        self.object = object
        self.belongsToMainActor = belongsToMainActor
    }

    /// The value as a key, which can be compared with values of any type; none for an object.
    var valueKey: SenderKey { .none }
}

final class ValueLimit<Sender>: SenderLimit, @unchecked Sendable {  // as above
    let target: SenderFilter<Sender>.Target

    init(_ target: SenderFilter<Sender>.Target, belongsToMainActor: Bool) {
        self.target = target
        super.init(nil, belongsToMainActor: belongsToMainActor)
    }

    override var valueKey: SenderKey {
        switch target {
        case .value(let value, _, _): SenderKey(of: value)
        case .key(let value): .value(value)
        case .object, .unmatched: .none
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

    /// Whether the sender is still the object at ``address``. The caller has to hold the object that is there now.
    var isAtItsAddress: Bool { reference.namesItsAddress }

    var object: AnyObject? { reference.object }

    func isSame(as sender: Any) -> Bool {
        guard case .object(let other) = SenderKey(of: sender) else { return false }
        return reference.refers(to: other)
    }
}
