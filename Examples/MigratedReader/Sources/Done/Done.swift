import Foundation
import Program
import TidingsFoundation

// The finished reader. No code here removes an observer, reads a dictionary or casts. Any center can be passed in.

/// An account, which posts its changes.
final class Account: Sendable {
    let name: String
    private let center: any TypedNotificationCenter

    init(name: String, center: any TypedNotificationCenter) {
        self.name = name
        self.center = center
    }

    func markRead(_ articleIDs: Set<String>) {
        center.post(ArticlesRead(sender: self, articleIDs: articleIDs))
    }

    func set(_ status: AccountStatus) {
        let entitlements = status == .paid ? [Entitlement(product: "sync")] : []
        center.post(AccountChanged(sender: self, status: status, entitlements: entitlements))
    }

    func refresh() {
        center.post(RefreshChanged(event: .started, sender: self, feeds: 3))
        center.post(RefreshChanged(event: .finished, sender: self, feeds: 3))
    }
}

/// Counts the unread articles of one account.
final class UnreadCounter: Sendable {
    let count = Counter(100)

    init(of account: Account, center: any TypedNotificationCenter) {
        center.addObserver(self, for: ArticlesRead.self, sender: account) { me, note in
            me.count.add(-note.articleIDs.count)
        }
    }
}

/// Counts the feeds that are being refreshed.
final class RefreshIndicator: Sendable {
    let running = Counter(0)
    let finished = Counter(0)

    init(center: any TypedNotificationCenter) {
        center.addObserver(self, for: RefreshChanged.self) { me, note in
            me.running.add(note.event == .started ? note.feeds : -note.feeds)
            if note.event == .finished { me.finished.add(note.feeds) }
        }
    }
}

/// A pane that shows how many articles were read.
final class Pane: Sendable {
    private let shown = Counter(0)

    init(center: any TypedNotificationCenter) {
        center.addObserver(self, for: ArticlesRead.self) { pane, _ in pane.shown.add(1) }
    }
}

package final class DoneReader: Reader {
    package let log = ActivityLog()
    package let badge = Badge()
    private let center: any TypedNotificationCenter
    private let accounts: [String: Account]
    private let counters: [String: UnreadCounter]
    private let indicator: RefreshIndicator

    package convenience init(center: NotificationCenter) { self.init(on: center) }

    init(on center: any TypedNotificationCenter) {
        self.center = center
        let names = ["home", "work"]
        let accounts = Dictionary(uniqueKeysWithValues: names.map { ($0, Account(name: $0, center: center)) })
        self.accounts = accounts
        counters = accounts.mapValues { UnreadCounter(of: $0, center: center) }
        indicator = RefreshIndicator(center: center)
        center.addObserver(badge, on: .main, for: AccountChanged.self) { badge, note in badge.show(note.status.rawValue)
        }
        center.addObserver(log, on: .actor, for: ArticlesRead.self) { log, note in
            log.add(note.articleIDs.sorted().joined(separator: ","))
        }
    }

    package func markRead(_ articleIDs: Set<String>, in account: String) { accounts[account]?.markRead(articleIDs) }
    package func set(_ status: AccountStatus, of account: String) { accounts[account]?.set(status) }
    package func refresh(_ account: String) { accounts[account]?.refresh() }
    package func unreadCount(of account: String) -> Int { counters[account]?.count.value ?? 0 }
    package var refreshes: (running: Int, finished: Int) { (indicator.running.value, indicator.finished.value) }
    package func openPane() -> AnyObject { Pane(center: center) }
}
