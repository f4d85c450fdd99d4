public import Foundation

/// The interface of the feed reader that the tests use. Three versions conform.
package protocol Reader: Sendable {
    /// Creates a reader with the accounts "home" and "work", each with 100 unread articles.
    init(center: NotificationCenter)

    var log: ActivityLog { get }
    var badge: Badge { get }

    /// Marks articles of an account as read.
    func markRead(_ articleIDs: Set<String>, in account: String)

    func set(_ status: AccountStatus, of account: String)

    func refresh(_ account: String)

    func unreadCount(of account: String) -> Int

    /// The number of feeds that are being refreshed, and the number of feeds whose refresh has finished.
    var refreshes: (running: Int, finished: Int) { get }

    /// Opens a pane that shows how many articles were read. Only the caller retains the pane.
    func openPane() -> AnyObject
}

package enum AccountStatus: String, Codable, Sendable { case trial, paid }

/// A product that was bought with an account.
package struct Entitlement: Codable, Hashable, Sendable {
    package var product: String
    package init(product: String) { self.product = product }
}

// The names and keys of the untyped notifications. A plug-in observes these notifications, too.

extension Notification.Name {
    package static let articlesRead = Notification.Name("ArticlesRead")
    package static let accountChanged = Notification.Name("AccountChanged")
    package static let refreshStarted = Notification.Name("RefreshStarted")
    package static let refreshFinished = Notification.Name("RefreshFinished")
}

package enum AccountKey: Sendable { case status, entitlements }
