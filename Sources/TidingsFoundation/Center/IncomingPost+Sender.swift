import Foundation

// Objects are compared by identity. If the post was made with Foundation's own API, a value arrives as a Foundation
// object (`NSString` for `String`) or as the raw value of an enum, so it is decoded before it is compared.

extension IncomingPost {
    /// Whether the filter accepts the sender. An untyped post is decoded as `type` to find its sender. If that fails,
    /// only its object is decoded. If both fail for a bridged type, returns `true`, so the observer reports the error.
    func isSent<N: TypedNotification>(by filter: SenderFilter<N.Sender>, as type: N.Type) -> Bool {
        guard filter.isLimitedToValue else { return isSent(by: filter) }
        if let value = typed?.value(as: type) { return filter.accepts(value.sender) }
        if let made = try? value(as: type) {
            if filter.accepts(made.sender) { return true }
            // With an existential sender type, `made.sender` may be an `NSString` where the filter has a `String`.
            return isObject(unwrapped(made.sender)) && hasObject(equalTo: filter) == true
        }
        return hasObject(equalTo: filter) ?? (N.self is any BridgedNotification.Type)
    }

    /// Whether the filter accepts the sender. If the filter has a value, the object of an untyped post is decoded as
    /// the type of this value.
    func isSent<Sender>(by filter: SenderFilter<Sender>) -> Bool {
        if let sender, filter.accepts(any: sender) { return true }
        return typed == nil && filter.isLimitedToValue && hasObject(equalTo: filter) == true
    }

    /// Whether the notification's object, decoded as the type of the filter's value, equals that value. `nil` if the
    /// object can't be decoded.
    private func hasObject<Sender>(equalTo filter: SenderFilter<Sender>) -> Bool? {
        // A value may be wrapped in several existentials. A cast unwraps all of them, but opening unwraps only one.
        guard let sender = filter.sender, let value = unwrapped(sender) as? AnyHashable else { return nil }
        func object<Value>(like value: Value) -> Any? { try? UserInfoReader(notification).object(as: Value.self) }
        return _openExistential(value.base, do: object(like:)).map(filter.accepts(any:))
    }
}
