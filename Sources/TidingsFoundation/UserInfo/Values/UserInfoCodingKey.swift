/// A coding key for a `userInfo` whose keys are not strings: says for each which one it stands for.
///
/// Classic code may use the cases of an enum, or any other `Hashable` value, as keys. One line for each makes such a notification
/// typed:
///
/// ```swift
/// enum SubscriptionKey { case subscription, entitlements }  // of the classic code
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
/// ``UserInfoDecoder`` and ``UserInfoEncoder`` use it instead of the string. Other coders know the string alone.
public protocol UserInfoCodingKey: CodingKey {
    /// The key of `userInfo`. Two coding keys of one type have two.
    var userInfoKey: AnyHashable { get }
}

extension CodingKey {
    /// The key of `userInfo`, where that is not the string.
    var ownUserInfoKey: AnyHashable? { (self as? any UserInfoCodingKey)?.userInfoKey }

    /// Whether keys of this type may have keys of `userInfo` that are not their strings. To ask it once is cheaper than to ask
    /// each key.
    static var haveOwnUserInfoKeys: Bool { self is any UserInfoCodingKey.Type }
}
