public import Foundation

/// A feed reader, as its tests see it. The three versions conform.
package protocol Reader: Sendable {
    /// Makes a reader with the accounts "home" and "work", each with 100 unread articles.
    init(center: NotificationCenter)

    var log: ActivityLog { get }
    var badge: Badge { get }

    /// Marks articles of an account as read.
    func markRead(_ articleIDs: Set<String>, in account: String)

    /// Gives an account another status.
    func set(_ status: AccountStatus, of account: String)

    /// Refreshes all feeds of an account.
    func refresh(_ account: String)

    /// How many articles of an account are unread.
    func unreadCount(of account: String) -> Int

    /// How many feeds are being refreshed, and how many were.
    var refreshes: (running: Int, finished: Int) { get }

    /// Opens a pane that shows what is read, which the caller alone holds.
    func openPane() -> AnyObject
}

/// What an account may do.
package enum AccountStatus: String, Codable, Sendable { case trial, paid }

/// What was bought with an account.
package struct Entitlement: Codable, Hashable, Sendable {
    package var product: String
    package init(product: String) { self.product = product }
}

// The names and keys of the classic notifications. A plug-in observes them, too.

extension Notification.Name {
    package static let articlesRead = Notification.Name("ArticlesRead")
    package static let accountChanged = Notification.Name("AccountChanged")
    package static let refreshStarted = Notification.Name("RefreshStarted")
    package static let refreshFinished = Notification.Name("RefreshFinished")
}

/// The keys of `.accountChanged`.
package enum AccountKey: Sendable { case status, entitlements }
