/// What makes two senders the same one.
@usableFromInline
enum SenderIdentity: @unchecked Sendable {  // an object is only compared by identity, a value is immutable
    /// No sender: `Void` or `nil`.
    case none
    /// An object, by identity.
    case object(AnyObject)
    /// A value, by equality; with its tag, as the user's `hash(into:)` must not be called under a lock.
    case value(AnyHashable, tag: UInt)
    /// Neither an object nor `Hashable`: the same as no other.
    case unmatched

    /// Decides by the static type where that settles it, by the value otherwise.
    @usableFromInline
    init<Sender>(of sender: Sender) {
        if Sender.self == Void.self {
            self = .none
        } else if Sender.self is AnyObject.Type {
            self = .object(sender as AnyObject)
        } else {
            self.init(dynamic: sender)
        }
    }

    private init(dynamic sender: Any) {
        if let optional = sender as? any OptionalValue {
            guard let wrapped = optional.wrapped else {
                self = .none
                return
            }
            self.init(dynamic: wrapped)
        } else if sender is Void {
            self = .none
        } else if type(of: sender) is AnyObject.Type {
            self = .object(sender as AnyObject)
        } else if let value = sender as? any Hashable {
            let value = AnyHashable(value)
            self = .value(value, tag: UInt(bitPattern: value.hashValue) | 1)
        } else {
            self = .unmatched
        }
    }

    /// A word under which observers of the sender are indexed: an object's address, which is even, or a value's hash, made
    /// odd. It is never 0; `nil` if nothing can be indexed.
    var tag: UInt? {
        switch self {
        case .none, .unmatched: nil
        case .object(let object): UInt(bitPattern: ObjectIdentifier(object))
        case .value(_, let tag): tag
        }
    }
}

/// An optional of whatever type, so that it can be unwrapped at run time.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}
