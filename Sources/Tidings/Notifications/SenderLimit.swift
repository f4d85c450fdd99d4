import TidingsEngine

/// What observers are limited to: one object; else it is a ``ValueLimit``. Not generic, as the runtime looks up a generic type each time
/// that code uses it which is not compiled for its parameter, and most senders are objects.
///
/// The limit of a plain notification is only made with a `Sendable` sender. The limit of a main-actor notification uses its sender
/// on the main actor only.
@usableFromInline
class SenderLimit: @unchecked Sendable {  // for the reasons above
    final let object: SenderObject?
    final let belongsToMainActor: Bool

    init(_ object: SenderObject?, belongsToMainActor: Bool) {
        self.object = object
        self.belongsToMainActor = belongsToMainActor
    }
}

/// What observers are limited to, if it is not one object.
final class ValueLimit<Sender>: SenderLimit, @unchecked Sendable {  // as above
    let target: SenderFilter<Sender>.Target

    init(_ target: SenderFilter<Sender>.Target, belongsToMainActor: Bool) {
        self.target = target
        super.init(nil, belongsToMainActor: belongsToMainActor)
    }
}

/// An object to which observers are limited, and its name, which can be told when it is gone.
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

    /// Whether an object that the caller holds, and that has the address of this one, is this one.
    var isAtItsAddress: Bool { reference.namesItsAddress }

    /// The object; `nil` if it is dead.
    var object: AnyObject? { reference.object }

    /// Whether a sender is this object.
    func isSame(as sender: Any) -> Bool {
        guard case .object(let other) = SenderKey(of: sender) else { return false }
        return reference.refers(to: other)
    }
}
