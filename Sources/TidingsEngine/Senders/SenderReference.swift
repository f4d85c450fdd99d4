/// The sender to which a roster is limited, held weakly if it is an object.
enum SenderReference: @unchecked Sendable {  // an object is only compared with nil, a value is immutable
    /// Every sender.
    case everyone
    /// An object, by identity.
    case object(WeakObject)
    /// A value, by equality.
    case value(AnyHashable)
    /// A sender that is the same as no other.
    case unmatched

    init(_ identity: SenderIdentity) {
        self =
            switch identity {
            case .none: .everyone
            case .object(let object): .object(WeakObject(object: object))
            case .value(let value, _): .value(value)
            case .unmatched: .unmatched
            }
    }

    struct WeakObject {
        weak let object: AnyObject?
    }

    /// Whether the sender can still post. An object that is gone is followed by none, even at the same address.
    var isAlive: Bool {
        if case .object(let reference) = self { reference.object != nil } else { true }
    }

    /// Whether the sender may die before its observers are cancelled.
    var isMortal: Bool {
        if case .object = self { true } else { false }
    }

    /// Whether the sender is alive, and the same as another one with its tag.
    func isSame(as identity: SenderIdentity) -> Bool {
        switch (self, identity) {
        case (.value(let mine), .value(let other, _)): mine == other
        case (.object, .object): isAlive
        default: false
        }
    }
}
