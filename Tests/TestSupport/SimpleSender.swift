/// What a `SimpleCenter` knows about a sender: the object, held weakly, or the value.
struct SimpleSender: @unchecked Sendable {  // an object is only compared by identity, a value only by equality
    private weak let object: AnyObject?
    private let isObject: Bool
    private let value: AnyHashable?
    /// Whether there is no sender: `nil`, or `Void`.
    let isNone: Bool

    init(_ sender: Any?) {
        var sender = sender
        while let value = sender, let optional = value as? any SimpleOptional { sender = optional.simplyUnwrapped }
        let object = sender.flatMap { type(of: $0) is AnyObject.Type ? $0 as AnyObject : nil }
        self.object = object
        isObject = object != nil
        value = isObject ? nil : (sender as? any Hashable).map { AnyHashable($0) }
        isNone = sender == nil || sender is Void
    }

    /// Whether the sender was an object that is no longer there.
    var isGone: Bool { isObject && object == nil }

    func isSame(as other: SimpleSender) -> Bool {
        if let object { return object === other.object }
        return value != nil && value == other.value
    }
}

/// An optional of whatever type, so that it can be unwrapped at run time.
private protocol SimpleOptional {
    var simplyUnwrapped: Any? { get }
}

extension Optional: SimpleOptional {
    fileprivate var simplyUnwrapped: Any? { self }
}
