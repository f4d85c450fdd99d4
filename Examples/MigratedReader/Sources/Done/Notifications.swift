import Program
import TidingsFoundation

// A plug-in observes these notifications, so they keep their names and keys.

/// Articles of an account were read.
struct ArticlesRead: BridgedNotification, Codable {
    static let name = "ArticlesRead"
    @NotificationSender var sender: Account
    var articleIDs: Set<String>
}

/// The status of an account has changed. The keys of the values in `userInfo` are cases of the enum `AccountKey`.
struct AccountChanged: BridgedNotification, Codable {
    static let name = "AccountChanged"
    @NotificationSender var sender: Account
    var status: AccountStatus
    var entitlements: [Entitlement]

    enum CodingKeys: UserInfoCodingKey {
        case sender, status, entitlements
        var userInfoKey: AnyHashable {
            switch self {
            case .sender: "sender"
            case .status: AccountKey.status
            case .entitlements: AccountKey.entitlements
            }
        }
    }
}

/// A refresh has started or finished: two names with one payload.
struct RefreshChanged: BridgedNotification, NotificationFamily, Codable {
    enum Event: String, CaseIterable {
        case started = "RefreshStarted"
        case finished = "RefreshFinished"
    }
    @FamilyEvent var event: Event
    @NotificationSender var sender: Account?
    var feeds: Int
}
