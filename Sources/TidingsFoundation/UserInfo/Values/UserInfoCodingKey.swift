/// A coding key for a `userInfo` whose keys aren't strings. It provides the key in `userInfo` for each case.
///
/// Untyped code may use the cases of an enum, or other `Hashable` values, as keys. To describe such a notification as a
/// type, map each coding key to its key in `userInfo`:
///
/// ```swift
/// enum SubscriptionKey { case subscription, entitlements }  // of the untyped code
///
/// struct SubscriptionChanged: BridgedNotification, Codable {
///     var subscription: Subscription
///     var entitlements: [Entitlement]
///
///     enum CodingKeys: UserInfoCodingKey {
///         case subscription, entitlements
///
///         var userInfoKey: AnyHashable {
///             switch self {
///             case .subscription: SubscriptionKey.subscription
///             case .entitlements: SubscriptionKey.entitlements
///             }
///         }
///     }
/// }
/// ```
///
/// ``UserInfoDecoder`` and ``UserInfoEncoder`` use ``userInfoKey`` as the key. Other coders use `stringValue`.
public protocol UserInfoCodingKey: CodingKey {
    /// The key in `userInfo`. It must be different for each coding key of a type.
    var userInfoKey: AnyHashable { get }
}

extension CodingKey {
    var ownUserInfoKey: AnyHashable? { (self as? any UserInfoCodingKey)?.userInfoKey }

    /// Whether the keys of this type have a `userInfoKey`. Checking the type is cheaper than checking each key.
    static var haveOwnUserInfoKeys: Bool { self is any UserInfoCodingKey.Type }
}
