import Foundation

// Whether a post comes from the sender to which an observer is limited. Objects are compared by identity. A value arrives in a classic
// post as Foundation's object for it, `NSString` for `String`, or as the raw value of an enum, so it is decoded before it is compared.

extension IncomingPost {
    /// Whether the post comes from the sender to which an observer of a notification type is limited.
    ///
    /// The sender of a classic post is that of the typed notification which the type makes from it. A post of a bridged type whose
    /// sender can't be decoded counts as coming from every sender, so that the error is reported.
    ///
    /// - Parameters:
    ///   - filter: The sender to which the observer is limited.
    ///   - type: The notification type.
    /// - Returns: Whether the observer gets the post.
    func isSent<N: TypedNotification>(by filter: SenderFilter<N.Sender>, as type: N.Type) -> Bool {
        guard filter.isLimitedToValue else { return isSent(by: filter) }
        if let value = typed?.value(as: type) { return filter.accepts(value.sender) }
        if let made = try? value(as: type) {
            if filter.accepts(made.sender) { return true }
            // The type of the sender is an existential, which decodes to the object as it is.
            return isObject(unwrapped(made.sender)) && hasObject(equalTo: filter) == true
        }
        return hasObject(equalTo: filter) ?? (N.self is any BridgedNotification.Type)
    }

    /// Whether the post comes from the sender to which an observer is limited that has no notification type, as that of a descriptor.
    ///
    /// - Parameter filter: The sender to which the observer is limited.
    /// - Returns: Whether the observer gets the post.
    func isSent<Sender>(by filter: SenderFilter<Sender>) -> Bool {
        if let sender, filter.accepts(any: sender) { return true }
        return typed == nil && filter.isLimitedToValue && hasObject(equalTo: filter) == true
    }

    /// Whether the object of the notification, decoded as the type of a filter's value, equals that value; `nil` if it can't be decoded.
    private func hasObject<Sender>(equalTo filter: SenderFilter<Sender>) -> Bool? {
        // A cast looks through the existentials that generic code puts around a value; opening one would give the next.
        guard let sender = filter.sender, let value = unwrapped(sender) as? AnyHashable else { return nil }
        func object<Value>(like value: Value) -> Any? { try? UserInfoReader(notification).object(as: Value.self) }
        return _openExistential(value.base, do: object(like:)).map(filter.accepts(any:))
    }
}
